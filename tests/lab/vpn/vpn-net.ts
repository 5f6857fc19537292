/** The namespaces and links of the VPN's lab. Nothing of it reaches the machine's own network. */
import { LabNet } from "../lab-net.ts";
import { links, type Machine, type Node, nodes, underlay } from "./plan.ts";

/** A target answers every probe. */
const settings = [["ipv4/icmp_ratelimit", "0"]] as const;

export class VpnNet extends LabNet<Node> {
  static start(): Promise<VpnNet> {
    return new VpnNet({ nodes, routers: ["ixp", "user"], settings }).make();
  }

  protected override async link(): Promise<void> {
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

  async #plug(machine: Machine): Promise<void> {
    const peer = `peer name ${machine} netns ${this.namespaceOf("underlay")}`;
    await this.ip(machine, [`link add eth0 type veth ${peer}`]);
    await this.ip("underlay", [`link set ${machine} master bridge up`]);
    await this.ip(machine, [`addr add ${underlay[machine]}/24 dev eth0`, "link set eth0 up"]);
  }
}

function flags(address: string): string {
  return address.includes(":") ? " nodad" : "";
}
