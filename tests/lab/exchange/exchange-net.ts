/** The namespaces and links of the exchange's lab. */
import { LabNet } from "../lab-net.ts";
import { ipBatch, run } from "../namespaces.ts";
import {
  exchangeMember,
  farHost,
  infrastructurePrefix,
  type Member,
  peerLink,
  serverLink,
  strangerAddress,
  upstreamLink,
  userMembers,
} from "./plan.ts";

/** A device without ARP asks for no neighbour: a frame goes to the sender's own address, so both ends have the same. */
const ethernet = "02:00:00:00:00:0a";
const device = "tailscale0";

const nodes = ["exchange", "vpn", "upstream", "server", ...userMembers.map(({ node }) => node)];
const settings = [
  ["ipv4/conf/all/rp_filter", "0"],
  ["ipv4/conf/default/rp_filter", "0"],
] as const;

export class ExchangeNet extends LabNet<string> {
  static start(): Promise<ExchangeNet> {
    return new ExchangeNet({ nodes, routers: ["vpn", "exchange"], settings }).make();
  }

  /** A whole range of the VPN is the rogue's: for many sessions. */
  async giveRange(range: string): Promise<void> {
    await this.ip("rogue", [`route add local ${range} dev lo`]);
    await this.ip("vpn", [`route add ${range} dev rogue`]);
  }

  /** Whether packets to an address come there, and answers back: a port where nobody listens says so itself. */
  async reaches(node: string, address: string): Promise<boolean> {
    const dial = ["timeout", "3", "bash", "-c", `exec 3<>/dev/tcp/${address}/9`];
    const child = Bun.spawn(this.at(node, dial), { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    return (await new Response(child.stderr).text()).includes("refused");
  }

  /** What the VPN carries to a member besides its addresses. */
  async carry(node: string, add: readonly string[], remove: readonly string[]): Promise<void> {
    await this.ip("vpn", [
      ...remove.map((prefix) => `route del ${prefix} dev ${node}`),
      ...add.map((prefix) => `route replace ${prefix} dev ${node}`),
    ]);
  }

  /** What the VPN delivers to a member. */
  async carried(node: string): Promise<string[]> {
    const routes = await run(["ip", "-n", this.namespaceOf("vpn"), "-6", "route", "show", "dev", node]);
    return routes.split("\n").map((line) => line.split(" ")[0] ?? "");
  }

  /** Prefixes that the kernel forwards by. */
  async kernelRoutes(node: string): Promise<string[]> {
    const routes = await run(["ip", "-n", this.namespaceOf(node), "-6", "route", "show", "proto", "bird"]);
    return routes.split("\n").map((line) => line.split(" ")[0] ?? "");
  }

  /** Addresses that the kernel discards packets to, by order of BIRD. */
  async discarded(node: string): Promise<string[]> {
    const which = ["proto", "bird", "type", "blackhole"];
    const routes = await run(["ip", "-n", this.namespaceOf(node), "-6", "route", "show", ...which]);
    return routes.split("\n").flatMap((line) => line.split(" ")[1] ?? []);
  }

  protected override async link(): Promise<void> {
    const members = [exchangeMember, ...userMembers];
    await ipBatch(members.map((member) => this.#tunnel(member)));
    await Promise.all(members.map((member) => this.#addressTunnel(member)));
    await this.ip("vpn", members.flatMap(memberRoutes));
    await this.ip("vpn", [`route add 2000::/3 dev ${exchangeMember.node}`]);
    await this.#connect("upstream", upstreamLink.exchange, upstreamLink.other);
    await this.#connect("server", serverLink.exchange, serverLink.other);
    await this.ip("server", [`addr add ${peerLink.other}/64 dev exchange nodad`]);
    await this.ip("exchange", [`addr add ${peerLink.exchange}/64 dev server nodad`]);
    await this.ip("exchange", [`addr add ${infrastructurePrefix.replace("/48", "1/128")} dev lo nodad`]);
    await this.ip("upstream", [`addr add ${farHost}/128 dev lo nodad`]);
    await this.ip("rogue", [`addr add ${strangerAddress}/32 dev ${device}`]);
    await this.ip("vpn", [`route add ${strangerAddress}/32 dev rogue`]);
  }

  #tunnel({ node }: Member): string {
    const ends = [
      `${device} netns ${this.namespaceOf(node)} address ${ethernet} arp off`,
      `peer name ${node} netns ${this.namespaceOf("vpn")} address ${ethernet}`,
    ];
    return `link add ${ends[0]} type veth ${ends[1]}`;
  }

  async #addressTunnel({ node, v4, v6, leased }: Member): Promise<void> {
    await this.ip("vpn", [`link set ${node} arp off up`]);
    await this.ip(node, [
      `link set ${device} arp off up mtu 1280`,
      `addr add ${v4}/32 dev ${device}`,
      `addr add ${v6}/128 dev ${device} nodad`,
      `route add 100.64.0.0/10 dev ${device} src ${v4}`,
      `route add fd7a:115c:a1e0::/48 dev ${device} src ${v6}`,
    ]);
    if (node !== exchangeMember.node) {
      const own = leased === undefined ? [] : [`addr add ${leased}/128 dev lo nodad`];
      const source = leased === undefined ? "" : `src ${leased}`;
      await this.ip(node, [...own, `route add 2000::/3 dev ${device} ${source}`]);
    }
  }

  async #connect(node: string, ours: string, theirs: string): Promise<void> {
    await this.ip("exchange", [
      `link add ${node} type veth peer name exchange netns ${this.namespaceOf(node)}`,
      `link set ${node} up`,
      `addr add ${ours}/64 dev ${node} nodad`,
    ]);
    await this.ip(node, ["link set exchange up", `addr add ${theirs}/64 dev exchange nodad`]);
  }
}

function memberRoutes({ node, v4, v6 }: Member): string[] {
  return [`route add ${v4}/32 dev ${node}`, `route add ${v6}/128 dev ${node}`];
}
