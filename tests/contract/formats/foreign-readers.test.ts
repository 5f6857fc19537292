/**
 * Files of stored results, those too that we cannot import again: foreign readers find in them what our views have.
 *
 * @alone: one of the longest
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { answeredCount, startUs, type Trace, upToEnd } from "../../../lib/measuring/formats/trace.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { inTier } from "../../run/tier.ts";
import { pythonLines } from "./python-lines.ts";
import { output } from "./scamper.ts";
import { measurement, WrittenResults } from "./written-results.ts";

const packages = {
  atlas: ["ripe.atlas.sagan==2.0.1"],
  columns: ["pyarrow==26.0.1", "duckdb==1.4.1"],
} as const;
const seeds = inTier<readonly number[]>({ usual: [1], long: [1, 2, 3, 4] });

let results: WrittenResults;
beforeAll(async () => {
  await pythonFolder(...packages.atlas);
  await pythonFolder(...packages.columns);
  results = await WrittenResults.start();
});
afterAll(() => results[Symbol.asyncDispose]());

interface ScamperTrace {
  readonly type: string;
  readonly src: string;
  readonly dst: string;
  readonly stop_reason: string;
  readonly start: { readonly sec: number };
  readonly probe_count: number;
  readonly hop_count: number;
  readonly hops?: readonly { readonly addr: string; readonly probe_ttl: number }[];
}

/** To their ends; a round that was sent wholly beyond its flow's end is in no file. */
async function endedTraces(): Promise<Trace[]> {
  const traces = (await results.rows<Trace>("traces", measurement)).map(upToEnd);
  return traces.filter(({ probes, replies }) => probes.length + replies.length > 0);
}

/** What a reader has to find of each trace, in the order of the view. */
async function expectedOf() {
  return (await endedTraces()).map((trace) => ({
    dst: trace.address,
    last: Math.max(...trace.probes.map(({ ttl }) => ttl)),
    sent: trace.probes.reduce((all, { sent }) => all + sent, 0),
    answers: trace.replies.map(({ probe_ttl: ttl, reply_src_addr: from }) => `${ttl} ${from}`).sort(),
    src: trace.replies[0]?.probe_src_addr ?? trace.probe_src_addr ?? "",
    sec: Math.floor((startUs(trace) ?? 0) / 1e6),
  }));
}

test.each(seeds)(
  "scamper's tools read the warts of stored traces, %i, as our views have them",
  async (seed) => {
    await results.fill(seed, true);
    const file = await results.written("traces", "warts");
    const lines = (await output(["sc_warts2json", file])).trimEnd().split("\n");
    const read = lines.map((line) => JSON.parse(line) as ScamperTrace).filter(({ type }) => type === "trace");
    expect(
      read.map(({ dst, hop_count: last, probe_count: sent, hops = [], src, start: { sec } }) => {
        const answers = hops.map(({ addr, probe_ttl: ttl }) => `${ttl} ${addr}`).sort();
        return { dst, last, sent, answers, src, sec };
      }),
    ).toEqual(await expectedOf());
  },
);

const saganReader = `
import json, sys
from ripe.atlas.sagan import Result
for line in open(sys.argv[1]):
    r = Result.get(line, on_error=Result.ACTION_IGNORE, on_malformation=Result.ACTION_FAIL)
    answers = sorted(f"{h.index} {p.origin}" for h in r.hops for p in h.packets if p.origin)
    # It counts a copy as a packet.
    sent = sum(1 for h in json.loads(line)["result"] for p in h["result"] if not p.get("dup"))
    print(json.dumps({"dst": r.destination_address, "last": r.total_hops, "sent": sent, "answers": answers,
      "src": r.source_address, "sec": int(r.created.timestamp())}))
`;

test.each(seeds)(
  "RIPE's sagan reads the Atlas of stored traces, %i, as our views have them",
  async (seed) => {
    await results.fill(seed, true);
    const file = await results.written("traces", "atlas");
    const python = join(await pythonFolder(...packages.atlas), "bin/python");
    const read = await pythonLines([python, "-W", "ignore", "-c", saganReader, file]);
    const hops = (await endedTraces()).map(({ probes }) => probes.length);
    const expected = (await expectedOf()).map((trace, i) => ({ ...trace, last: hops[i] }));
    expect(read).toEqual(expected);
  },
);

const duckReader = `
import duckdb, json, sys
of = "format='newline_delimited', maximum_object_size=100000000"
iris, mtr = (f"read_json('{path}', {of})" for path in sys.argv[1:])
rows = duckdb.sql(f"""SELECT probe_dst_addr, probe_src_addr, flows[1].probe_src_port,
  list_sort(list_transform(flows[1].replies, lambda one: concat(one->>1, ' ', one->>8))) FROM {iris}""").fetchall()
for dst, src, port, answers in rows:
    print(json.dumps({"dst": str(dst), "src": str(src), "port": port, "answers": answers}))
rows = duckdb.sql(f"""SELECT report.mtr.dst, report.mtr.src,
  list_transform(report.hubs, lambda one: [one.count, one.Snt]),
  list_transform(report.hubs, lambda one: one."Loss%") FROM {mtr}""").fetchall()
for dst, src, sent, loss in rows:
    print(json.dumps({"dst": dst, "src": src, "sent": sent, "loss": [round(one, 3) for one in loss]}))
`;

/** Neither has an importer here. */
test.each(seeds)(
  "DuckDB reads the Iris and mtr of stored traces, %i, as our views have them",
  async (seed) => {
    await results.fill(seed, true);
    const files = [await results.written("traces", "iris"), await results.written("traces", "mtr")];
    const python = join(await pythonFolder(...packages.columns), "bin/python");
    const read = await pythonLines([python, "-c", duckReader, ...files]);
    const traces = await endedTraces();
    const ends = (await expectedOf()).map(({ dst, src, answers }) => ({ dst, src, answers }));
    const iris = ends.map((end, i) => ({ ...end, port: traces[i]?.src_port }));
    const mtr = traces.map(({ probes, replies }, i) => ({
      ...{ dst: ends[i]?.dst, src: ends[i]?.src, sent: probes.map(({ ttl, sent }) => [ttl, sent]) },
      loss: probes.map(({ ttl, sent }) => {
        const answered = answeredCount(replies.filter(({ probe_ttl: at }) => at === ttl));
        return Math.round((100_000 * (sent - Math.min(sent, answered))) / sent) / 1000;
      }),
    }));
    expect(read).toEqual([...iris, ...mtr]);
  },
);
