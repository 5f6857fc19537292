/** A path of two hops in three namespaces, IPv4 and IPv6: just enough Internet to trace once. */
import { optionalSettings, requiredSettings } from "../lab/commands.ts";
import { forwarding, ipBatch, removeNamespaces, writeSettings } from "../lab/namespaces.ts";

export const hops = { 4: ["192.0.2.2", "198.51.100.2"], 6: ["2001:db8:1::2", "2001:db8:2::2"] } as const;

let count = 0;

export class TwoHops implements Disposable {
  /** Namespace of the vantage point. */
  readonly vantagePoint: string;
  readonly #names: readonly string[];

  private constructor(names: readonly [string, string, string]) {
    this.#names = names;
    this.vantagePoint = names[0];
  }

  static async make(): Promise<TwoHops> {
    count++;
    const names = ["vantage", "router", "target"].map((role) => `vbuild${process.pid}x${count}-${role}`);
    const [vantage = "", router = "", target = ""] = names;
    const path = new TwoHops([vantage, router, target]);
    process.on("exit", () => path[Symbol.dispose]());
    await ipBatch(names.map((name) => `netns add ${name}`));
    for (const name of names) {
      await writeSettings(name, [...requiredSettings, ...forwarding], optionalSettings);
    }
    const links = [
      `link add near netns ${vantage} type veth peer name west netns ${router}`,
      `link add east netns ${router} type veth peer name far netns ${target}`,
    ];
    await ipBatch(links);
    await configure(vantage, "near", ["192.0.2.1/30", "2001:db8:1::1/64"], [hops[4][0], hops[6][0]]);
    await configure(router, "west", [`${hops[4][0]}/30`, `${hops[6][0]}/64`], []);
    await configure(router, "east", ["198.51.100.1/30", "2001:db8:2::1/64"], []);
    const back = ["198.51.100.1", "2001:db8:2::1"];
    await configure(target, "far", [`${hops[4][1]}/30`, `${hops[6][1]}/64`], back);
    return path;
  }

  [Symbol.dispose](): void {
    removeNamespaces(this.#names);
  }
}

async function configure(
  namespace: string,
  device: string,
  addresses: readonly string[],
  gateways: readonly string[],
): Promise<void> {
  const lines = [
    "link set lo up",
    `link set ${device} up`,
    ...addresses.map((address) => `addr add ${address} dev ${device}`),
    ...gateways.map((gateway) => `route add default via ${gateway}`),
  ];
  await ipBatch(lines, "-n", namespace);
}
