/** Settings of tailscaled that break the packets of announced prefixes. */

import { type Finding, messageOf, warn } from "../../../lib/checkup/finding.ts";
import { LocalApi } from "../vpn/local-api.ts";

const what = "VPN settings";

/** None for a device that offers no prefix: it needs neither. */
export async function vpnSettings(socket: string): Promise<Finding[]> {
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
