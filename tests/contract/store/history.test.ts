/**
 * The history against the oracle of the raw rows: its rows are those that the raw rows would give, however they
 * arrived, and each measurement is read from one of the two.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { storeSource } from "../../../lib/answers/results/store-source.ts";
import type { View } from "../../../lib/answers/results/view.ts";
import { seriesView } from "../../../lib/answers/results/views/series.ts";
import { trendView } from "../../../lib/answers/results/views/trend.ts";
import { countHistory } from "../../../lib/engines/store/clickhouse/count-history.ts";
import { countUserRows, eraseUserRows } from "../../../lib/engines/store/clickhouse/user-rows.ts";
import { asFarAs } from "../results/close-to.ts";
import { randomRows } from "../results/random-rows.ts";
import { fillStore, joined, laterEach, type RawRows, runsOf } from "../results/raw-rows.ts";
import { routedRows } from "../results/routed-rows.ts";
import { expectedSeries, quantile } from "../results/series-oracle.ts";
import { expectedTrend } from "../results/trend-oracle.ts";
import { TestStore } from "./processes.ts";

const ids = [1, 2, 3, 4].map((digit) =>
  "11111111-1111-4111-8111-111111111111".replaceAll("1", String(digit)),
);
const runs = runsOf(ids);
const [oldest = "", older = "", , newest = ""] = ids;
/** The raw rows of the last one alone are certain to be there. */
const daysAgo = [40, 20, 6, 1];
const dayMs = 86_400_000;
const signal = new AbortController().signal;
let store: TestStore;

beforeAll(async () => {
  store = await TestStore.start();
  for (const table of ["replies", "probes"]) {
    await store.command(`SYSTEM STOP TTL MERGES measure.${table}`);
  }
});
afterAll(() => store[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const table of ["history", "history_counted"]) {
    await store.command(`TRUNCATE TABLE measure.${table}`);
  }
});

function daysBack({ probes, replies }: RawRows, days: number): RawRows {
  return {
    probes: probes.map((probe) => ({ ...probe, timeMs: probe.timeMs - days * dayMs })),
    replies: replies.map((reply) => ({ ...reply, timeNs: reply.timeNs - BigInt(days * dayMs) * 1_000_000n })),
  };
}

/** A random store of each measurement and a routed one, as old as it is. */
function sampleRows(seed: number): RawRows {
  const each = ids.map((id, i) => {
    const [random] = fc.sample(randomRows(id), { numRuns: 1, seed: seed + i });
    return daysBack(joined(random, routedRows(id, seed + i)), daysAgo[i] ?? 0);
  });
  const own = laterEach(each, new Set(ids));
  return { probes: own.probes, replies: own.replies };
}

async function shown(filter = {}, view: View = seriesView): Promise<unknown[]> {
  const query = { filter: { runs, ...filter }, limit: null };
  const { texts } = await storeSource(store.store).ask(view, query, "ndjson");
  const lines = Buffer.concat(await Array.fromAsync(texts)).toString();
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
}

const count = (nowMs = Date.now()) => countHistory(store.store, { nowMs, signal });

async function expire(...measurements: readonly string[]): Promise<void> {
  const gone = measurements.map((id) => `'${id}'`).join();
  for (const table of ["replies", "probes"]) {
    await store.command(
      `ALTER TABLE measure.${table} DELETE WHERE measurement_id IN (${gone}) SETTINGS mutations_sync = 2`,
    );
  }
}

test("series are the same before they are counted, with both, and when raw rows have expired", async () => {
  const rows = sampleRows(3);
  const expected = expectedSeries(rows, runs);
  expect(new Set(expected.map(({ measurement_id }) => measurement_id))).toEqual(new Set(ids));
  await fillStore(store.store, rows);
  expect(asFarAs(await shown(), expected)).toEqual(expected);
  expect(await count()).toBe(ids.length);
  expect(await count()).toBe(0);
  expect(asFarAs(await shown(), expected)).toEqual(expected);
  await expire(oldest, older);
  expect(asFarAs(await shown(), expected)).toEqual(expected);
  const ofOne = expected.filter(({ measurement_id }) => measurement_id === older);
  const single = await shown({ runs: undefined, measurementId: older });
  expect(
    asFarAs(
      single,
      ofOne.map((row) => ({ ...row, run: null, planned_at: null })),
    ),
  ).toHaveLength(ofOne.length);
  // The raw rows of a day that is kept are the ones that are read.
  await expire(newest);
  const left = expected.filter(({ measurement_id }) => measurement_id !== newest);
  expect(asFarAs(await shown(), left)).toEqual(left);
});

test("filters choose the same rows of the history as of raw rows", async () => {
  const rows = sampleRows(17);
  await fillStore(store.store, rows);
  const filters = [
    { agent: "south" },
    { agent: "west" },
    { untilMs: Date.now() - 10 * dayMs },
    { sinceMs: Date.now() - 30 * dayMs },
  ];
  const raw = await Promise.all(filters.map((filter) => shown(filter)));
  expect(raw.map(({ length }) => length > 0)).toEqual([true, true, true, true]);
  await count();
  await expire(oldest, older);
  expect(await Promise.all(filters.map((filter) => shown(filter)))).toEqual(raw);
});

const plannedMs = Date.parse("2026-11-10T10:05:00Z");
/** Two hours of a day, and the same a week later. */
const weekly = runs.map((run, i) => ({
  ...run,
  plannedMs: plannedMs + (i % 2) * 3_600_000 + (i < 2 ? 0 : 7 * dayMs),
}));

/** Figures are exact, quantiles within 1 %. */
function checkTrend(actual: readonly unknown[], expected: ReturnType<typeof expectedTrend>): void {
  expect(actual).toMatchObject(expected.map(({ rtts: _, ...row }) => row));
  for (const [i, { rtts }] of expected.entries()) {
    const row = actual[i] as Readonly<Record<string, number | null>>;
    for (const [name, level] of [
      ["p10", 0.1],
      ["median", 0.5],
      ["p90", 0.9],
    ] as const) {
      const exact = quantile(rtts, level);
      const shownMs = row[`rtt_${name}_ms`] ?? null;
      expect(shownMs === null).toBe(exact === null);
      // Tenths of a millisecond may be 0, which is in the bucket of 1 µs.
      expect(Math.abs((shownMs ?? 0) - (exact ?? 0))).toBeLessThanOrEqual(0.01 * (exact ?? 0) + 0.0011);
    }
  }
}

test("a trend is the oracle's of raw rows, of both, and of the history: by hour beside the week before, and by day", async () => {
  const rows = sampleRows(53);
  await fillStore(store.store, rows);
  const sinceMs = plannedMs + 7 * dayMs - 1;
  const since = new Date(sinceMs - 360_000).toISOString();
  const byHour = expectedTrend(rows, weekly, 1).filter(({ time }) => time >= since);
  const byDay = expectedTrend(rows, weekly, 24);
  expect(byHour.filter(({ loss_week_before_percent: before }) => before !== null)).not.toEqual([]);
  expect(byDay.filter(({ path_changes: changes }) => changes > 0)).not.toEqual([]);
  const check = async () => {
    checkTrend(await shown({ runs: weekly, sinceMs }, trendView), byHour);
    checkTrend(await shown({ runs: weekly }, trendView), byDay);
  };
  await check();
  await count();
  await check();
  await expire(oldest, older);
  await check();
});

test("late rows, and probes that were read again, are counted, and raw rows that have begun to expire change nothing", async () => {
  const rows = sampleRows(29);
  const late = rows.replies.filter(({ measurement }, i) => measurement === older && i % 3 === 0);
  const first = rows.replies.filter((reply) => !late.includes(reply));
  await fillStore(store.store, { probes: rows.probes, replies: first });
  expect(await count()).toBe(ids.length);
  const early = expectedSeries({ probes: rows.probes, replies: first }, runs);
  expect(asFarAs(await shown(), early)).toEqual(early);
  const again = rows.probes.filter(({ measurement }) => measurement === oldest);
  await fillStore(store.store, { probes: [...rows.probes, ...again], replies: rows.replies });
  // Not at once again.
  expect(await count()).toBe(0);
  expect(await count(Date.now() + 2 * 3_600_000)).toBe(2);
  const expected = expectedSeries(rows, runs);
  expect(asFarAs(await shown(), expected)).toEqual(expected);
  await fillStore(store.store, { probes: rows.probes.slice(0, -1), replies: rows.replies.slice(5) });
  expect(await count(Date.now() + 4 * 3_600_000)).toBe(0);
  expect(asFarAs(await shown({ runs: runs.slice(0, 2) }), [])).toEqual(
    await shown({ runs: runs.slice(0, 2) }),
  );
});

test("a measurement is counted when no row has arrived for an hour, or a day after its last probe", async () => {
  const own = (id: string, seed: number, ageMs: number): RawRows =>
    daysBack(routedRows(id, seed), ageMs / dayMs);
  // Sent 1.03 h, replied to 1 h ago.
  await fillStore(store.store, own(newest, 1, 0));
  expect(await count(Date.now() - 50_000)).toBe(0);
  expect(await count(Date.now() + 60_000)).toBe(1);
  const slow = own(newest, 1, 1.2 * dayMs);
  const [reply] = routedRows(newest, 1).replies;
  await fillStore(store.store, { probes: slow.probes, replies: reply === undefined ? [] : [reply] });
  await store.command("TRUNCATE TABLE measure.history_counted");
  expect(await count(Date.now() - 1_000_000)).toBe(1);
});

test("who is erased is erased from the history, and nobody else", async () => {
  await fillStore(store.store, sampleRows(41));
  await count();
  const selection = { measurementIds: [oldest], sources: [] };
  const before = await countUserRows(store.store, selection);
  expect(before.history).toBeGreaterThan(0);
  const others = { measurementIds: ids.slice(1), sources: [] };
  const kept = await countUserRows(store.store, others);
  await eraseUserRows(store.store, selection);
  expect(await countUserRows(store.store, selection)).toEqual({ replies: 0, probes: 0, history: 0 });
  expect(await countUserRows(store.store, others)).toEqual(kept);
  expect(
    await store.rows(
      `SELECT count() AS rows FROM measure.history_counted WHERE measurement_id = '${oldest}'`,
    ),
  ).toEqual([{ rows: 0 }]);
  expect(await count(Date.now() + 2 * 3_600_000)).toBe(0);
});
