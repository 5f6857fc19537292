/**
 * `vantage trace --mtu` through kernel routers: two links that report what they take, and a third that drops what is
 * larger in silence. Without the third, tracepath is the judge.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { ipBatch, run } from "./namespaces.ts";
import { silentAbove } from "./packet-rules.ts";
import { identity, interfaceTo, nodeNamed } from "./routing.ts";
import type { Topology } from "./topology.ts";

const topology: Topology = {
  nodes: [
    { name: "source", role: "vantage", id: 101 },
    ...[1, 2, 3, 4, 5].map((id) => ({ name: `r${id}`, role: "router" as const, id })),
    { name: "host", role: "target", id: 6 },
  ],
  links: [
    { a: "r1", b: "source", prefix: { v4: "192.0.2.0/29", v6: "2001:db8:e::/64" } },
    ...[1, 2, 3, 4].map((id) => ({ a: `r${id}`, b: `r${id + 1}` })),
    { a: "r5", b: "host" },
  ],
};
const reporting = { r2: ["r3", 1480], r4: ["r5", 1400] } as const;
const silentBytes = 1333;
const silence = silentAbove(silentBytes, interfaceTo("host"));
const address = (name: string) => identity(nodeNamed(topology, name));
const target = address("host");

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(topology);
  for (const [node, [peer, bytes]] of Object.entries(reporting)) {
    await ipBatch([`link set ${interfaceTo(peer)} mtu ${bytes}`], "-n", net.namespaceOf(node));
    await ipBatch([`link set ${interfaceTo(node)} mtu ${bytes}`], "-n", net.namespaceOf(peer));
  }
});
afterAll(() => net.stop());

async function traced(...args: string[]) {
  const command = [...vantageCommand, "trace", "--mtu", "--flows", "1", "-q", "1", "-w", "400ms"];
  const { stdout, exitCode } = await runToEnd(net.at("source", [...command, ...args]));
  expect(exitCode).toBe(0);
  return stdout;
}

describe.each(["v4", "v6"] as const)("%s", (family) => {
  test.each(["udp", "icmp"])(
    "%s: each hop takes what the links before it do, as tracepath finds",
    async (protocol) => {
      const { mtu } = JSON.parse(await traced(target[family], "-p", protocol, "-o", "ndjson"));
      const sizes = mtu.hops.map((hop: { mtu_bytes: number }) => hop.mtu_bytes);
      expect(sizes).toEqual([1500, 1500, 1480, 1480, 1400, 1400]);
      const reporters = mtu.hops.flatMap(({ reported_by: by }: { reported_by: string | null }) => by ?? []);
      expect(reporters).toEqual([address("r2")[family], address("r4")[family]]);
      const judge = await runToEnd(net.at("source", ["tracepath", "-n", target[family]]));
      expect(judge.stdout).toContain(`Resume: pmtu ${mtu.path_mtu_bytes}`);
    },
  );

  test("what is dropped in silence is found to the byte, and told as that", async () => {
    await run(net.at("r5", ["nft", "-f", "-"]), silence);
    try {
      const text = await traced(target[family], "-p", "udp");
      expect(text).toContain(`Path MTU: ${silentBytes} bytes up to hop 6`);
      expect(text).toContain(`hop 3: 1480 bytes, reported by ${address("r2")[family]}`);
      expect(text).toContain(`hop 6: ${silentBytes} bytes, larger packets are dropped in silence`);
    } finally {
      await run(net.at("r5", ["nft", "delete", "table", "inet", "silence"]));
    }
  });

  test("loopback, whose MTU is more than a length field can say, takes the longest packet there is", async () => {
    const loopback = family === "v4" ? "127.0.0.1" : "::1";
    expect(await traced(loopback, "-p", "udp")).toContain("Path MTU: 65535 bytes up to hop 1");
  });
});
