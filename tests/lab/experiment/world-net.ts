/** The namespaces and links of the small Internet: see plan.ts. */
import { LabNet } from "../lab-net.ts";
import { ipBatch } from "../namespaces.ts";
import {
  exchanges,
  infrastructurePrefix,
  linkEnds,
  managementAddress,
  managementNodes,
  nodes,
  prefix,
  sites,
  source,
  stubs,
  upstreams,
} from "./plan.ts";

/** A device without ARP asks for no neighbour: a frame goes to the sender's own address, so both ends have the same. */
const ethernet = "02:00:00:00:00:0a";
const tunnel = "tailscale0";
/** Routing table of the VPN for what comes from east, and from its exchange. */
const eastTable = 102;

const settings = [
  ["ipv4/conf/all/rp_filter", "0"],
  ["ipv4/conf/default/rp_filter", "0"],
  ["ipv6/icmp/ratelimit", "0"],
] as const;

export class WorldNet extends LabNet<string> {
  static start(): Promise<WorldNet> {
    const routers = ["vpn", ...exchanges.map(({ node }) => node), ...upstreams.map(({ node }) => node)];
    return new WorldNet({ nodes, routers, settings }).make();
  }

  protected override async link(): Promise<void> {
    await this.#management();
    await this.#vpn();
    for (const { node, peer, own, other } of linkEnds.filter((_, index) => index % 2 === 0)) {
      await this.ip(node, [
        `link add ${peer} type veth peer name ${node} netns ${this.namespaceOf(peer)}`,
        `link set ${peer} up`,
        `addr add ${own}/64 dev ${peer} nodad`,
      ]);
      await this.ip(peer, [`link set ${node} up`, `addr add ${other}/64 dev ${node} nodad`]);
    }
    await Promise.all(
      stubs.map(({ node, target }) => this.ip(node, [`addr add ${target}/128 dev lo nodad`])),
    );
  }

  async #management(): Promise<void> {
    await this.ip("mgmt", [
      "link add br0 type bridge",
      `addr add ${managementAddress("mgmt")}/24 dev br0`,
      "link set br0 up",
      ...managementNodes.flatMap((node) => [
        `link add ${node} type veth peer name mgmt0 netns ${this.namespaceOf(node)}`,
        `link set ${node} master br0 up`,
      ]),
    ]);
    await Promise.all(
      managementNodes.map((node) =>
        this.ip(node, [`addr add ${managementAddress(node)}/24 dev mgmt0`, "link set mgmt0 up"]),
      ),
    );
  }

  /** Carries addresses of members, and the prefix: to the site of the exchange server that it comes from. */
  async #vpn(): Promise<void> {
    const members = [...exchanges, ...sites];
    for (const { node, v4, v6 } of members) {
      const far = `${node} netns ${this.namespaceOf("vpn")} address ${ethernet}`;
      await this.ip(node, [
        `link add ${tunnel} address ${ethernet} arp off type veth peer name ${far}`,
        `link set ${tunnel} arp off up mtu 1280`,
        `addr add ${v4}/32 dev ${tunnel}`,
        `addr add ${v6}/128 dev ${tunnel} nodad`,
        `route add 100.64.0.0/10 dev ${tunnel} src ${v4}`,
        `route add fd7a:115c:a1e0::/48 dev ${tunnel} src ${v6}`,
      ]);
      await this.ip("vpn", [
        `link set ${node} arp off up`,
        `route add ${v4}/32 dev ${node}`,
        `route add ${v6}/128 dev ${node}`,
      ]);
    }
    const rules = [
      `route add ${prefix} dev west`,
      "route add 2000::/3 dev x1",
      `rule add iif x2 lookup ${eastTable} pref 100`,
      `rule add iif east lookup ${eastTable} pref 100`,
      `route add ${prefix} dev east table ${eastTable}`,
      `route add 2000::/3 dev x2 table ${eastTable}`,
    ];
    await ipBatch(rules, "-6", "-n", this.namespaceOf("vpn"));
    for (const { node } of sites) {
      await this.ip(node, [
        `addr add ${source}/128 dev lo nodad`,
        `route add 2000::/3 dev ${tunnel} src ${source}`,
      ]);
    }
    await this.ip("x1", [`addr add ${infrastructurePrefix.replace("/48", "1/128")} dev lo nodad`]);
  }
}
