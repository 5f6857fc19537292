/**
 * The networks of compose.yaml as bridges in a namespace of their own, and a namespace for each container, with an
 * interface in each of its networks. Addresses are 192.0.2.0/24, 198.51.100.0/24 … of documentation and
 * benchmarks, and leave nowhere.
 */
import { ipBatch, namespacePrefix, removeNamespaces, removeStaleNamespaces, run } from "../lab/namespaces.ts";

const ranges = ["192.0.2", "198.51.100", "203.0.113", "198.18.0"] as const;

export interface Port {
  readonly namespace: string;
  /** By network. */
  readonly addresses: Readonly<Record<string, string>>;
}

export class Switch implements Disposable {
  readonly #networks: readonly string[];
  readonly #prefix = namespacePrefix();
  readonly #namespaces: string[] = [];

  private constructor(networks: readonly string[]) {
    this.#networks = networks;
  }

  static async make(networks: readonly string[]): Promise<Switch> {
    removeStaleNamespaces();
    const made = new Switch(networks);
    await made.#add("switch");
    const lines = networks.flatMap((_, i) => [
      `link add br${i} type bridge`,
      `address add ${ranges[i]}.1/24 dev br${i}`,
      `link set br${i} up`,
    ]);
    await ipBatch(lines, "-n", `${made.#prefix}switch`);
    return made;
  }

  /** Joins these networks; with `hasWayOut`, by the last of them to everywhere. */
  async join(name: string, networks: readonly string[], hasWayOut: boolean): Promise<Port> {
    const number = this.#namespaces.length + 1;
    const namespace = await this.#add(name);
    const indices = networks.map((network) => this.#networks.indexOf(network));
    const plugs = indices.flatMap((i) => [
      `link add v${number}x${i} type veth peer name eth${i} netns ${namespace}`,
      `link set v${number}x${i} master br${i} up`,
    ]);
    await ipBatch(plugs, "-n", `${this.#prefix}switch`);
    const wayOut = hasWayOut ? [`route add default via ${ranges[indices.at(-1) ?? 0]}.1`] : [];
    const own = indices.flatMap((i) => [
      `address add ${ranges[i]}.${number}/24 dev eth${i}`,
      `link set eth${i} up`,
    ]);
    await ipBatch([...own, ...wayOut], "-n", namespace);
    const addresses = networks.map((network, i) => [network, `${ranges[indices[i] ?? 0]}.${number}`]);
    return { namespace, addresses: Object.fromEntries(addresses) };
  }

  async #add(name: string): Promise<string> {
    const namespace = `${this.#prefix}${name}`;
    this.#namespaces.push(namespace);
    await run(["ip", "netns", "add", namespace]);
    await ipBatch(["link set lo up"], "-n", namespace);
    return namespace;
  }

  [Symbol.dispose](): void {
    removeNamespaces(this.#namespaces);
  }
}
