/** The VPN as tailscaled sees it: logged in, its key good, exchange servers found, settings that fit. */
import { type Finding, fail, messageOf, ok, warn } from "../../../../lib/command/checkup/finding.ts";
import { keyDaysWarn, listedMax } from "../../../../lib/command/checkup/limits.ts";
import { printable } from "../../../../lib/peering/policy/printable.ts";
import { vpnProblem } from "../status/words.ts";
import { type DiscoveryRule, discover } from "../vpn/discover.ts";
import { LocalApi } from "../vpn/local-api.ts";
import type { VpnStatus } from "../vpn/vpn-status.ts";

const dayMs = 86_400_000;
const sentenceCharsMax = 200;

/**
 * `rule`: how to find exchange servers; null on an exchange server itself. `connected`: addresses of those with an
 * established session.
 */
export async function vpn(
  socket: string,
  rule: DiscoveryRule | null,
  nowMs: number,
  connected: ReadonlySet<string>,
): Promise<Finding[]> {
  let status: VpnStatus;
  try {
    status = await new LocalApi(socket).status();
  } catch (error) {
    const next = "systemctl start tailscaled; run as root, or: tailscale set --operator=USER";
    return [fail("VPN", messageOf(error), next)];
  }
  const trouble = vpnProblem(printable(status.BackendState, sentenceCharsMax));
  if (trouble !== null) {
    return [fail("VPN", trouble.text, trouble.advice)];
  }
  return [
    stateFinding(status),
    keyFinding(status, nowMs),
    ...healthFindings(status),
    ...(await vpnSettings(socket)),
    ...(rule === null ? [] : exchanges(status, rule, connected)),
  ];
}

const nobody: DiscoveryRule = { tag: "", hostPrefix: null };

function stateFinding(status: VpnStatus): Finding {
  const { ownAddress } = discover(status, nobody);
  return ownAddress === null
    ? fail("VPN", "it runs, but gives no address of 100.64.0.0/10", "ask the VPN's operator")
    : ok("VPN", `runs, as ${ownAddress}`);
}

function keyFinding({ Self: self }: VpnStatus, nowMs: number): Finding {
  const what = "VPN key";
  const endMs = Date.parse(self?.KeyExpiry ?? "");
  if (Number.isNaN(endMs)) {
    return ok(what, "never expires");
  }
  const days = (endMs - nowMs) / dayMs;
  const next = "tailscale login, and confirm it with your platform account";
  if (days <= 0) {
    return fail(what, `ended at ${new Date(endMs).toISOString()}`, next);
  }
  const found = `good until ${new Date(endMs).toISOString()}`;
  return days < keyDaysWarn ? warn(what, `${found}: that is soon`, next) : ok(what, found);
}

function healthFindings({ Health: sentences }: VpnStatus): Finding[] {
  return (sentences ?? [])
    .slice(0, listedMax)
    .map((text) =>
      warn("VPN", `tailscaled says: ${printable(text, sentenceCharsMax)}`, "see: tailscale status"),
    );
}

function exchanges(status: VpnStatus, rule: DiscoveryRule, connected: ReadonlySet<string>): Finding[] {
  const what = "exchange servers";
  const { exchanges, passedOver } = discover(status, rule);
  const by = rule.hostPrefix === null ? `the tag ${rule.tag}` : `names that begin with ${rule.hostPrefix}`;
  const skipped = passedOver
    .slice(0, listedMax)
    .map((reason) => warn(what, `cannot be joined: ${reason}`, "report it to the exchange's operator"));
  if (exchanges.length === 0) {
    const next = "ask the operator which tag or name they have: vpn.exchange_tag, vpn.exchange_host_prefix";
    return [fail(what, `none with ${by} in the VPN`, next), ...skipped];
  }
  const away = exchanges.filter(({ isOnline }) => !isOnline);
  const offline = away.map(({ name, address }) => offlineFinding(what, name, connected.has(address)));
  return [
    ok(what, exchanges.map(({ name, address }) => `${name} (${address})`).join(", ")),
    ...offline,
    ...skipped,
  ];
}

/** Headscale 0.28 may list a device as offline until it connects again, while its packets pass. */
function offlineFinding(what: string, name: string, isConnected: boolean): Finding {
  return isConnected
    ? ok(what, `the VPN lists ${name} as offline, but its session is up`)
    : warn(what, `${name} is offline`, "wait, or ask its operator");
}

/**
 * Settings of tailscaled that break the packets of announced prefixes. None for a device that offers no prefix: it
 * needs neither.
 */
export async function vpnSettings(socket: string): Promise<Finding[]> {
  const what = "VPN settings";
  try {
    const { offers, rewritesSources, acceptsRoutes } = await new LocalApi(socket).settings();
    const rewritten = "packets that this machine passes on get its own address as their source";
    const elsewhere = "routes of others are not accepted, so packets to them do not go through the tunnel";
    const found = [
      ...(rewritesSources ? [warn(what, rewritten, "tailscale set --snat-subnet-routes=false")] : []),
      ...(acceptsRoutes ? [] : [warn(what, elsewhere, "tailscale set --accept-routes")]),
    ];
    return offers.length > 0 ? found : [];
  } catch (error) {
    return [warn(what, messageOf(error), "run as root, or: tailscale set --operator=USER")];
  }
}
