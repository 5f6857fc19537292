/** Options and arguments of the commands for announcements. */
import { prependMax } from "../../../../lib/base/api/announcements.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { duration, kindOf, number, unfit } from "../../../../lib/command/command/kinds.ts";
import { formatAddress, isIpv4, parseAddress } from "../../../../lib/net/ip/address.ts";

const dayMs = 86_400_000;

export const serverKind = kindOf("SERVER", "any", (given) =>
  /^[a-z0-9-]{1,100}$/.test(given) ? given : unfit("is not the name of an exchange server, as ixp-1"),
);

export const atOption = {
  kind: serverKind,
  multiple: true,
  meaning: "at this exchange server, by its name in the VPN; repeatable; without, at all",
} as const;

export const waitOptions = {
  wait: {
    flag: true,
    default: false,
    short: "w",
    meaning: "until the client stack's daemon has confirmed it",
  },
  timeout: {
    kind: duration(dayMs),
    default: 60_000,
    defaultText: "60s",
    meaning: "with --wait: not for longer",
  },
} as const;

/** An ASN, as `64496` or `AS64496`, or a name that the gateway knows. */
function neighborOf(given: string): string | number {
  const [, digits] = /^(?:AS)?(\d{1,10})$/i.exec(given) ?? [];
  return digits !== undefined
    ? Number(digits)
    : neighborText.test(given)
      ? given
      : unfit("is not the name of a neighbour, or an ASN");
}

const neighborText = /^[a-z][a-z0-9_-]{0,30}$/;
const neighbor = kindOf("NEIGHBOR", "any", neighborOf);

const prependTo = kindOf("NEIGHBOR=N", "any", (given) => {
  const [, who = "", times = ""] =
    /^(.+)=([123])$/.exec(given) ?? unfit("is not NEIGHBOR=N, with N from 1 to 3");
  return [String(neighborOf(who)), Number(times)] as const;
});

/** What an exchange is asked to do with the route: docs/announce/announcements.md. */
export const wayOptions = {
  prepend: { kind: number(0, prependMax), defaultText: "0", meaning: "copies of your AS before the path" },
  "not-to": {
    kind: neighbor,
    multiple: true,
    meaning: "the exchange does not pass it on to this neighbour, by name or ASN; repeatable",
  },
  "only-to": {
    kind: neighbor,
    multiple: true,
    meaning: "it passes it on to this neighbour only; repeatable",
  },
  "prepend-to": {
    kind: prependTo,
    multiple: true,
    meaning: "the path is N hops longer towards this neighbour, N from 1 to 3; repeatable",
  },
  poison: {
    kind: kindOf("ASN", "any", (given) => {
      const asn = neighborOf(given);
      return typeof asn === "number" ? asn : unfit("is not an ASN");
    }),
    multiple: true,
    meaning: "put this ASN into the path, so that its network drops it; needs the right to it; repeatable",
  },
  blackhole: {
    kind: kindOf("ADDRESS", "any", (given) => {
      const address = parseAddress(given);
      return address === null || isIpv4(address) ? unfit("is not an IPv6 address") : formatAddress(address);
    }),
    multiple: true,
    meaning: "discard all packets to this address of the prefix; needs the right to it; repeatable",
  },
  "no-export": {
    flag: true,
    default: false,
    meaning: "neighbours of the exchange are to keep it to themselves (RFC 1997)",
  },
  "graceful-shutdown": {
    flag: true,
    default: false,
    meaning: "all are to prefer other paths, before you withdraw it (RFC 8326)",
  },
} as const;

/** A time to come. Throws CommandError `usage`. */
export function timeAfter(durationMs: number | null, nowMs: number): string | null {
  if (durationMs !== null && durationMs < 1000) {
    throw wrongUsage("--for is too short: give 1s or more");
  }
  return durationMs === null ? null : new Date(nowMs + durationMs).toISOString();
}

export function announcementPath(prefix: string): string {
  return `/api/announcements/${encodeURIComponent(prefix)}`;
}
