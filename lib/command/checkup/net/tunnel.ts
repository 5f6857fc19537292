/** Checks the VPN's network device: existing, up, with a fitting MTU, and TCP segments limited to it. */
import { existsSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { type Finding, fail, ok, warn } from "../finding.ts";
import { tunnelMtuMax, tunnelMtuMin } from "../limits.ts";
import { segments } from "./segments.ts";

interface Tunnel {
  readonly device: string;
  /** Expected address; null = any. */
  readonly address: string | null;
  /** Prefixes whose hosts may be behind this machine; null = it forwards for others in any case. */
  readonly prefixes: readonly string[] | null;
}

/** IFF_UP of the device's flags (netdevice(7)). */
const flagUp = 1;

export async function tunnel({ device, address, prefixes }: Tunnel): Promise<Finding[]> {
  const what = `tunnel ${device}`;
  const folder = `/sys/class/net/${device}`;
  if (!existsSync(folder)) {
    return [fail(what, "there is no such device", "start the VPN (tailscale up), or name its device")];
  }
  const number = (name: string) => Number(readFileSync(`${folder}/${name}`, "utf8").trim());
  if ((number("flags") & flagUp) === 0) {
    return [fail(what, "it is down", `start the VPN, or: ip link set ${device} up`)];
  }
  return [
    addressFinding(what, device, address),
    mtuFinding(what, device, number("mtu")),
    await segments({ device, prefixes }),
  ];
}

function addressFinding(what: string, device: string, wanted: string | null): Finding {
  const own = (networkInterfaces()[device] ?? []).map(({ address }) => address);
  return wanted === null || own.includes(wanted)
    ? ok(what, `up, with ${own.join(", ") || "no address"}`)
    : fail(
        what,
        `it has not the address ${wanted}, but ${own.join(", ") || "none"}`,
        "log this machine into the VPN, or correct the address in the settings",
      );
}

function mtuFinding(what: string, device: string, mtu: number): Finding {
  if (mtu >= tunnelMtuMin && mtu <= tunnelMtuMax) {
    return ok(`MTU of ${device}`, `${mtu} bytes`);
  }
  const why = mtu > tunnelMtuMax ? "larger packets get lost on the way" : "IPv6 does not work below 1280";
  return warn(
    `MTU of ${device}`,
    `${mtu} bytes: ${why}`,
    `ip link set ${what.split(" ")[1]} mtu ${tunnelMtuMax}`,
  );
}
