/** What goes wrong on the way out: each a clear error within its time, and never a hang. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Internet } from "./internet.ts";
import { ipBatch, run } from "./namespaces.ts";
import { type ProbeOrder, probeFrom, probeGrid } from "./probe-from.ts";
import { testInternet } from "./topology.ts";

const lonely = "lonelyHost";
const near = "lone";
const families = ["v4", "v6"] as const;
const own = { v4: "10.77.0.1", v6: "2001:db8:77::1" } as const;

let net: Internet;
/** A host whose only link leads nowhere: the far end of the pair answers to nobody. */
beforeAll(async () => {
  net = await Internet.start(testInternet);
  const lines = [
    `link add ${near} type veth peer name far`,
    `link set far up arp off`,
    `link set ${near} up`,
    `addr add ${own.v4}/24 dev ${near}`,
    `addr add ${own.v6}/64 dev ${near} nodad`,
    "route add 10.78.0.0/24 via 10.77.0.254",
    "route add 2001:db8:78::/64 via 2001:db8:77::fe",
    "link add closed type veth peer name closed-far",
  ];
  await ipBatch(lines, "-n", net.namespaceOf(lonely));
  await run(net.at(lonely, ["sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/far/disable_ipv6"]));
});
afterAll(() => net.stop());

const probesTo = (family: "v4" | "v6", dst: string) =>
  probeGrid({ src: own[family], dst, protocol: "udp", flows: 20, ttls: [1, 5] });

const order = (family: "v4" | "v6", dst: string): ProbeOrder => ({
  interfaceName: near,
  probes: probesTo(family, dst),
  waitMs: 0,
});

describe.each(families)("%s", (family) => {
  test("no route: every probe is counted, the reason names destination and interface", async () => {
    const dst = { v4: "198.51.100.10", v6: "2001:db8:51::10" }[family];
    const { counters, failures } = await probeFrom(net, lonely, order(family, dst));
    expect(counters.sender_failed_route).toBe(100);
    expect(counters.sender_sent).toBe(0);
    expect(failures[0]).toContain(`no route to ${dst}`);
    expect(failures[0]).toContain(near);
  });

  test("a neighbour that never answers", async () => {
    const dst = { v4: "10.77.0.9", v6: "2001:db8:77::9" }[family];
    const { counters, failures } = await probeFrom(net, lonely, order(family, dst));
    expect(counters.sender_failed_neighbour).toBe(100);
    expect(failures[0]).toContain(`${dst} on ${near} does not answer`);
  });

  test("a gateway that never answers", async () => {
    const [dst, gateway] = {
      v4: ["10.78.0.9", "10.77.0.254"],
      v6: ["2001:db8:78::9", "2001:db8:77::fe"],
    }[family] as [string, string];
    const { counters, failures } = await probeFrom(net, lonely, order(family, dst));
    expect(counters.sender_failed_neighbour).toBe(100);
    expect(failures[0]).toContain(`${gateway} on ${near} does not answer`);
  });

  test("a silent neighbour does not keep the others waiting", async () => {
    const beyond = { v4: "203.0.113.10", v6: "2001:db8:cb::10" }[family];
    const src = { v4: "192.0.2.2", v6: "2001:db8:e::2" }[family];
    const onLink = { v4: "192.0.2.5", v6: "2001:db8:e::5" }[family];
    const probes = [onLink, beyond].flatMap((dst) =>
      probeGrid({ src, dst, protocol: "udp", flows: 10, ttls: [1, 1] }),
    );
    const reply = await probeFrom(net, "east", {
      interfaceName: "to-eastAccess",
      probes,
      repliesExpected: 10,
    });
    expect(reply.repliesTotal).toBe(10);
    expect(reply.counters.sender_failed_neighbour).toBe(10);
  });
});

describe("the engine does not start", () => {
  const start = (change: Partial<ProbeOrder>) =>
    probeFrom(net, lonely, { ...order("v4", "10.77.0.9"), ...change });

  test("on an interface that is not there, and names it", async () => {
    const { startError } = await start({ interfaceName: "nowhere0" });
    expect(startError).toContain("nowhere0");
  });

  test("on a name that no interface can have", async () => {
    const { startError } = await start({ interfaceName: "a-name-of-over-fifteen-letters" });
    expect(startError).toContain("a-name-of-over-fifteen-letters");
  });

  test("on an interface that is down, and says so", async () => {
    const { startError } = await start({ interfaceName: "closed" });
    expect(startError).toContain("closed");
    expect(startError).toContain("down");
  });

  test.each([
    ["root without it", ["setpriv", "--bounding-set=-net_raw", "--inh-caps=-net_raw"]],
    ["another user", ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]],
  ])("without CAP_NET_RAW (%s), and says what to do", async (_, wrapper) => {
    const { startError } = await start({ wrapper });
    expect(startError).toContain("CAP_NET_RAW");
    expect(startError).not.toContain("\n");
  });
});
