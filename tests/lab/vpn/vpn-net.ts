/** The namespaces and links of the VPN's lab. Nothing of it reaches the machine's own network. */
import { inNamespace, removeNamespaces, removeStaleNamespaces, run, writeSettings } from "../namespaces.ts";
import { links, type Machine, type Node, nodes, underlay } from "./plan.ts";

/** Apart from the serial numbers of the other labs. */
const serial = 2000;

const settings = [
  ["ipv6/conf/default/accept_dad", "0"],
  ["ipv6/conf/all/accept_dad", "0"],
  // A target answers every probe.
  ["ipv4/icmp_ratelimit", "0"],
] as const;
const routerSettings = [
  ["ipv4/ip_forward", "1"],
  ["ipv6/conf/all/forwarding", "1"],
] as const;
const routers: readonly Node[] = ["ixp", "user"];

export class VpnNet implements Disposable {
  readonly #onExit = () => removeNamespaces(this.#namespaces());

  static async start(): Promise<VpnNet> {
    const net = new VpnNet();
    removeStaleNamespaces();
    process.on("exit", net.#onExit);
    try {
      await net.#build();
    } catch (error) {
      net[Symbol.dispose]();
      throw error;
    }
    return net;
  }

  namespaceOf(node: Node): string {
    return `vlab${process.pid}x${serial}-${node}`;
  }

  /** The command line that runs `command` at a node and ends with this process. */
  at(node: Node, command: readonly string[]): string[] {
    return inNamespace(this.namespaceOf(node), command);
  }

  [Symbol.dispose](): void {
    process.off("exit", this.#onExit);
    removeNamespaces(this.#namespaces());
  }

  #namespaces(): string[] {
    return nodes.map((node) => this.namespaceOf(node));
  }

  async #build(): Promise<void> {
    await run(["ip", "-batch", "-"], text(nodes.map((node) => `netns add ${this.namespaceOf(node)}`)));
    await Promise.all(nodes.map((node) => this.#configure(node)));
    await this.ip("underlay", ["link add bridge type bridge", "link set bridge up"]);
    for (const machine of Object.keys(underlay) as Machine[]) {
      await this.#plug(machine);
    }
    for (const { a, b, addressA, addressB } of Object.values(links)) {
      await this.ip(a, [`link add ${b} type veth peer name ${a} netns ${this.namespaceOf(b)}`]);
      await this.ip(a, [`addr add ${addressA} dev ${b}${flags(addressA)}`, `link set ${b} up`]);
      await this.ip(b, [`addr add ${addressB} dev ${a}${flags(addressB)}`, `link set ${a} up`]);
    }
  }

  async #configure(node: Node): Promise<void> {
    const more = routers.includes(node) ? routerSettings : [];
    await writeSettings(this.namespaceOf(node), [...settings, ...more], []);
    await this.ip(node, ["link set lo up"]);
  }

  async #plug(machine: Machine): Promise<void> {
    const peer = `peer name ${machine} netns ${this.namespaceOf("underlay")}`;
    await this.ip(machine, [`link add eth0 type veth ${peer}`]);
    await this.ip("underlay", [`link set ${machine} master bridge up`]);
    await this.ip(machine, [`addr add ${underlay[machine]}/24 dev eth0`, "link set eth0 up"]);
  }

  /** Runs lines of iproute2 at a node. */
  async ip(node: Node, commands: readonly string[]): Promise<void> {
    await run(["ip", "-n", this.namespaceOf(node), "-batch", "-"], text(commands));
  }
}

function flags(address: string): string {
  return address.includes(":") ? " nodad" : "";
}

function text(commands: readonly string[]): string {
  return commands.map((command) => `${command}\n`).join("");
}
