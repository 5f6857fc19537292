/** An agent with its defaults, beside a host that uses the network itself: nothing of that becomes a reply. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Probe } from "../../lib/net/packet/probe.ts";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { longTest } from "../run/long-test.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { AgentRig, type Heard, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

const trafficScript = join(import.meta.dirname, "host-traffic.ts");
const targets = ["203.0.113.10", "2001:db8:cb::10"];
/** To each port of each family. */
const connections = 1000;

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

/** Each is answered once: on the way by the first routers, in TCP by the open port, else by the target. */
const ownProbes: readonly Probe[] = targets.flatMap((dst) => [
  ...probesTo(dst, { ports: ports(24_000, 400), ttls: [30], protocol: "tcp" }).map(toOpenPort),
  ...probesTo(dst, { ports: ports(24_500, 400), ttls: [30], protocol: "tcp" }),
  ...probesTo(dst, { ports: ports(25_000, 40), ttls: [1, 2, 3], protocol: "tcp" }),
  ...probesTo(dst, { ports: ports(24_000, 40), ttls: [1, 2, 3, 30] }),
  ...probesTo(dst, {
    ports: ports(24_000, 40),
    ttls: [1, 2, 3, 30],
    protocol: dst.includes(":") ? "icmpv6" : "icmp",
  }),
]);

function toOpenPort(probe: Probe): Probe {
  return { ...probe, dstPort: 80 };
}

function ports(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

const vantage = (...args: string[]) => run(net.at("east", [...vantageCommand, ...args]));

/** The host's own connections and questions, and two other programs that probe. */
async function useTheNetwork(): Promise<void> {
  await Promise.all([
    run(net.at("east", [process.execPath, trafficScript, String(connections)])),
    ...targets.map((target) => vantage("trace", "-q", "3", target)),
    ...targets.map((target) => vantage("ping", "-c", "50", "--interval-ms", "20", target)),
  ]);
}

const isProven = ({ reply, headers }: Heard) =>
  headers.measurement_id === "own" && reply.rttTenthMs !== 65_535 && reply.probeSrcPort < 26_000;

/** By default the addresses of the interface, which are the host's, are the sources. */
async function hearBeside(prober: object) {
  await using rig = await AgentRig.open(net);
  const agent = await rig.start("east", "east", {
    prober: [{ interface: interfaceTo("eastAccess"), probing_rate: 300, ...prober }],
  });
  await rig.broker.publish(probesTopic, [probeRecord("east", { measurementId: "own" }, ownProbes)]);
  await useTheNetwork();
  const heard = await rig.replies(Number.MAX_SAFE_INTEGER, 2000);
  const names = ["mismatch", "tcp_unproven", "matched", "stale"];
  const counts = await Promise.all(names.map((name) => rig.metric("east", `reply_${name}_total`)));
  expect(await agent.stop()).toBe(0);
  const [mismatch = 0, unproven = 0, matched = 0, stale = 0] = counts;
  return { heard, mismatch, unproven, matched, stale };
}

describe("beside thousands of connections, failing questions, and other programs that probe", () => {
  test("by default every reply is one to a probe of the agent, none is missing, and all else is counted", async () => {
    const { heard, mismatch, unproven, matched, stale } = await hearBeside({});
    expect(heard.filter((one) => !isProven(one))).toEqual([]);
    expect([heard.length, matched, stale]).toEqual([ownProbes.length, ownProbes.length, 0]);
    // One of 256 acknowledgements does not even have the form of an answer to the agent.
    expect(unproven).toBeGreaterThan(connections * 4 * 0.98);
    expect(mismatch).toBeGreaterThan(connections);
  });

  longTest(
    "with `integrity_check: false` ICMP of others is kept, without a time, and TCP never",
    async () => {
      const { heard, unproven, matched } = await hearBeside({ integrity_check: false });
      expect(heard.filter(isProven)).toHaveLength(ownProbes.length);
      expect(matched).toBe(ownProbes.length);
      const foreign = heard.filter((one) => !isProven(one)).map(({ reply }) => reply);
      expect(foreign.length).toBeGreaterThan(connections);
      expect(foreign.filter(({ rttTenthMs }) => rttTenthMs !== 65_535)).toEqual([]);
      expect(foreign.filter(({ replyProtocol }) => replyProtocol === 6)).toEqual([]);
      expect(unproven).toBeGreaterThan(connections * 4 * 0.98);
    },
  );
});

test("`trace -p tcp` leaves the host's own connections out of its counts", async () => {
  // A closed port: an open one may answer a SYN twice, which is a repetition of the trace's own.
  const [stdout] = await Promise.all([
    vantage("trace", "-p", "tcp", "--dst-port", "81", "-q", "20", "-o", "ndjson", ...targets),
    run(net.at("east", [process.execPath, trafficScript, "500"])),
  ]);
  const traces = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(traces.map(({ reached, left_out: leftOut }) => ({ reached, leftOut }))).toEqual(
    targets.map(() => ({ reached: true, leftOut: { forged: 0, late: 0, stale: 0 } })),
  );
});
