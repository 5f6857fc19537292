/** What the kernels' tables said of the prefix at each moment, by `ip monitor` at every router. */
import { nodes, prefix } from "./plan.ts";
import type { WorldNet } from "./world-net.ts";

interface Change {
  readonly timeUs: number;
  readonly node: string;
  /** Null = the route is gone. */
  readonly device: string | null;
}

/** From `startUs` on no way led to a site; null = until the end. */
interface Outage {
  readonly startUs: number;
  readonly endUs: number | null;
}

const hopsMax = 12;
const [base = ""] = prefix.split("/");
const linePattern = /^\[(\S+)\] (Deleted )?(\S+)(?:.* dev (\S+))?/;

export class RouteWatch implements AsyncDisposable {
  readonly #changes: Change[] = [];
  readonly #children: { readonly kill: () => void; readonly read: Promise<void> }[] = [];

  /** Resolves when every router's changes are heard. */
  static async start(net: WorldNet): Promise<RouteWatch> {
    const watch = new RouteWatch();
    for (const node of nodes.filter((one) => one !== "mgmt" && one !== "vpn")) {
      const command = ["env", "TZ=UTC", "ip", "-6", "-o", "-ts", "monitor", "route"];
      const child = Bun.spawn(net.at(node, command), { stdout: "pipe", stderr: "ignore" });
      watch.#children.push({ kill: () => child.kill(), read: watch.#read(node, child.stdout) });
    }
    // It says nothing before the first change.
    await Bun.sleep(500);
    return watch;
  }

  /** Times without a way from a stub to a site, after the first moment that had one. */
  outages(stub: string): Outage[] {
    const devices = new Map<string, string>();
    const outages: Outage[] = [];
    let [hasBegun, startUs]: [boolean, number | null] = [false, null];
    for (const { timeUs, node, device } of this.#changes.toSorted((a, b) => a.timeUs - b.timeUs)) {
      if (device === null) {
        devices.delete(node);
      } else {
        devices.set(node, device);
      }
      const leads = leadsToSite(devices, stub);
      if (leads && startUs !== null) {
        outages.push({ startUs, endUs: timeUs });
        startUs = null;
      } else if (!leads && hasBegun) {
        startUs ??= timeUs;
      }
      hasBegun ||= leads;
    }
    return startUs === null ? outages : [...outages, { startUs, endUs: null }];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { kill } of this.#children) {
      kill();
    }
    await Promise.all(this.#children.map(({ read }) => read));
  }

  async #read(node: string, stream: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, time = "", deleted, network, device] = linePattern.exec(line) ?? [];
        if (network === prefix || network === base) {
          const timeUs = Math.round(1000 * Date.parse(`${time.slice(0, 23)}Z`)) + Number(time.slice(23, 26));
          this.#changes.push({ timeUs, node, device: deleted === undefined ? (device ?? null) : null });
        }
      }
    }
  }
}

/** Devices are called as the node at the other end; the VPN's leads to a site. */
function leadsToSite(devices: ReadonlyMap<string, string>, stub: string): boolean {
  let node: string | undefined = stub;
  for (let hop = 0; hop < hopsMax && node !== undefined; hop++) {
    if (node === "tailscale0") {
      return true;
    }
    node = devices.get(node);
  }
  return false;
}
