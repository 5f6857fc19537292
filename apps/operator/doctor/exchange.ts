/** An exchange server's checks, including the policy generator and the VPN on the same machine. */
import { existsSync } from "node:fs";
import type { Finding } from "../../../lib/command/checkup/finding.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { vpn } from "../../peering/bootstrap/checkup/vpn.ts";
import { examineExchange as examine } from "../../peering/exchange/checkup.ts";
import { generatorBeside } from "../../peering/generator/checkup.ts";

/**
 * Socket of tailscaled; an exchange whose key expires loses every user. Of another VPN only the device can be checked.
 */
const vpnSocket = "/var/run/tailscale/tailscaled.sock";

export async function examineExchange(file: string, environment: Environment): Promise<Finding[]> {
  const generator = generatorBeside(file, environment);
  const vpnLooks = existsSync(vpnSocket)
    ? [{ what: "VPN", see: () => vpn(vpnSocket, null, Date.now(), new Set()) }]
    : [];
  return await examine(file, environment, { ...generator, vpnLooks });
}
