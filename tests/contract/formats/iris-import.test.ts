/** Lines of Iris: what ours write comes back, what is odd costs itself only, and the store has its answers. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { JsonTraceReader } from "../../../lib/measuring/formats/json-trace-reader.ts";
import { irisTraceroute } from "../../../lib/measuring/formats/lines.ts";
import type { Trace, TraceReply } from "../../../lib/measuring/formats/trace.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { StoreProcess } from "../client/store-with-paths.ts";
import { randomTrace } from "./random-traces.ts";

let store: StoreProcess;
beforeAll(async () => {
  store = await StoreProcess.start();
});
afterAll(() => store[Symbol.asyncDispose]());

/** What a tuple of Iris has: neither sizes of probes nor protocols; RTTs in tenths of a millisecond. */
function comparable(reply: TraceReply): string {
  const { time_received: at, probe_ttl, reply_src_addr, rtt_ms: rtt, reply_ttl, reply_icmp_type } = reply;
  const rttTenthMs = rtt === null ? null : Math.round(10 * rtt);
  const labels = JSON.stringify(reply.reply_mpls_labels);
  return [at.slice(0, 23), probe_ttl, reply_src_addr, rttTenthMs, reply_ttl, reply_icmp_type, labels].join(
    " ",
  );
}

test("each flow of ours comes back, with every answer that is not of TCP", () => {
  const traces = fc
    .sample(randomTrace, { numRuns: 300, seed: 12 })
    .filter(({ replies }) => replies.length > 0);
  for (const trace of traces) {
    const [read, ...others] = new JsonTraceReader().results(JSON.stringify(irisTraceroute(trace)), "line 1");
    expect(others).toEqual([]);
    const { agent, address, protocol, src_port, dst_port } = trace;
    expect(read).toMatchObject({ agent, address, protocol, src_port, dst_port });
    expect(read?.replies.map(comparable).toSorted()).toEqual(trace.replies.map(comparable).toSorted());
    expect(read?.probes.reduce((sum, { sent }) => sum + sent, 0)).toBe(trace.replies.length);
  }
});

const answer = ["2026-11-20T10:00:01.25Z", 2, 1, 11, 0, 250, 56, [[24_001, 0, 1, 1]], "10.0.0.2", 123];
const line = (more: object = {}, replies: readonly unknown[] = [answer]) => ({
  ...{ measurement_uuid: "m", agent_uuid: "paris", probe_protocol: 17 },
  ...{ traceroute_start: "2026-11-20T10:00:00Z", traceroute_end: "2026-11-20T10:00:02Z" },
  ...{ probe_src_addr: "192.0.2.1", probe_dst_addr: "203.0.113.9" },
  flows: [{ probe_src_port: 24_000, probe_dst_port: 33_434, replies }],
  ...more,
});

function read(given: object) {
  const notes: string[] = [];
  const note = ({ reason, detail }: { readonly reason: string; readonly detail?: string | null }) =>
    void notes.push(`${reason}; ${detail}`);
  return { traces: new JsonTraceReader(note).results(JSON.stringify(given), "line 1"), notes };
}

test("an answer says when, from where, with which labels, after how long", () => {
  expect(read(line()).traces[0]?.replies[0]).toMatchObject({
    ...{
      time_received: "2026-11-20T10:00:01.250000000Z",
      probe_ttl: 2,
      reply_src_addr: "10.0.0.2",
      rtt_ms: 12.3,
    },
    ...{
      reply_ttl: 250,
      reply_size: 56,
      reply_protocol: 1,
      reply_icmp_type: 11,
      probe_src_addr: "192.0.2.1",
    },
    reply_mpls_labels: [{ label: 24_001, exp: 0, bottom_of_stack: true, ttl: 1 }],
  });
});

test("several flows are as many traces; IPv6 and IPv4 within it are what they are", () => {
  const flows = [24_000, 24_001].map((port) => ({
    probe_src_port: port,
    probe_dst_port: 1,
    replies: [answer],
  }));
  expect(read(line({ flows })).traces.map(({ src_port }) => src_port)).toEqual([24_000, 24_001]);
  const v6 = { probe_dst_addr: "2001:db8::9", probe_src_addr: "2001:db8::1", probe_protocol: 58 };
  expect(read(line(v6)).traces[0]?.replies[0]?.reply_protocol).toBe(58);
  const mapped = { probe_dst_addr: "::ffff:203.0.113.9", probe_src_addr: "::ffff:192.0.2.1" };
  expect(read(line(mapped)).traces[0]).toMatchObject({ address: "203.0.113.9", source: "192.0.2.1" });
  expect(read(line(mapped)).traces[0]?.replies[0]?.reply_protocol).toBe(1);
});

test.each([
  [{ probe_protocol: 132 }, [], "132 is not ICMP, TCP, UDP or ICMPv6"],
  [{ probe_dst_addr: "nowhere" }, [], "probe_dst_addr: is not an address"],
  [{ flows: 7 }, [], "flows: "],
  [{ traceroute_start: "yesterday" }, [], "traceroute_start: "],
] as const)("%p is passed over with the reason", (more, traces, reason) => {
  const found = read(line(more));
  expect(found.traces).toEqual([...traces]);
  expect(found.notes).toEqual([expect.stringContaining(reason)]);
});

test("an answer that cannot be read costs itself only", () => {
  const bad = [...answer.slice(0, 9), -1];
  const { traces, notes } = read(line({}, [answer, bad, null, answer.slice(0, 4), answer]));
  expect(traces[0]?.replies).toHaveLength(2);
  expect(notes).toHaveLength(3);
});

test("the command imports a file of them, says what it left out, and the store has the answers", async () => {
  const day = new Date().toISOString().slice(0, 10);
  const own = line({ traceroute_start: `${day}T00:00:00Z` }, [[`${day}T00:00:01Z`, ...answer.slice(1)]]);
  const file = join(store.folder, "iris.jsonl");
  writeFileSync(file, `${JSON.stringify(own)}\n${JSON.stringify({ ...own, flows: 1 })}\n`);
  const said = await runToEnd([...vantageCommand, "import", "--store", store.address, file]);
  expect([said.exitCode, said.stderr]).toEqual([3, expect.stringContaining("line 2: flows: ")]);
  const [id = "", what] = said.stdout.split("\n");
  expect(what).toBe("1 trace or ping: 1 probe, 1 answer");
  const shown = await runToEnd([
    ...[...vantageCommand, "replies", "--store", store.address, "-v", "traces", "-o", "ndjson", id],
  ]);
  const trace = JSON.parse(shown.stdout) as Trace;
  expect(trace).toMatchObject({ agent: "paris", address: "203.0.113.9", protocol: "UDP", src_port: 24_000 });
  expect(trace.replies).toMatchObject([{ probe_ttl: 2, reply_src_addr: "10.0.0.2", rtt_ms: 12.3 }]);
});
