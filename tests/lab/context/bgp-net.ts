/** The namespaces and links of the context lab, and the routes inside its networks; BGP brings the others. */
import { LabNet } from "../lab-net.ts";
import { ipBatch, run, type Setting, writeSettings } from "../namespaces.ts";
import { type DrawnRouter, lans, type Network } from "./drawing.ts";
import {
  answersAt,
  endTo,
  found,
  lanBits,
  lanEnds,
  lanNode,
  linkBits,
  linkEnds,
  loopback,
  networkOf,
  nodeNames,
  routers,
} from "./plan.ts";

const settings: readonly Setting[] = [
  ["ipv4/conf/all/rp_filter", "0"],
  ["ipv4/conf/default/rp_filter", "0"],
  ["ipv4/icmp_ratelimit", "0"],
];
/** Some kernels have them for the whole machine only. */
const widerLimits: readonly Setting[] = [
  ["ipv4/icmp_msgs_per_sec", "1000000"],
  ["ipv4/icmp_msgs_burst", "1000000"],
];

export class BgpNet extends LabNet<string> {
  static start(): Promise<BgpNet> {
    const nodes = [...nodeNames(), ...lans.map(lanNode)];
    return new BgpNet({ nodes, routers: routers().map(({ router }) => router.name), settings }).make();
  }

  protected override async link(): Promise<void> {
    await ipBatch([...this.#pairs(), ...this.#lanPorts()]);
    await Promise.all([
      ...nodeNames().map((node) => this.ip(node, addressCommands(node))),
      ...lans.map((lan) => this.ip(lanNode(lan), bridgeCommands(lanNode(lan)))),
    ]);
    await Promise.all(
      routers().map(({ network, router }) => this.ip(router.name, routeCommands(network, router.name))),
    );
    await Promise.all(routers().map(({ router }) => this.#behave(router)));
  }

  #pairs(): string[] {
    return linkEnds()
      .filter((_, i) => i % 2 === 0)
      .map(({ node, device, peer }) => this.#pair(node, device, peer, endTo(peer, node).device));
  }

  #lanPorts(): string[] {
    return lanEnds().map(({ node, device, lan }) => this.#pair(node, device, lanNode(lan), `to-${node}`));
  }

  #pair(node: string, device: string, peer: string, peerDevice: string): string {
    const ends = [
      `${device} netns ${this.namespaceOf(node)}`,
      `peer name ${peerDevice} netns ${this.namespaceOf(peer)}`,
    ];
    return `link add ${ends[0]} type veth ${ends[1]}`;
  }

  async #behave({ name, isSilent, isDeaf, answersByRoute }: DrawnRouter): Promise<void> {
    const byInterface: Setting = ["ipv4/icmp_errors_use_inbound_ifaddr", answersByRoute === true ? "0" : "1"];
    await writeSettings(this.namespaceOf(name), [byInterface], widerLimits);
    const unheard =
      isDeaf === true ? "ip protocol icmp" : isSilent === true ? "icmp type time-exceeded" : null;
    if (unheard !== null) {
      const rules = [
        "add table ip lab",
        "add chain ip lab silence { type filter hook output priority 0; }",
        `add rule ip lab silence ${unheard} drop`,
      ];
      await run(this.at(name, ["nft", "-f", "-"]), `${rules.join("\n")}\n`);
    }
  }
}

function bridgeCommands(node: string): string[] {
  const ports = lanEnds().filter(({ lan }) => lanNode(lan) === node);
  return [
    "link add lan type bridge",
    "link set lan up",
    ...ports.map((port) => `link set to-${port.node} master lan up`),
  ];
}

function addressCommands(node: string): string[] {
  const own = networkOf(node);
  const isEnd = own?.routers.at(-1)?.name === node;
  const hosts = [...(own === null ? [] : [loopback(node)]), ...(own !== null && isEnd ? answersAt(own) : [])];
  const ends = linkEnds().filter((end) => end.node === node);
  const ports = lanEnds().filter((end) => end.node === node);
  return [
    ...hosts.map((address) => `addr add ${address}/32 dev lo`),
    ...ends.flatMap(({ device, address }) => [
      `addr add ${address}/${linkBits} dev ${device}`,
      `link set ${device} up`,
    ]),
    ...ports.flatMap(({ device, address }) => [
      `addr add ${address}/${lanBits} dev ${device}`,
      `link set ${device} up`,
    ]),
  ];
}

/** To all that is in the network; and from its inner end to the rest. */
function routeCommands({ routers: chain }: Network, node: string): string[] {
  const at = chain.findIndex(({ name }) => name === node);
  const others = chain.flatMap(({ name }, place) => (name === node ? [] : [{ name, place }]));
  const inside = others.flatMap(({ name, place }) => {
    const next = found(chain[at + Math.sign(place - at)]).name;
    const via = endTo(node, next).peerAddress;
    return insideAddresses(name).map((address) => `route add ${address}/32 via ${via}`);
  });
  const before = chain[at - 1];
  const isPlain = chain[at]?.daemon === null;
  return isPlain && before !== undefined
    ? [...inside, `route add default via ${endTo(node, before.name).peerAddress}`]
    : inside;
}

/** What others in its network have to reach that they are not linked with. */
function insideAddresses(node: string): string[] {
  const own = found(networkOf(node));
  return [loopback(node), ...(own.routers.at(-1)?.name === node ? answersAt(own) : [])];
}
