/** What other programs' formats say of traces comes back from our readers, and from the store; nothing else gets in. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { multipathWriters, pingWriters, traceWriters } from "../../../lib/measuring/formats/forms.ts";
import { ImportError } from "../../../lib/measuring/formats/import-error.ts";
import { JsonTraceReader } from "../../../lib/measuring/formats/json-trace-reader.ts";
import type { Trace, TraceReply } from "../../../lib/measuring/formats/trace.ts";
import { WartsReader } from "../../../lib/measuring/formats/warts-reader.ts";
import { wartsGraph } from "../../../lib/measuring/formats/warts-tracelb.ts";
import { runToEnd } from "../../run/said.ts";
import { inTier } from "../../run/tier.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { StoreProcess } from "../client/store-with-paths.ts";
import { randomMultipath, randomPing } from "./random-pings.ts";
import { randomTrace } from "./random-traces.ts";

const traces = fc.sample(randomTrace, { numRuns: inTier({ usual: 1000, long: 3000 }), seed: 11 });

function wartsOf(rows: readonly Trace[]): Buffer {
  const writer = traceWriters.warts();
  return Buffer.concat([...rows.map((row) => writer.row(row)), writer.end()]);
}

test("warts read back: each answer as it was, in pieces of any size", () => {
  const [bytes, reader] = [wartsOf(traces), new WartsReader()];
  const read = Array.from({ length: Math.ceil(bytes.length / 1009) }, (_, i) => [
    ...reader.add(bytes.subarray(1009 * i, 1009 * (i + 1))),
  ]).flat();
  expect([...reader.end()]).toEqual([]);
  expect(read).toHaveLength(traces.length);
  for (const [i, { agent, address, protocol, src_port, dst_port, replies }] of traces.entries()) {
    expect(read[i]).toMatchObject({ agent, address, protocol, src_port, dst_port });
    expect(read[i]?.probes).toEqual(traces[i]?.probes ?? []);
    const byTime = (one: Trace["replies"]) => one.map(comparable).sort();
    expect(byTime(read[i]?.replies ?? [])).toEqual(byTime(replies));
  }
});

/** To the microsecond. Without an RTT nobody knows the time; an echo reply and TCP quote nothing. */
function comparable(reply: Trace["replies"][number]): string {
  const { time_received: time, reply_quoted_ttl: quoted, ...others } = reply;
  const isQuote = reply.reply_protocol !== 6 && reply.reply_icmp_type !== 0 && reply.reply_icmp_type !== 129;
  const sure = { time: reply.rtt_ms === null ? null : time.slice(0, 26), quoted: isQuote ? quoted : null };
  return JSON.stringify(Object.entries({ ...others, ...sure }).sort(([a], [b]) => (a < b ? -1 : 1)));
}

test("warts read back: TTLs that were not probed, and probes without an answer behind those with one", () => {
  const trace = traces.find(({ probes, replies }) => probes.length > 6 && replies.length > 6);
  const probes = (trace?.probes ?? []).filter((_, i) => i % 3 !== 1);
  const more = probes.map(({ ttl, sent }, i) => ({ ttl, sent: sent + (i % 2) * 90 }));
  const replies = (trace?.replies ?? []).filter(({ probe_ttl }) =>
    probes.some(({ ttl }) => ttl === probe_ttl),
  );
  const [read] = new WartsReader().add(wartsOf([{ ...(trace ?? noTrace()), probes: more, replies }]));
  expect(read?.probes).toEqual(more);
});

function noTrace(): never {
  throw new Error("There is such a trace");
}

test("Atlas read back: addresses, RTTs, TTLs and labels", () => {
  const [writer, reader] = [traceWriters.atlas(), new JsonTraceReader()];
  for (const trace of traces) {
    const read = reader.line(Buffer.from(writer.row(trace)).toString());
    const short = ({ replies }: Pick<Trace, "replies">) =>
      replies.map((one) => [
        one.probe_ttl,
        one.reply_src_addr,
        one.rtt_ms,
        one.reply_ttl,
        one.reply_mpls_labels,
      ]);
    expect(read).toMatchObject({ address: trace.address, protocol: trace.protocol, probes: trace.probes });
    expect(short(read ?? { replies: [] })).toEqual(short(trace));
  }
});

test("multipaths of warts read back: a trace for each flow, with the answers of its links", () => {
  const multipaths = fc.sample(randomMultipath, { numRuns: 500, seed: 13 });
  const [writer, reader] = [multipathWriters.warts(), new WartsReader()];
  for (const multipath of multipaths) {
    const read = [...reader.add(writer.row(multipath))];
    const probes = wartsGraph(multipath).links.flatMap(({ sets }) => sets.flat());
    const flows = Map.groupBy(probes, ({ srcPort }) => srcPort);
    expect(read.map(({ src_port: port }) => port).sort()).toEqual([...flows.keys()].sort());
    for (const flow of read) {
      const { agent, address, protocol } = multipath;
      const own = flows.get(flow.src_port) ?? [];
      expect(flow).toMatchObject({ agent, address, protocol, dst_port: multipath.dst_port });
      const sent = (ttl: number) => own.filter((probe) => probe.ttl === ttl).length;
      expect(flow.probes).toEqual(
        [...new Set(own.map(({ ttl }) => ttl))]
          .sort((a, b) => a - b)
          .map((ttl) => ({ ttl, sent: sent(ttl) })),
      );
      const short = (replies: readonly TraceReply[]) => replies.map(ofMultipath).sort();
      expect(short(flow.replies)).toEqual(short(own.flatMap(({ reply }) => reply ?? [])));
    }
  }
  expect(reader.passed).toBe(0);
});

/** A multipath has neither sizes of answers nor sources of each; without an RTT it says 0. */
function ofMultipath(reply: TraceReply): string {
  const { time_received: time, rtt_ms: rtt, reply_protocol: protocol, reply_icmp_type: type } = reply;
  const isQuote = protocol !== 6 && type !== 0 && type !== 129;
  const quoted = isQuote ? reply.reply_quoted_ttl : null;
  return JSON.stringify([
    ...[
      time.slice(0, 26),
      reply.probe_ttl,
      reply.reply_src_addr,
      rtt ?? 0,
      reply.reply_ttl,
      quoted,
      reply.reply_id,
    ],
    ...[protocol, type, reply.reply_icmp_code, reply.reply_mpls_labels],
  ]);
}

test("no format has what a flow sent beyond its destination", () => {
  for (const trace of traces.slice(0, 500)) {
    const [last] = trace.replies.slice(-1);
    if (last === undefined || last.reply_src_addr !== trace.address) {
      continue;
    }
    const beyond = [1, 2, 3].map((more) => ({ ttl: last.probe_ttl + more, sent: 2 }));
    const answers = beyond.map(({ ttl }) => ({ ...last, probe_ttl: ttl }));
    const longer = {
      ...trace,
      ...{ probes: [...trace.probes, ...beyond], replies: [...trace.replies, ...answers] },
    };
    for (const writer of Object.values(traceWriters)) {
      expect(Buffer.from(writer().row(longer)).toHex()).toBe(Buffer.from(writer().row(trace)).toHex());
    }
  }
});

test("a round that the destination did not answer ends where the flow does", () => {
  const [trace] = traces.filter(({ probes, replies }) => probes.length > 4 && replies.length > 6);
  const { probes, replies, ...place } = trace ?? noTrace();
  const round = { ...place, round: 1, probes, replies: replies.filter(({ probe_ttl: ttl }) => ttl <= 2) };
  const whole = new JsonTraceReader().line(Buffer.from(traceWriters.atlas().row(round)).toString());
  expect(whole?.probes).toEqual([...probes]);
  for (const [form, writer] of Object.entries(traceWriters)) {
    const cut = { ...round, probes: probes.filter(({ ttl }) => ttl <= 3) };
    const [ended, expected] = [{ ...round, end_ttl: 3 }, cut].map((one) => Buffer.from(writer().row(one)));
    expect([form, ended?.toHex()]).toEqual([form, expected?.toHex()]);
  }
});

test("copies of answers are those of one attempt, and loss is what it was without them", () => {
  for (const trace of traces.slice(0, 500)) {
    const known = trace.replies.filter(({ rtt_ms: rtt }) => rtt !== null);
    const copied = {
      ...trace,
      replies: trace.replies.flatMap((one) => (one.rtt_ms === null ? [one] : [one, one])),
    };
    const atlas = new JsonTraceReader().line(Buffer.from(traceWriters.atlas().row(copied)).toString());
    expect(atlas?.probes).toEqual([...trace.probes]);
    expect(atlas?.replies).toHaveLength(trace.replies.length + known.length);
    const [warts] = new WartsReader().add(traceWriters.warts().row(copied));
    const [single] = new WartsReader().add(traceWriters.warts().row(trace));
    expect(warts?.probes).toEqual(single?.probes ?? []);
  }
});

/** A change of some bytes, anywhere. */
const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 });

test("damaged files are read or refused with the place, and never hang", () => {
  const pings = fc.sample(randomPing, { numRuns: 20, seed: 12 }).map((ping) => pingWriters.warts().row(ping));
  const graphs = fc.sample(randomMultipath, { numRuns: 5, seed: 14 });
  const multipaths = graphs.map((multipath) => multipathWriters.warts().row(multipath));
  const valid = Buffer.concat([wartsOf(traces.slice(0, 20)), ...pings, ...multipaths]);
  const lines = traces.slice(0, 20).map((trace) => Buffer.from(traceWriters.atlas().row(trace)));
  fc.assert(
    fc.property(changes, fc.nat({ max: 19 }), (changed, which) => {
      const [warts, line] = [Buffer.from(valid), Buffer.from(lines[which] ?? "")];
      for (const [at, value] of changed) {
        warts[at % warts.length] = value;
        line[at % line.length] = value;
      }
      orRefused(() => {
        const reader = new WartsReader();
        expect([...reader.add(warts)].length).toBeLessThanOrEqual(60);
        reader.end();
      });
      orRefused(() => new JsonTraceReader().line(line.toString()));
    }),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(6, 7, 8), (bytes, type) => {
      const object = Buffer.concat([Buffer.from([0x12, 5, 0, type, 0, 0, 0, bytes.length & 255]), bytes]);
      orRefused(() => [...new WartsReader().add(object)]);
    }),
    { numRuns: 1000 },
  );
});

function orRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ImportError);
    expect(String(error)).toMatch(/(byte|line) \d+: ./);
  }
}

let store: StoreProcess;
beforeAll(async () => {
  store = await StoreProcess.start();
});
afterAll(() => store[Symbol.asyncDispose]());

async function imported(...files: string[]) {
  const command = [...vantageCommand, "import"];
  const { stdout, stderr, exitCode } = await runToEnd([...command, "--store", store.address, ...files]);
  return { lines: stdout.split("\n"), stderr, exitCode };
}

test("what is imported is a measurement of its own that our views show; a cut file gives what was whole", async () => {
  const dayMs = Date.now() - 3_600_000;
  const [trace] = traces.filter(({ replies, protocol }) => protocol === "UDP" && replies.length > 5);
  if (trace === undefined) {
    throw new Error("There is such a trace");
  }
  const recent = trace.replies.map((reply, i) => {
    const time = new Date(dayMs + i).toISOString().slice(0, 23);
    return { ...reply, rtt_ms: i + 0.1, time_received: `${time}000000Z` };
  });
  const file = join(store.folder, "own.warts");
  await Bun.write(file, wartsOf([{ ...trace, agent: "west/1", replies: recent }]));
  const { lines, stderr, exitCode } = await imported(file);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const [id = ""] = lines;
  const shown = await store.run("-v", "traces", "-o", "ndjson", id);
  const [row] = shown.lines.map((line) => JSON.parse(line) as Trace);
  expect(row).toMatchObject({
    measurement_id: id,
    agent: "west-1",
    address: trace.address,
    protocol: "UDP",
  });
  const short = (replies: Trace["replies"]) =>
    replies
      .map((one) => JSON.stringify([one.probe_ttl, one.reply_src_addr, one.rtt_ms, one.reply_mpls_labels]))
      .sort();
  expect(short(row?.replies ?? [])).toEqual(short(recent));

  const packed = join(store.folder, "own.warts.gz");
  const bytes = await Bun.file(file).bytes();
  // Two members, as of files that were put together.
  const halves = [bytes.subarray(0, 100), bytes.subarray(100)].map((half) => Bun.gzipSync(half.slice()));
  await Bun.write(packed, Buffer.concat(halves));
  expect((await imported(packed)).lines[1]).toBe(lines[1] ?? "");
  await Bun.write(packed, Buffer.concat(halves).subarray(0, -20));
  expect(await imported(packed)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/own\.warts\.gz, byte \d+: the packed file: ./),
  });

  const broken = join(store.folder, "broken.warts");
  await Bun.write(broken, bytes.subarray(0, -30));
  const cut = await imported(file, broken);
  expect([cut.lines[1], cut.exitCode]).toEqual([lines[1], 3]);
  expect(cut.stderr).toMatch(/broken\.warts, byte \d+: the file ends within this object/);
  const early = join(store.folder, "old.json");
  await Bun.write(early, Buffer.from(traceWriters.atlas().row({ ...trace, replies: [] })));
  expect((await imported(early)).stderr).toContain(
    "result 1: it is of 1970-01-01; the store keeps what is from ",
  );
  const rows = await store.store.client.query({
    query: "SELECT count() AS n FROM measure.replies",
    format: "JSONEachRow",
  });
  expect(await rows.json<{ n: number }>()).toMatchObject([{ n: 3 * recent.length }]);
});
