/**
 * The tunnel between the stack's exchange server and one user, without a VPN: a pair of devices whose other end lies in
 * a network namespace of the user's own, where things are as on a machine that has joined the VPN.
 *
 *     exchange server, this machine               user: ip netns exec vantage-user …
 *     vantage0    100.64.0.1  fd7a:115c:a1e0::1 == tailscale0  100.64.0.2  fd7a:115c:a1e0::2
 *
 * Gateways and issuer on this machine's loopback have the same addresses there (loopback-relay.ts). What is there
 * already is left: the user's daemons continue through a restart of the exchange's process.
 */
import { existsSync } from "node:fs";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { hasDevice, ip, ipIn } from "./ip-command.ts";

export const namespace = "vantage-user";
export const namespaceFile = `/run/netns/${namespace}`;
export const device = "vantage0";
const userDevice = "tailscale0";

/** That of Tailscale's tunnels: `vantage doctor` checks it. */
const mtuBytes = 1280;

/** Name of the exchange server in its VPN of two. */
export const exchangeName = "ixp-1";
export const exchangeAddresses = { v4: "100.64.0.1", v6: "fd7a:115c:a1e0::1" } as const;
export const userAddresses = { v4: "100.64.0.2", v6: "fd7a:115c:a1e0::2" } as const;
/** What the exchange reaches for its users: the whole Internet, as tailscaled takes it from an exchange server. */
const internet = "2000::/3";

/** Rejects with an Error that says what `ip` has said. */
export async function makeTunnel(): Promise<void> {
  if (await hasDevice("tailscale0")) {
    throw cannot(
      "Cannot make a tunnel: this machine is in a VPN of Tailscale, which drops what comes from 100.64.0.0/10 " +
        "elsewhere; stop it (tailscale down, systemctl stop tailscaled), or use another machine",
    );
  }
  if (!existsSync(namespaceFile)) {
    await ip(`netns add ${namespace}`);
  }
  if (!(await hasDevice(device))) {
    await ip(`link add ${device} type veth peer name ${userDevice} netns ${namespace}`);
  }
  await ip(
    `link set ${device} up mtu ${mtuBytes}`,
    `address replace ${exchangeAddresses.v4} peer ${userAddresses.v4} dev ${device}`,
    `-6 address replace ${exchangeAddresses.v6}/64 dev ${device} nodad`,
  );
  await ipIn(
    namespace,
    "link set lo up",
    `link set ${userDevice} up mtu ${mtuBytes}`,
    `address replace ${userAddresses.v4} peer ${exchangeAddresses.v4} dev ${userDevice}`,
    `-6 address replace ${userAddresses.v6}/64 dev ${userDevice} nodad`,
    `-6 route replace ${internet} via ${exchangeAddresses.v6} dev ${userDevice}`,
  );
}

/** What the user's device offers is reached there, and nothing else. */
export async function carry(add: readonly string[], remove: readonly string[]): Promise<void> {
  await ip(
    ...remove.map((prefix) => `-6 route del ${prefix} dev ${device}`),
    ...add.map((prefix) => `-6 route replace ${prefix} via ${userAddresses.v6} dev ${device}`),
  );
}

/** Processes inside continue, without a route outside. Never rejects: it is the end. */
export async function removeTunnel(): Promise<void> {
  await ip(`link del ${device}`).catch(() => undefined);
  await ip(`netns del ${namespace}`).catch(() => undefined);
}
