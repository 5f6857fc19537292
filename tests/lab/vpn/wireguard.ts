/** Plain WireGuard between the core and an agent by wg-quick: the kernel's where it has one, else wireguard-go. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VpnLab } from "./place.ts";
import { underlay } from "./plan.ts";

/** Addresses inside that tunnel. */
export const wireguardAddress = { core: "10.90.0.1", agent: "10.90.0.2" } as const;
const port = 51_820;
type End = keyof typeof wireguardAddress;

interface Keys {
  /** Key of this end; the other end gets the public part. */
  readonly secret: string;
  readonly open: string;
}

export async function startWireguard(place: VpnLab): Promise<void> {
  const keys = { core: await makeKeys(place), agent: await makeKeys(place) };
  await startEnd(place, "core", [
    `PrivateKey = ${keys.core.secret}`,
    `Address = ${wireguardAddress.core}/24`,
    `ListenPort = ${port}`,
    "[Peer]",
    `PublicKey = ${keys.agent.open}`,
    `AllowedIPs = ${wireguardAddress.agent}/32`,
  ]);
  await startEnd(place, "agent", [
    `PrivateKey = ${keys.agent.secret}`,
    `Address = ${wireguardAddress.agent}/24`,
    "[Peer]",
    `PublicKey = ${keys.core.open}`,
    `AllowedIPs = ${wireguardAddress.core}/32`,
    `Endpoint = ${underlay.core}:${port}`,
    "PersistentKeepalive = 25",
  ]);
}

async function makeKeys({ transcript }: VpnLab): Promise<Keys> {
  const secret = (await transcript.run("core", ["wg", "genkey"], { isQuiet: true })).trim();
  const command = ["sh", "-c", 'echo "$1" | wg pubkey', "sh", secret];
  return { secret, open: (await transcript.run("core", command, { isQuiet: true })).trim() };
}

async function startEnd(place: VpnLab, end: End, lines: readonly string[]): Promise<void> {
  // Programs of all namespaces share the folder of sockets, so each device has a name of its own.
  const device = `wg-${end}`;
  const file = join(place.folder, `${device}.conf`);
  writeFileSync(file, `[Interface]\n${lines.join("\n")}\n`, { mode: 0o600 });
  // A wireguard-go that is killed leaves its socket behind.
  const removeSocket = () => rmSync(`/var/run/wireguard/${device}.sock`, { force: true });
  removeSocket();
  place.use({ [Symbol.dispose]: removeSocket });
  await place.transcript.run(end, ["wg-quick", "up", file], { only: /^\[[#!]\]/ });
}
