/**
 * Probes of a size, marked and labelled, through kernel routers: one remarks what it forwards, and one link takes 1400
 * bytes. tcpdump at the target is the judge of what has left, tracepath of what fits.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runToEnd, saidUpTo } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { ipBatch, run } from "./namespaces.ts";
import { identity, interfaceTo, nodeNamed } from "./routing.ts";
import type { Topology } from "./topology.ts";

/** r2 remarks, r3 has the narrow link ahead of it. */
const topology: Topology = {
  nodes: [
    { name: "source", role: "vantage", id: 101 },
    ...[1, 2, 3].map((id) => ({ name: `r${id}`, role: "router" as const, id })),
    { name: "host", role: "target", id: 4 },
  ],
  links: [
    { a: "r1", b: "source", prefix: { v4: "192.0.2.0/29", v6: "2001:db8:e::/64" } },
    { a: "r1", b: "r2" },
    { a: "r2", b: "r3" },
    { a: "r3", b: "host" },
  ],
};
const narrowBytes = 1400;
const target = identity(nodeNamed(topology, "host"));
const remarking = `
table inet remark {
  chain forward {
    type filter hook forward priority 0;
    ip dscp set cs1
    ip6 dscp set cs1
  }
}
`;

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(topology);
  await run(net.at("r2", ["nft", "-f", "-"]), remarking);
  for (const [node, peer] of [
    ["r3", "host"],
    ["host", "r3"],
  ] as const) {
    await ipBatch([`link set ${interfaceTo(peer)} mtu ${narrowBytes}`], "-n", net.namespaceOf(node));
  }
});
afterAll(() => net.stop());

const cases = (["v4", "v6"] as const).flatMap((family) =>
  (["udp", "icmp"] as const).map((protocol) => [family, protocol] as const),
);

async function trace(family: "v4" | "v6", ...args: string[]) {
  const common = ["trace", "--flows", "1", "-q", "1", "-w", "500ms", "-o", "ndjson"];
  const command = [...vantageCommand, ...common, ...args, target[family]];
  const { stdout, stderr } = await runToEnd(net.at("source", command));
  expect(stderr).toBe("");
  return JSON.parse(stdout) as { reached: boolean; hops: { routers: Router[] }[] };
}

interface Router {
  readonly address: string | null;
  readonly says: string;
  readonly quoted_traffic_classes?: readonly number[];
  readonly next_hop_mtus?: readonly number[];
}

describe.each(cases)("%s %s", (family, protocol) => {
  const options = ["-p", protocol, "--dscp", "EF", "--ecn", "ect0"];

  test("probes of 1000 bytes find the path, and who received another mark", async () => {
    const { reached, hops } = await trace(family, "--size", "1000", ...options);
    expect(reached).toBe(true);
    const seen = hops.map(({ routers }) => routers[0]?.quoted_traffic_classes ?? null);
    // EF and ECT(0) up to r2; r2 has set CS1 and kept ECN.
    const atTarget = protocol === "udp" ? [0x22] : null;
    expect(seen).toEqual([[0xba], [0xba], [0x22], atTarget]);
  });

  test("what is too big for a link is refused ahead of it, with the size that fits", async () => {
    const { reached, hops } = await trace(family, "--size", "1450", "--df", ...options);
    expect(reached).toBe(false);
    expect(hops).toHaveLength(4);
    expect(hops[2]?.routers[0]?.next_hop_mtus).toEqual([]);
    const [refusing] = hops[3]?.routers ?? [];
    expect(refusing?.address).toBe(identity(nodeNamed(topology, "r3"))[family]);
    expect(refusing?.next_hop_mtus).toEqual([narrowBytes]);
  });

  test("tcpdump sees the length, the marks and the label that were asked for", async () => {
    const dump = Bun.spawn(
      net.at("r1", [
        ...["tcpdump", "-i", interfaceTo("source"), "-Q", "in", "-c", "1", "-n", "-v", "-l"],
        ...["dst", "host", target[family]],
      ]),
      { stdout: "pipe", stderr: "pipe" },
    );
    await saidUpTo(dump.stderr, "listening on");
    await trace(family, "--size", "1234", "--df", "--flow-label", "74565", ...options);
    const text = await new Response(dump.stdout).text();
    const expected =
      family === "v4"
        ? ["tos 0xba,ECT(0)", "flags [DF]", "length 1234"]
        : ["class 0xba", "flowlabel 0x12345", "payload length: 1194"];
    for (const part of expected) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("bad");
  });
});
