/**
 * Checks that TCP segments fit the tunnel's MTU. This machine's connections do: the kernel offers an MSS of the
 * device's MTU minus 60 bytes (IPv6 and TCP). For forwarded connections, hosts that do not see the tunnel offer the
 * MSS, so a rule must clamp it.
 */
import { readFileSync } from "node:fs";
import { type Finding, ok, warn } from "../finding.ts";
import { outputOf } from "../host/command.ts";
import { downstreamRoutes, routesFile } from "../host/downstream-routes.ts";
import { forwardsIpv6 } from "../host/kernel.ts";

interface Segments {
  readonly device: string;
  /** Prefixes whose hosts may be behind this machine; null = it forwards for others in any case. */
  readonly prefixes: readonly string[] | null;
}

const what = "TCP segment size";

export async function segments({ device, prefixes }: Segments): Promise<Finding> {
  const ownOnly = `what this machine sends keeps to the MTU of ${device}`;
  if (!forwardsIpv6()) {
    return ok(what, `${ownOnly}; nothing is forwarded`);
  }
  const behind =
    prefixes === null ? [] : downstreamRoutes(readFileSync(routesFile, "utf8"), prefixes, device);
  if (prefixes !== null && behind.length === 0) {
    return ok(what, `${ownOnly}; no network behind it uses the prefixes`);
  }
  const rules = await rulesOf();
  if (rules === null) {
    const next = "run as root, with nft installed; in containers: docker compose exec vpn nft list ruleset";
    return warn(what, "the firewall's rules cannot be read", next);
  }
  const whom = behind.length === 0 ? "" : ` of ${behind.join(", ")}`;
  // Many networks drop the ICMPv6 messages that would report this later.
  return /maxseg size set|TCPMSS/.test(rules)
    ? ok(what, "clamped by a rule of the firewall")
    : warn(
        what,
        `forwarded TCP${whom} is not clamped to ${device}: connections may hang after the first bytes`,
        "add the rules of docs/announce/bootstrap.md, under Packets",
      );
}

/** Null when the rules cannot be read. */
async function rulesOf(): Promise<string | null> {
  const texts = await Promise.all([outputOf(["nft", "list", "ruleset"]), outputOf(["ip6tables-save"])]);
  const known = texts.filter((text) => text !== null);
  return known.length === 0 ? null : known.join("\n");
}
