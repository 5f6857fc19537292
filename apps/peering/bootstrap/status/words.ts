/** What to do about each reason for which an exchange refuses a route, and about each part that does not work. Pure. */
import type { Refusal } from "../../../../lib/peering/policy/refusal.ts";
import type { Part } from "../snapshot.ts";

const refusalAdvice: Readonly<Record<Refusal, string>> = {
  pathLength: "Prepend less often (vantage announce PREFIX --prepend N)",
  foreignAs: "Announce nothing but your own prefixes: your own snippet lets routes of others out",
  nextHop: "Announce with the tunnel's address as next hop, as the rendered configuration does",
  rpkiInvalid: "Ask the operator: the authorisation of the prefix does not name the platform's AS",
  unknownAttribute: "Announce without further attributes (RFC 4271's optional ones)",
  tooManyActions: "Name at most five neighbours in each list; your own snippet may add communities",
  poison: "Name at most five ASNs, none of a neighbour of the exchange or of a network without upstreams",
  blackhole: "Ask the operator for the right to have addresses discarded (BLACKHOLE, RFC 7999)",
  unknownAddress:
    "Wait: a new device or lease is seen within a minute; else log in to the VPN with the account that has the lease",
  suspended: "Stop announcing and withdrawing so often, and wait until the suspension ends",
  foreignAttribute:
    "Announce without further attributes (RFC 4271's optional ones): the rendered configuration sends none; then wait",
  userSuspended: "Ask the operator of the platform why, and until when",
  announcementsStopped: "Wait until the operator allows announcements; a new request returns the reason",
  wrongAsn: "Set USER_ASN to the ASN that the gateway gave you",
  moreSpecific: "Announce the /48 itself, as USER_PREFIXES gives it, and no part of it",
  notLeased: "Lease the prefix at the gateway, or take it out of USER_PREFIXES",
  held: "Announce and withdraw the prefix less often, and wait until it is let back",
  notRequested: "Announce it here anew (vantage announce PREFIX --at SERVER)",
  pending: "Wait: it takes effect within a minute",
};

export function adviceOn(reason: string): string {
  const known = Object.entries(refusalAdvice).find(([name]) => name === reason);
  return known?.[1] ?? "Ask the operator of the exchange, with this reason";
}

export const partAdvice: Readonly<Record<Part, string>> = {
  login: "See that the gateway can be reached; it is tried again",
  vpn: "Start tailscaled, and see that this program may use its socket",
  gateway: "Check the token; known leases stay in effect",
  requests: "Check that the gateway is reachable, and the token; earlier requests stay in effect",
  daemon:
    "Check that it runs, and repair what it reports, your own snippets above all; the active configuration stays",
  routes: "Let this program change tailscaled's settings; until then no packet to your prefixes arrives",
};

/** States of tailscaled that are not our failures. */
const vpnStates: Readonly<Record<string, readonly [text: string, advice: string]>> = {
  NeedsLogin: [
    "The VPN waits for your login",
    "Run tailscale login, and confirm it with your platform account",
  ],
  NeedsMachineAuth: ["The VPN's operator has not admitted this device yet", "Wait, or ask the operator"],
  Stopped: ["The VPN is switched off", "Run tailscale up"],
  Starting: ["The VPN is starting", "Wait a moment"],
  NoState: ["The VPN is starting", "Wait a moment"],
};

/** `loginUrl`: where the user logs in; null = not known. */
export function vpnProblem(
  state: string,
  loginUrl: string | null = null,
): { text: string; advice: string } | null {
  if (state === "Running" || state === "") {
    return null;
  }
  const [text, advice] = vpnStates[state] ?? [`The VPN is in state ${state}`, "Check tailscale status"];
  const isLink = state === "NeedsLogin" && loginUrl !== null;
  return { text, advice: isLink ? `Open ${loginUrl}, and log in with your platform account` : advice };
}

/** `2 d 3 h`, `4 h 5 min`, `6 min`, `less than a minute`. */
export function durationText(seconds: number): string {
  const units = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first < 0) {
    return "less than a minute";
  }
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}
