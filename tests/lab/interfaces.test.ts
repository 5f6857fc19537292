/** Outgoing interfaces that are not plain Ethernet: TUN, VLAN, loopback; and answers that carry a VLAN tag. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { responderDevice } from "./commands.ts";
import { Internet } from "./internet.ts";
import { ipBatch, run } from "./namespaces.ts";
import { type ProbeOrder, probeFrom, probeGrid } from "./probe-from.ts";
import { someProbeKinds } from "./probe-kinds.ts";
import { hopAddress, targetAddress } from "./responder/scenario.ts";
import { identity, interfaceTo, nodeNamed } from "./routing.ts";
import { taggedHosts, testInternet } from "./topology.ts";

const vlanProbe = [
  "unshare",
  "--net",
  "ip",
  "link",
  "add",
  "link",
  "lo",
  "name",
  "v",
  "type",
  "vlan",
  "id",
  "5",
];
const kernelHasVlan = Bun.spawnSync(vlanProbe, { stderr: "ignore" }).exitCode === 0;

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(testInternet);
});
afterAll(() => net.stop());

/** Who answered at each TTL, in order: `ttl address`. */
async function answerers(node: string, order: ProbeOrder): Promise<string[]> {
  const { replies, failures, startError } = await probeFrom(net, node, order);
  expect({ failures, startError }).toEqual({ failures: [], startError: null });
  return replies.map((reply) => `${reply.ttl} ${reply.from}`).sort();
}

/** What the responder's first target gives when it is one link away: two hops and itself. */
const directRow = (family: "v4" | "v6"): string[] => [
  `1 ${hopAddress(1)[family]}`,
  `2 ${hopAddress(2)[family]}`,
  `3 ${targetAddress(10)[family]}`,
];

describe.each(someProbeKinds)("%s %s", (family, protocol) => {
  const toFirstTarget = (src: string) =>
    probeGrid({ src, dst: targetAddress(10)[family], protocol, flows: 1, ttls: [1, 3] });

  test("a TUN interface, without Ethernet", async () => {
    const probes = toFirstTarget({ v4: "192.0.2.17", v6: "2001:db8:17::1" }[family]);
    const order = { interfaceName: responderDevice, probes, repliesExpected: 3 };
    expect(await answerers("tunnelHost", order)).toEqual(directRow(family));
  });

  test.each(taggedHosts)("answers that carry VLAN tags: $name", async ({ name }) => {
    const probes = toFirstTarget({ v4: "10.199.0.1", v6: "2001:db8:199::1" }[family]);
    const order = { interfaceName: responderDevice, probes, repliesExpected: 3 };
    expect(await answerers(name, order)).toEqual(directRow(family));
  });

  test("loopback, to this host itself", async () => {
    const own = { v4: "127.0.0.1", v6: "::1" }[family];
    const probes = probeGrid({ src: own, dst: own, protocol, flows: 3, ttls: [7, 7], dstPort: 33_434 });
    const order = { interfaceName: "lo", probes, repliesExpected: 3 };
    expect(await answerers("east", order)).toEqual(new Array(3).fill(`7 ${own}`));
  });
});

describe.if(kernelHasVlan)("a VLAN interface", () => {
  const vlanName = "vlan100";
  const addresses = {
    near: { v4: "10.66.0.2", v6: "2001:db8:66::2" },
    far: { v4: "10.66.0.1", v6: "2001:db8:66::1" },
  };

  beforeAll(async () => {
    const ends = [
      ["east", interfaceTo("eastAccess"), addresses.near],
      ["eastAccess", interfaceTo("east"), addresses.far],
    ] as const;
    for (const [node, parent, own] of ends) {
      const lines = [
        `link add link ${parent} name ${vlanName} type vlan id 100`,
        `link set ${vlanName} up`,
        `addr add ${own.v4}/24 dev ${vlanName}`,
        `addr add ${own.v6}/64 dev ${vlanName} nodad`,
      ];
      await ipBatch(lines, "-n", net.namespaceOf(node));
    }
    for (const [dst, family] of [["203.0.113.10", "v4"] as const, ["2001:db8:cb::10", "v6"] as const]) {
      await run(["ip", "-n", net.namespaceOf("east"), "route", "add", dst, "via", addresses.far[family]]);
    }
  });

  test.each(someProbeKinds)("%s %s", async (family, protocol) => {
    const dst = { v4: "203.0.113.10", v6: "2001:db8:cb::10" }[family];
    const src = { v4: "10.101.0.9", v6: "2001:db8:e000::9" }[family];
    const probes = probeGrid({ src, dst, protocol, flows: 1, ttls: [1, 2] });
    const order = { interfaceName: vlanName, probes, repliesExpected: 2 };
    const routers = ["eastAccess", "split"].map((name) => identity(nodeNamed(testInternet, name))[family]);
    expect(await answerers("east", order)).toEqual(routers.map((router, i) => `${i + 1} ${router}`));
  });
});
