/** Plain WireGuard between the core and an agent: the kernel's where it has one, else wireguard-go. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import type { Place } from "./place.ts";
import { type Machine, underlay } from "./plan.ts";

/** Addresses inside that tunnel. */
export const wireguardAddress = { core: "10.90.0.1", agent: "10.90.0.2" } as const;
const port = 51_820;
const ends = ["core", "agent"] as const;
type End = (typeof ends)[number] & Machine;

/** `private key` and `public key`. */
interface Keys {
  readonly secret: string;
  readonly open: string;
}

export async function startWireguard(place: Place): Promise<void> {
  const keys = { core: await makeKeys(place), agent: await makeKeys(place) };
  for (const end of ends) {
    await startEnd(place, end, keys);
  }
}

async function makeKeys({ transcript }: Place): Promise<Keys> {
  const secret = (await transcript.run("core", ["wg", "genkey"], { isQuiet: true })).trim();
  const command = ["sh", "-c", 'echo "$1" | wg pubkey', "sh", secret];
  return { secret, open: (await transcript.run("core", command, { isQuiet: true })).trim() };
}

async function startEnd(place: Place, end: End, keys: Readonly<Record<End, Keys>>): Promise<void> {
  const { transcript, folder, net } = place;
  const other = end === "core" ? "agent" : "core";
  // Programs of all namespaces share the folder of sockets, so each device has a name of its own.
  const device = `wg-${end}`;
  await makeDevice(place, end, device);
  const file = join(folder, `${device}.conf`);
  const endpoint = end === "core" ? "" : `Endpoint = ${underlay.core}:${port}\nPersistentKeepalive = 25\n`;
  writeFileSync(
    file,
    `[Interface]
PrivateKey = ${keys[end].secret}
${end === "core" ? `ListenPort = ${port}\n` : ""}[Peer]
PublicKey = ${keys[other].open}
AllowedIPs = ${wireguardAddress[other]}/32
${endpoint}`,
    { mode: 0o600 },
  );
  await transcript.run(end, ["wg", "setconf", device, file]);
  await net.ip(end, [`addr add ${wireguardAddress[end]}/24 dev ${device}`, `link set ${device} up`]);
}

async function makeDevice(place: Place, end: End, device: string): Promise<void> {
  const { transcript } = place;
  const add = ["ip", "link", "add", device, "type", "wireguard"];
  const said = await transcript.run(end, ["sh", "-c", `${add.join(" ")} 2>&1 || true`], { isQuiet: true });
  if (said === "") {
    transcript.say(`${end}# ${add.join(" ")}`);
    return;
  }
  transcript.say(`(this kernel has no WireGuard: "${said.trim()}"; the same by wireguard-go)`);
  // One that is killed leaves its socket behind.
  const removeSocket = () => rmSync(`/var/run/wireguard/${device}.sock`, { force: true });
  removeSocket();
  place.use({ [Symbol.dispose]: removeSocket });
  const command = ["wireguard-go", "--foreground", device];
  transcript.started(end, command);
  const daemon = place.daemon(device, end, command, { WG_I_PREFER_BUGGY_USERSPACE_TO_POLISHED_KMOD: "1" });
  await until(device, async () => {
    daemon.mustRun();
    await transcript.run(end, ["wg", "show", device], { isQuiet: true });
    return true;
  });
}
