/** TCP keeps to the tunnel's MTU: what the user's machine sends by itself, what it forwards by clamp.nft. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "../exchange/until.ts";
import { LabNet } from "./lab-net.ts";
import { run } from "./namespaces.ts";

const clamp = join(import.meta.dirname, "../../deploy/client/clamp.nft");
/** 1280 and 1500, less 60 bytes of IPv6 and TCP. */
const [tunnelBytes, wholeBytes] = [1220, 1440];
const [farHost, own, hostBehind] = ["3fff:0:7::1", "2001:db8:20ab::1", "2001:db8:20ab:1::2"];
const [listenPort, closedPort] = [8080, 9];

const nodes = ["far", "user", "host"] as const;
type Node = (typeof nodes)[number];

/** Far away, the user's machine with its tunnel, and a host behind it. */
class TunnelNet extends LabNet<Node> {
  static start(): Promise<TunnelNet> {
    return new TunnelNet({ nodes, routers: ["user"], settings: [] }).make();
  }

  protected override async link(): Promise<void> {
    await this.ip("user", [
      `link add tailscale0 mtu 1280 type veth peer name user netns ${this.namespaceOf("far")}`,
      `link add lan0 type veth peer name user netns ${this.namespaceOf("host")}`,
      ...["tailscale0", "lan0"].map((device) => `link set ${device} up`),
      "addr add 2001:db8:f0::2/64 dev tailscale0 nodad",
      `addr add ${own}/128 dev lo nodad`,
      "addr add 2001:db8:20ab:1::1/64 dev lan0 nodad",
    ]);
    await this.ip("far", [
      ...[
        "link set user up",
        "addr add 2001:db8:f0::1/64 dev user nodad",
        `addr add ${farHost}/128 dev lo nodad`,
      ],
      `route add 2001:db8:20ab::/48 via 2001:db8:f0::2 src ${farHost}`,
    ]);
    await this.ip("user", [`route add default via 2001:db8:f0::1 src ${own}`]);
    await this.ip("host", ["link set user up", `addr add ${hostBehind}/64 dev user nodad`]);
    await this.ip("host", ["route add default via 2001:db8:20ab:1::1"]);
  }
}

/** Keeps the segment size of every SYN and SYN-ACK that comes here. */
const watch = `table inet seen {
  set sizes { typeof tcp option maxseg size; flags dynamic; }
  chain in {
    type filter hook input priority 0;
    tcp flags syn add @sizes { tcp option maxseg size }
  }
}
`;

let net: TunnelNet;

beforeAll(async () => {
  net = await TunnelNet.start();
  await Promise.all(nodes.map((node) => run(net.at(node, ["nft", "-f", "-"]), watch)));
});
afterAll(() => net?.[Symbol.dispose]());

/** Whether somebody listens there; who refuses has had the SYN too. */
async function dial(from: Node, address: string, port: number): Promise<boolean> {
  const command = ["timeout", "3", "bash", "-c", `exec 3<>/dev/tcp/${address}/${port}`];
  const child = Bun.spawn(net.at(from, command), { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  return (await child.exited) === 0;
}

/** Sizes that have come to a node since the last time. */
async function offered(to: Node): Promise<number[]> {
  const text = await run(net.at(to, ["nft", "-j", "list", "set", "inet", "seen", "sizes"]));
  await run(net.at(to, ["nft", "flush", "set", "inet", "seen", "sizes"]));
  const { nftables } = JSON.parse(text) as { nftables: { set?: { elem?: number[] } }[] };
  return nftables.flatMap(({ set }) => set?.elem ?? []);
}

test("the user's machine offers what fits into the tunnel by itself, when it calls and when it answers", async () => {
  await dial("user", farHost, closedPort);
  expect(await offered("far")).toEqual([tunnelBytes]);
  const listen = `Bun.listen({ hostname: "::", port: ${listenPort}, socket: { data() {} } })`;
  const child = Bun.spawn(net.at("user", [process.execPath, "-e", listen]), { stdin: "ignore" });
  try {
    await until("an answer", () => dial("far", own, listenPort));
    expect(await offered("far")).toEqual([tunnelBytes]);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});

test("hosts at both ends offer more, which the rules lower, also when they are loaded again", async () => {
  const offers = async () => {
    await dial("host", farHost, closedPort);
    await dial("far", hostBehind, closedPort);
    return [await offered("far"), await offered("host")];
  };
  expect(await offers()).toEqual([[wholeBytes], [wholeBytes]]);
  for (const _ of ["once", "again"]) {
    await run(net.at("user", ["nft", "-f", clamp]));
    expect(await offers()).toEqual([[tunnelBytes], [tunnelBytes]]);
  }
});
