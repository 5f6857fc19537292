/** `vantage bootstrap render`: the daemon's current configuration, to be installed by hand. */

import { Failure } from "../../../lib/base/failure/failure.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { feedPorts } from "../../../lib/peering/policy/feed-ports.ts";
import { type BootstrapConfig, type DaemonKind, daemonDefaults } from "./config.ts";
import { birdConf } from "./daemon/bird-conf.ts";
import { frrConf } from "./daemon/frr-conf.ts";
import { sessionPlan } from "./daemon/session-plan.ts";
import { readSnippets } from "./daemon/snippets.ts";
import { identityOf } from "./identity.ts";
import { leasesAtGateway } from "./leases.ts";
import { StateFile } from "./state-file.ts";
import { discover } from "./vpn/discover.ts";
import { LocalApi } from "./vpn/local-api.ts";

/** Throws Failure `vpn` where the VPN does not list its devices. */
export async function renderOnce(config: BootstrapConfig, kind: DaemonKind): Promise<string> {
  const { vpn, rule, gateway } = config;
  const user = identityOf(config, gateway === null ? null : await leasesAtGateway(gateway));
  const { asn, platformAsn, prefixes } = user;
  if (asn === null || platformAsn === null) {
    throw cannot(
      "the gateway has not stated your ASN and the platform's: set USER_ASN and platform.asn, or log in",
    );
  }
  const { state, ownAddress, exchanges } = discover(await new LocalApi(vpn.socket).status(), rule);
  if (ownAddress === null) {
    throw new Failure(
      "vpn",
      "badAnswer",
      `Cannot render: the VPN is in state ${state} and has given no address; log in`,
    );
  }
  const { orders } = await new StateFile(config.stateFolder).read();
  const { log, kind: own, snippetsFolder, feed } = config.daemon;
  const places = { ownAddress, device: vpn.device, port: feedPorts[feed] };
  const common = { asn, prefixes, ...places, platformAsn, withheld: new Set<string>() };
  const plan = sessionPlan({ ...common, exchanges, orders });
  // Additions for the other daemon do not fit this one.
  const folder = kind === own ? snippetsFolder : daemonDefaults[kind].snippetsFolder;
  return kind === "bird"
    ? birdConf(plan, { log, snippetsFolder: folder }).text
    : frrConf(plan, { log, snippets: await readSnippets(folder) }).text;
}
