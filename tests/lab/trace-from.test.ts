/** Traces and pings by an agent of a gateway, beside local ones on the same path: what is on the wire, and when. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runToEnd } from "../run/said.ts";
import { isLongRun } from "../run/tier.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { logIn } from "./login.ts";
import { ipBatch, run } from "./namespaces.ts";
import { silentAbove, statelessNat } from "./packet-rules.ts";
import { Pipeline } from "./pipeline.ts";
import { expectedSteps, identity, interfaceTo, nodeNamed } from "./routing.ts";
import { internet } from "./topology.ts";
import { WireWatch } from "./wire-watch.ts";

const agent = "east:10.101.0.9";
/** The ports of a local trace: routers put the same flows onto the same branches. */
const equalFlows = ["--src-port", "24000"];
/** How many probes of the agent may be on the wire for each of the host itself. */
const excessMax = 1.2;

/** Addresses that only east receives at: over IPv6, in the user's own prefix. */
const sources = { v4: "10.101.0.9", v6: "" };
const agentOf = (family: "v4" | "v6") => `east:${family === "v4" ? sources.v4 : `[${sources.v6}]`}`;

let net: Internet;
let pipeline: Pipeline;

beforeAll(async () => {
  net = await Internet.start(internet);
  pipeline = await Pipeline.start(net, { hasGateway: true });
  await logIn(pipeline, "anna", () => undefined);
  const { prefixes }: { prefixes: { agent: string; user_prefix: string }[] } = JSON.parse(
    await user("whoami", "-o", "json"),
  );
  const unicast = prefixes.find(
    (one) => one.agent === "east" && one.user_prefix.startsWith("2001:db8:e000:"),
  );
  sources.v6 = unicast?.user_prefix.replace(/::.*$/, "::9") ?? "";
});
afterAll(async () => {
  await pipeline?.[Symbol.asyncDispose]();
  await net?.stop();
});

interface Trace {
  readonly reached: boolean;
  readonly probes: { readonly sent: number };
  readonly hops: readonly {
    readonly routers: readonly { readonly address: string | null; readonly answered: number }[];
  }[];
}

/** A user's command where the stack is; its standard output. */
async function user(...args: string[]): Promise<string> {
  const child = Bun.spawn(pipeline.command([...vantageCommand, ...args]), {
    ...{ env: pipeline.environment, stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  });
  return await new Response(child.stdout).text();
}

/** Where east's probes enter the network. */
async function onWire<Result>(work: () => Promise<Result>) {
  const place = { net, folder: pipeline.folder, node: "eastAccess", neighbour: "east" };
  await using wire = await WireWatch.start(place);
  const result = await work();
  // What is on the wire is in the file a second later.
  await Bun.sleep(1500);
  return { result, sentAtMs: await wire.timesMs() };
}

const routersOf = ({ hops }: Trace) =>
  hops.map(({ routers }) => routers.map(({ address }) => address).sort());

async function traced(work: () => Promise<string>) {
  const { result, sentAtMs } = await onWire(work);
  const trace: Trace = JSON.parse(result);
  const seconds = (((sentAtMs.at(-1) ?? 0) - (sentAtMs[0] ?? 0)) / 1000).toFixed(1);
  expect(trace).toMatchObject({ reached: true, probes: { sent: sentAtMs.length } });
  return { path: routersOf(trace), probes: sentAtMs.length, seconds };
}

const usedToday = async (): Promise<number> => JSON.parse(await user("whoami", "-o", "json")).used;

describe("a trace by an agent", () => {
  test.each([
    ...(isLongRun ? [["three hops", identity(nodeNamed(internet, "up1")).v4, 3] as const] : []),
    ["eight hops, one of them silent, over two branches", "203.0.113.10", 8] as const,
  ])(
    "%s: it finds what a local one finds, with as few probes, and is charged for no more",
    async (_, target, hops) => {
      const local = await traced(() =>
        run(net.at("east", [...vantageCommand, "trace", "-o", "ndjson", target])),
      );
      const before = await usedToday();
      const remote = await traced(() =>
        user("trace", "--from", agent, ...equalFlows, "-o", "ndjson", target),
      );
      expect(remote.path).toEqual(local.path);
      expect(remote.path).toHaveLength(hops);
      console.log(
        `${target}: ${remote.probes} probes by the agent in ${remote.seconds} s, ${local.probes} by the host itself`,
      );
      expect(remote.probes).toBeLessThanOrEqual(excessMax * local.probes);
      expect((await usedToday()) - before).toBe(remote.probes);
      const [newest] = JSON.parse(await user("measurements", "-n", "1", "-o", "json"));
      expect(newest).toMatchObject({ status: "complete", finished_early: false });
    },
  );
});

test("probes of an agent have the size and the marks that were asked for, and replies have what was quoted", async () => {
  const given = ["--flows", "1", "-q", "1", "--size", "1200", "--df", "--dscp", "EF"];
  const { reached, hops } = JSON.parse(
    await user("trace", "--from", agent, ...given, "-o", "ndjson", "203.0.113.10"),
  );
  expect(reached).toBe(true);
  const seen = hops.flatMap(({ routers: [router] }: MarkedTrace["hops"][number]) =>
    router?.address == null ? [] : [router.quoted_traffic_classes],
  );
  expect(new Set(seen.map(String))).toEqual(new Set(["184"]));
  const [{ measurement_id: id }] = JSON.parse(await user("measurements", "-n", "1", "-o", "json"));
  const replies: StoredReply[] = JSON.parse(await user("replies", id, "-o", "json"));
  expect(replies.length).toBe(hops.length - 1);
  for (const reply of replies) {
    expect(reply).toMatchObject({ probe_size: 1200, reply_quoted_traffic_class: 184, reply_next_hop_mtu: 0 });
  }
});

interface MarkedTrace {
  readonly hops: readonly {
    readonly routers: readonly {
      readonly address: string | null;
      readonly quoted_traffic_classes?: readonly number[];
    }[];
  }[];
}

interface StoredReply {
  readonly probe_size: number;
}

test("two equal traces at once, whose answers another site may receive, are both whole", async () => {
  const [flows, target] = [4, "203.0.113.10"];
  const words = [
    "trace",
    "--from",
    "east:10.110.0.9",
    "--flows",
    String(flows),
    "-q",
    "1",
    "-o",
    "ndjson",
    target,
  ];
  const traces = await Promise.all(
    [1, 2].map(async () => {
      const { stdout, stderr, exitCode } = await runToEnd(pipeline.command([...vantageCommand, ...words]), {
        env: pipeline.environment,
      });
      const trace: Trace = JSON.parse(stdout);
      const answered = trace.hops.map(({ routers }) =>
        routers.reduce((sum, router) => sum + router.answered, 0),
      );
      return { stderr, exitCode, reached: trace.reached, answered };
    }),
  );
  const due = expectedSteps(internet, "east", "target").map((names) =>
    names.some((name) => nodeNamed(internet, name).silent === true) ? 0 : flows,
  );
  const whole = { stderr: "", exitCode: 0, reached: true, answered: due };
  expect(traces).toEqual([whole, whole]);
});

test("a ping by an agent keeps its interval", async () => {
  const args = ["ping", "--from", agent, "-p", "udp", "-c", "4", "-o", "json", "203.0.113.10"];
  const { result, sentAtMs } = await onWire(() => user(...args));
  expect(JSON.parse(result)).toHaveLength(4);
  const gapsMs = sentAtMs.slice(1).map((atMs, i) => atMs - (sentAtMs[i] ?? 0));
  expect(gapsMs).toHaveLength(3);
  expect(Math.min(...gapsMs)).toBeGreaterThan(800);
});

describe("behind a NAT", () => {
  const outside = identity(nodeNamed(internet, "eastAccess"));
  beforeAll(() =>
    run(
      net.at("eastAccess", ["nft", "-f", "-"]),
      statelessNat({ out: interfaceTo("split"), own: sources, outside }),
    ),
  );
  afterAll(() => run(net.at("eastAccess", ["nft", "delete", "table", "inet", "nat"])));

  test.each(["v4", "v6"] as const)(
    "%s: an agent's replies are its own, and what is stored says from which hop on, and by which address",
    async (family) => {
      const target = identity(nodeNamed(internet, "target"))[family];
      await user("trace", "--from", agentOf(family), "--flows", "1", "-q", "1", target);
      const [{ measurement_id: id }] = JSON.parse(await user("measurements", "-n", "1", "-o", "json"));
      const [path]: [NatPath] = JSON.parse(await user("replies", "-v", "paths", id, "-o", "json"));
      expect({ reached: path.reached, natTtl: path.nat_ttl }).toEqual({ reached: true, natTtl: 2 });
      const seen = path.hops.flatMap(({ ttl, routers: [router] }) =>
        router?.address == null ? [] : [[ttl, router.rewritten, router.quoted_sources]],
      );
      const changed = [["source", "checksum"], [outside[family]]];
      expect(seen).toEqual([[1, [], []], ...[2, 3, 4, 5, 7, 8].map((ttl) => [ttl, ...changed])]);
      const replies: { reply_rewritten: number }[] = JSON.parse(await user("replies", id, "-o", "json"));
      const rewritten = replies.filter((reply) => reply.reply_rewritten === 9);
      expect(rewritten).toHaveLength(6);
      for (const reply of rewritten) {
        expect(reply).toMatchObject({
          ...{ reply_quoted_src_addr: outside[family], probe_agent: "east" },
          ...{
            probe_src_addr: sources[family],
            rtt_ms: expect.any(Number),
          },
        });
      }
    },
  );
});

type NatRouter = {
  readonly address: string | null;
  readonly rewritten?: string[];
  readonly quoted_sources?: string[];
};
interface NatPath {
  readonly reached: boolean;
  readonly nat_ttl: number | null;
  readonly hops: readonly { readonly ttl: number; readonly routers: readonly NatRouter[] }[];
}

/** Links that report what they take, by the router ahead of them; and what the target's link drops in silence. */
const narrow = [
  ["split", "up1", 1480],
  ["split", "low1", 1480],
  ["join", "quiet", 1400],
] as const;
const silentBytes = 1333;

describe("path MTU", () => {
  beforeAll(async () => {
    for (const [a, b, bytes] of narrow) {
      await ipBatch([`link set ${interfaceTo(b)} mtu ${bytes}`], "-n", net.namespaceOf(a));
      await ipBatch([`link set ${interfaceTo(a)} mtu ${bytes}`], "-n", net.namespaceOf(b));
    }
  });

  const nodeOf = (name: string) => identity(nodeNamed(internet, name));
  const traced = async (from: string, family: "v4" | "v6", protocol: string, ...more: readonly string[]) => {
    const args = ["trace", "--from", from, "--mtu", "-p", protocol, "--flows", "1", "-q", "1", ...more];
    const { mtu } = JSON.parse(await user(...args, "-o", "ndjson", nodeOf("target")[family]));
    const [{ measurement_id: id }] = JSON.parse(await user("measurements", "-n", "1", "-o", "json"));
    const rows: StoredMtu[] = JSON.parse(await user("replies", "-v", "mtu", id, "-o", "json"));
    return { mtu, rows };
  };
  const hopsOf = (rows: readonly StoredMtu[]) =>
    rows.map(({ ttl, mtu_bytes, limit, reported_by }) => ({ ttl, mtu_bytes, limit, reported_by }));

  test.each([
    ["v4", "udp"],
    ["v6", "icmp"],
  ] as const)(
    "%s %s: an agent finds who reports which size, and the stored view says the same; tracepath agrees",
    async (family, protocol) => {
      const { mtu, rows } = await traced(agentOf(family), family, protocol);
      const [split, join] = [nodeOf("split")[family], nodeOf("join")[family]];
      const none = { limit: null, reported_by: null };
      const expected = [
        ...[1, 2].map((ttl) => ({ ttl, mtu_bytes: 1500, ...none })),
        { ttl: 3, mtu_bytes: 1480, limit: "reported", reported_by: split },
        ...[4, 5].map((ttl) => ({ ttl, mtu_bytes: 1480, ...none })),
        { ttl: 7, mtu_bytes: 1400, limit: "reported", reported_by: join },
        { ttl: 8, mtu_bytes: 1400, ...none },
      ];
      expect(mtu).toEqual({ path_mtu_bytes: 1400, hops: expected });
      expect(hopsOf(rows)).toEqual(expected);
      const judge = await runToEnd(net.at("east", ["tracepath", "-n", nodeOf("target")[family]]));
      expect(judge.stdout).toContain("Resume: pmtu 1400");
    },
  );

  test("what is dropped in silence is found to the byte, and told from loss", async () => {
    await run(net.at("edge", ["nft", "-f", "-"]), silentAbove(silentBytes, interfaceTo("target")));
    try {
      const { mtu, rows } = await traced(agent, "v4", "udp", "-w", "1s");
      expect(mtu.path_mtu_bytes).toBe(silentBytes);
      expect(mtu.hops.at(-1)).toMatchObject({ ttl: 8, limit: "silent" });
      expect(hopsOf(rows)).toEqual(mtu.hops);
    } finally {
      await run(net.at("edge", ["nft", "delete", "table", "inet", "silence"]));
    }
  });
});

type StoredMtu = Readonly<Record<"ttl" | "mtu_bytes" | "limit" | "reported_by", number | string | null>>;
