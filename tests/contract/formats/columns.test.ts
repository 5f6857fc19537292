/**
 * Files of columns against pyarrow and DuckDB: each value of each view as in our JSON, over several parts.
 *
 * @alone: one of the longest
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { ContextField } from "../../../lib/answers/enrich/context-fields.ts";
import type { ResultSource, TextForm } from "../../../lib/answers/results/result-source.ts";
import { storeSource } from "../../../lib/answers/results/store-source.ts";
import { timeNs } from "../../../lib/answers/results/value-forms.ts";
import { type ViewName, viewNames, viewOf } from "../../../lib/answers/results/views.ts";
import { columnForms } from "../../../lib/measuring/formats/forms.ts";
import { addressContextsIn, SampleSets } from "../../enrich/sample-sets.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { isLongRun } from "../../run/tier.ts";
import { StoreProcess } from "../client/store-with-paths.ts";
import { fillStore, manyReplies, type RawRows } from "../results/raw-rows.ts";
import { pythonLines } from "./python-lines.ts";

const packages = ["pyarrow==26.0.1", "duckdb==1.4.1"] as const;
const measurement = "11111111-1111-4111-8111-111111111111";
/** More than a part of Arrow has, and more destinations than one of traces. */
const count = 9000;

/** Each file's rows as lines of JSON, a time as nanoseconds; then what DuckDB counts in the Parquet files. */
const reader = `
import json, sys, pyarrow as pa, pyarrow.parquet as pq, duckdb
for path in sys.argv[1:]:
    table = pq.read_table(path) if path.endswith("parquet") else pa.ipc.open_stream(path).read_all()
    print(json.dumps({"file": path, "types": {f.name: str(f.type) for f in table.schema}}))
    for i, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type):
            ns = table.column(i).cast(pa.timestamp("ns", "UTC")).cast(pa.int64())
            table = table.set_column(i, field.name, ns.cast(pa.string()))
    for row in table.to_pylist():
        print(json.dumps(row))
    if path.endswith("parquet"):
        groups = pq.ParquetFile(path).metadata.num_row_groups
        print(json.dumps({"counted": duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchone()[0], "groups": groups}))
`;

const timeColumns = ["time", "time_received", "time_submitted", "first_seen", "last_seen"] as const;

const sets = new SampleSets();
let store: StoreProcess;
let source: ResultSource;

beforeAll(async () => {
  await pythonFolder(...packages);
  await sets.put(new Date().toISOString().slice(0, 10), 64501);
  store = await StoreProcess.start();
  source = storeSource(store.store, addressContextsIn(sets.path));
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  sets[Symbol.dispose]();
});

async function bytesOf(
  view: ViewName,
  form: TextForm,
  id = measurement,
  fields: readonly ContextField[] = [],
): Promise<Buffer> {
  const query = { filter: { measurementId: id }, limit: null, with: fields };
  const answer = await source.ask(viewOf(view), query, form);
  return Buffer.concat(await Array.fromAsync(answer.texts));
}

const views = viewNames.filter((name) => viewOf(name).hasColumns);

async function read(files: readonly string[]): Promise<object[]> {
  const python = join(await pythonFolder(...packages), "bin/python");
  return await pythonLines([python, "-c", reader, ...files]);
}

test("pyarrow and DuckDB read the rows of every view, as JSON has them", async () => {
  await fillStore(store.store, manyTargets());
  const files: string[] = [];
  const expected: object[] = [];
  for (const view of views) {
    // Of one measurement there are no changes.
    const lines = (await bytesOf(view, "ndjson")).toString().split("\n").slice(0, -1);
    for (const form of columnForms) {
      const path = join(store.folder, `${view}.${form}`);
      await Bun.write(path, await bytesOf(view, form));
      files.push(path);
      expected.push({ file: path, types: expect.anything() }, ...lines.map(rowOf));
      if (form === "parquet") {
        expected.push({ counted: lines.length, groups: expect.any(Number) });
      }
    }
  }
  const found = await read(files);
  expect(found.length).toBe(expected.length);
  for (const [i, row] of expected.entries()) {
    expect(found[i]).toEqual(row);
  }
  const groups = found.flatMap((one) => ("groups" in one ? [Number(one.groups)] : []));
  expect(Math.max(...groups)).toBeGreaterThan(1);
});

test("without rows there are the names and types of the columns", async () => {
  const files: string[] = [];
  const some = isLongRun ? views : views.slice(0, 3);
  for (const form of columnForms) {
    for (const view of some) {
      const path = join(store.folder, `empty-${view}.${form}`);
      await Bun.write(path, await bytesOf(view, form, crypto.randomUUID()));
      files.push(path);
    }
  }
  const found = await read(files);
  const types = found.flatMap((one) => ("types" in one ? [one.types as Record<string, string>] : []));
  expect(types).toHaveLength(files.length);
  for (const [i, view] of [...some, ...some].entries()) {
    expect(Object.keys(types[i] ?? {})).toEqual(expect.arrayContaining([...viewOf(view).csvNames]));
  }
  expect(types[0]).toMatchObject({ time_received: "timestamp[ns, tz=UTC]", rtt_ms: "double" });
  expect(types[0]).toMatchObject({ probe_dst_addr: "string", attribution: "string" });
});

test("what is known of who answered stands in columns of its own, null where nothing is", async () => {
  const known = "22222222-2222-4222-8222-222222222222";
  const froms = ["198.51.100.1", "198.51.100.4", "203.0.113.9", "10.0.0.1", "2001:db8::1"];
  const { replies } = manyReplies(known, count);
  const answers = replies.map((reply, i) => ({ ...reply, from: froms[i % froms.length] ?? "" }));
  await fillStore(store.store, { probes: [], replies: answers });
  const fields = ["asn", "ixp", "geo", "rpki"] as const;
  const lines = (await bytesOf("replies", "ndjson", known, fields)).toString().trimEnd().split("\n");
  const rows = lines.map(flatRowOf);
  expect(new Set(rows.map(({ asn }) => asn))).toEqual(new Set([64501, 64500, 64510, null, 64511]));
  for (const form of columnForms) {
    const path = join(store.folder, `known.${form}`);
    await Bun.write(path, await bytesOf("replies", form, known, fields));
    const [head, ...found] = await read([path]);
    const types = { asn: "uint32", as_name: "string", geo_lat: "double", geo_country: "string" };
    expect(head).toMatchObject({ types: { ...types, ixp_id: "uint32", rpki: "string" } });
    expect(found.slice(0, rows.length)).toEqual(rows);
  }
});

/** Parts of what is known have a column each. */
function flatRowOf(line: string): Record<string, unknown> {
  const { ixp, geo, source: dates, ...row } = rowOf(line) as Record<string, Record<string, unknown> | null>;
  const parts = (name: string, names: readonly string[], value: Record<string, unknown> | null | undefined) =>
    Object.fromEntries(names.map((part) => [`${name}_${part}`, value?.[part] ?? null]));
  return {
    ...{ ...row, ...parts("ixp", ["id", "name"], ixp) },
    ...parts("geo", ["country", "city", "lat", "lon", "radius_km"], geo),
    ...parts("source", ["set", "bgp", "geo"], dates),
  };
}

/** Times of columns are nanoseconds. */
function rowOf(line: string): object {
  const row = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const times = timeColumns.filter((name) => typeof row[name] === "string");
  return { ...row, ...Object.fromEntries(times.map((name) => [name, nsOf(String(row[name]))])) };
}

function nsOf(text: string): string {
  const whole = text.length === 30 ? text : `${text.slice(0, -1)}000000Z`;
  return String(timeNs(whole));
}

/** A destination for each ten replies, every third with labels; the first were submitted. */
function manyTargets(): RawRows {
  const label = { label: 24_015, exp: 5, bottomOfStack: true, ttl: 254 };
  const replies = manyReplies(measurement, count).replies.map((reply, i) => ({
    ...{ ...reply, destination: `2001:db8::${Math.floor(i / 10).toString(16)}`, ttl: 1 + (i % 10) },
    labels: i % 3 === 0 ? [label] : [],
  }));
  const probes = replies.slice(0, 3000).map(({ destination, protocol, srcPort, dstPort, ttl }, index) => ({
    ...{ measurement, agent: "west", source: "192.0.2.1", timeMs: Date.now() - 3_700_000, index },
    ...{ destination, protocol, srcPort, dstPort, ttl },
  }));
  // A ping, for every tenth destination.
  const pings = replies
    .filter((_, i) => i % 100 === 0)
    .map((reply) => ({ ...reply, dstPort: 7, ttl: 64, from: reply.destination }));
  return { probes, replies: [...replies, ...pings] };
}
