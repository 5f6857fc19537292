/** How small the history is beside raw rows of three kinds, and how its answers compare with theirs. */
import { countHistory } from "../../../lib/engines/store/clickhouse/count-history.ts";
import { bucketQuantileSql } from "../../../lib/engines/store/clickhouse/target-rows-sql.ts";
import { TestStore } from "../../contract/store/processes.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";

interface Shape {
  readonly name: string;
  readonly flows: number;
  readonly ttls: number;
}

const shapes: readonly Shape[] = [
  { name: "traces, 6 flows x 15 TTLs", flows: 6, ttls: 15 },
  { name: "10 pings", flows: 10, ttls: 1 },
  { name: "single probes", flows: 1, ttls: 1 },
];

const probesDefault = 3_000_000;
const measurementProbes = 100_000;
const hoursMs = 7_200_000;

interface Found {
  readonly megabytesPerGb: number;
  /** Destinations whose counts differ from the raw rows'. */
  readonly wrong: number;
  /** Percent, of the medians by the histogram. */
  readonly error: number;
}

export async function benchHistory({ count, rounds }: BenchOptions): Promise<BenchReport> {
  const probes = count ?? probesDefault;
  const found = new Map<string, Found[]>(shapes.map(({ name }) => [name, []]));
  await using store = await TestStore.start();
  for (let round = 0; round < rounds; round++) {
    for (const shape of shapes) {
      found.get(shape.name)?.push(await measured(store, shape, probes));
    }
  }
  const figure = (unit: string, decimals: number, value: (one: Found) => number) => ({
    ...{ unit, decimals },
    rounds: new Map([...found].map(([name, all]) => [name, all.map(value)])),
  });
  return {
    ...{ bench: "history", subjects: shapes.map(({ name }) => name), references: [] },
    what: `the history beside the raw rows of ${probes} probes of each kind, nine of ten answered`,
    figures: [
      figure("MB per raw GB", 1, (one) => one.megabytesPerGb),
      figure("destinations with other counts", 0, (one) => one.wrong),
      figure("% that a median is off at most", 2, (one) => one.error),
    ],
    notes: [
      "Bytes on disk once parts are merged: raw rows are replies and probes, with their projections.",
      "Counts: probes and answered probes of each destination. Medians: by the buckets that add up, beside exact ones.",
    ],
  };
}

async function measured(store: TestStore, shape: Shape, probes: number): Promise<Found> {
  await fill(store, shape, probes);
  await countHistory(store.store, {
    nowMs: Date.now() + hoursMs,
    signal: new AbortController().signal,
  });
  const tables = { raw: ["probes", "replies"], history: ["history", "history_counted"] };
  for (const table of [...tables.raw, ...tables.history]) {
    await store.command(`OPTIMIZE TABLE measure.${table} FINAL`);
  }
  const [raw, history] = [await bytesOf(store, tables.raw), await bytesOf(store, tables.history)];
  const wrong = await figureOf(store, differentSql);
  const error = await figureOf(store, errorSql);
  for (const table of [...tables.raw, ...tables.history]) {
    await store.command(`TRUNCATE TABLE measure.${table}`);
  }
  return { megabytesPerGb: (1000 * history) / raw, wrong, error };
}

/** Rows of measurements of some 100,000 probes, an hour ago. */
async function fill(store: TestStore, { flows, ttls }: Shape, probes: number): Promise<void> {
  const each = flows * ttls;
  const id = `concat('5c000000-0000-4000-8000-', leftPad(toString(intDiv(number, ${measurementProbes})), 12, '0'))`;
  const source = `(SELECT number, intDiv(number, ${each}) AS target, cityHash64(number) AS dice,
      toUInt16(24000 + intDiv(number, ${ttls}) % ${flows}) AS srcPort,
      toUInt8(${ttls === 1 ? "64" : `1 + number % ${ttls}`}) AS ttl, ${id} AS id,
      toIPv6(concat('2001:db8:1:', lower(hex(toUInt16(intDiv(target, 65536)))), ':',
        lower(hex(toUInt16(target))), '::1')) AS dst,
      toDateTime64(now() - 3600, 9, 'UTC') + toIntervalNanosecond(toInt64(number * 1000)) AS at
    FROM numbers(${Math.floor(probes / each) * each}))`;
  const isLast = ttls === 1 ? "1" : `ttl = ${ttls}`;
  await store.command(`INSERT INTO measure.probes
    SELECT toDate(at), toDateTime64(at, 3, 'UTC') - 1, id, 'agent-1', number, toIPv6('2001:db8::1'), dst, srcPort,
      33434, ttl, 17
    FROM ${source}`);
  await store.command(`INSERT INTO measure.replies (date, time_inserted_ns, time_received_ns, agent_id, reply_src_addr,
      reply_dst_addr, reply_size, reply_ttl, reply_quoted_ttl, reply_protocol, reply_icmp_type, reply_icmp_code,
      probe_src_addr, probe_dst_addr, probe_size, probe_ttl, probe_protocol, probe_src_port, probe_dst_port, rtt,
      measurement_id, probe_agent, probe_instance, producer, sequence)
    SELECT toDate(at), at + 1, at, 'agent-1',
      if(${isLast}, dst, toIPv6(concat('2001:db8:2:', lower(hex(toUInt16(target % 1000 + srcPort % 2))), '::',
        lower(hex(ttl))))),
      toIPv6('2001:db8::1'), 96 + ttl, 255 - ttl, 1, 58, if(${isLast}, 1, 3), if(${isLast}, 4, 0),
      toIPv6('2001:db8::1'), dst, 18 + ttl, ttl, 17, srcPort, 33434, toUInt16(100 + target % 900 + dice % 8), id,
      'agent-1', 1, 'bench', 1 + intDiv(number, 64)
    FROM ${source} WHERE intDiv(dice, 1000) % 10 != 0`);
}

async function bytesOf(store: TestStore, tables: readonly string[]): Promise<number> {
  const names = tables.map((name) => `'${name}'`).join();
  return await figureOf(
    store,
    `SELECT toFloat64(sum(bytes_on_disk)) AS figure FROM system.parts
     WHERE active AND database = 'measure' AND table IN (${names})`,
  );
}

async function figureOf(store: TestStore, sql: string): Promise<number> {
  const [row] = await store.rows<{ figure: number }>(sql);
  return row?.figure ?? Number.NaN;
}

const differentSql = `
  SELECT toFloat64(count()) AS figure FROM (
    SELECT measurement_id, probe_dst_addr, sum(sent) AS sends, sum(got) AS gets, sum(historySent) AS historySends,
      sum(historyGot) AS historyGets
    FROM (
      SELECT measurement_id, probe_dst_addr, count() AS sent, 0 AS got, 0 AS historySent, 0 AS historyGot
      FROM measure.probes GROUP BY ALL
      UNION ALL
      SELECT measurement_id, probe_dst_addr, 0, uniqExact(probe_src_port, probe_ttl), 0, 0
      FROM measure.replies GROUP BY ALL
      UNION ALL
      SELECT measurement_id, probe_dst_addr, 0, 0, submitted, answered FROM measure.history FINAL)
    GROUP BY measurement_id, probe_dst_addr)
  WHERE sends != historySends OR gets != historyGets`;

const errorSql = `
  SELECT 100 * max(abs(${bucketQuantileSql(0.5, "rtt_buckets", "rtt_bucket_replies")} - rtt_median_us)
    / rtt_median_us) AS figure
  FROM measure.history FINAL WHERE rtt_replies > 0`;
