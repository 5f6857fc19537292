/**
 * The time line of a run whose sources have clocks that are off: gateways, databases, column store, collector and the
 * command are the real ones; the client stack, the agents and a router are played.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { CollectorHome } from "./collector-home.ts";
import { ExperimentHome, stackAheadMs } from "./experiment-home.ts";

/** Between two looks of an experiment at the collector. */
const lookMs = 500;
const [collectorAheadMs, eastAheadMs] = [-40_000, 7000];
let home: ExperimentHome;
let collector: CollectorHome;
let name: string;
let prefix: string;
/** When the router told of the announcement, and when east heard what west had before. */
const truth = { toldMs: 0, goneMs: 0, movedMs: 0 };

beforeAll(async () => {
  collector = await CollectorHome.start(collectorAheadMs);
  home = await ExperimentHome.start([collector.url]);
  const { path, ...file } = await home.experimentFile("planes");
  ({ name, prefix } = file);
  let isOver = false;
  const following = (async () => {
    for (let was = false; !isOver; ) {
      const is = (await home.announced(prefix)).length > 0;
      if (is !== was) {
        truth[is ? "toldMs" : "goneMs"] = Date.now();
        collector.tell(prefix, is);
      }
      was = is;
      await Bun.sleep(20);
    }
  })();
  await home.played(
    async () => {
      const run = await home.vantage("run", path, ...home.runOptions).ended;
      expect([run.code, run.err]).toEqual([0, expect.stringContaining("Ended: finished")]);
      await Bun.sleep(300);
    },
    {
      aheadMs: (agent) => (agent === "east" ? eastAheadMs : 0),
      onRound: (round) => {
        truth.movedMs = round === 1 ? Date.now() : truth.movedMs;
      },
    },
  );
  isOver = true;
  await following;
});
afterAll(async () => {
  await collector?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

interface Row {
  readonly time_ns: string;
  readonly at_ns: string;
  readonly within_ms: number | null;
  readonly plane: string;
  readonly source: string;
  readonly subject: string;
  readonly event: string;
  readonly detail: string;
}

async function timeline(...args: string[]): Promise<Row[]> {
  return JSON.parse((await home.vantage("timeline", name, "-o", "json", ...args).ended).out);
}

/** Rows are in order, and this one's corrected time is true to what it says, a millisecond of rounding apart. */
function expectAt(row: Row | undefined, trueMs: number, slackMs: number): void {
  const offMs = Number(BigInt(row?.at_ns ?? 0) / 1_000_000n) - trueMs;
  expect(row?.within_ms).toBeNumber();
  expect(Math.abs(offMs)).toBeLessThanOrEqual((row?.within_ms ?? 0) + slackMs);
}

test("both planes from all sources, by the controller's clock, true to what each row says", async () => {
  const rows = await timeline();
  const times = rows.map(({ at_ns }) => BigInt(at_ns));
  expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  const events = new Set(rows.map(({ plane, source, event }) => `${plane} ${source} ${event}`));
  for (const event of [
    ...["control controller asked", "control client stack daemon", "control client stack exchange"],
    ...["control collector first-sight", "data east first-probe", "data controller catchment"],
  ]) {
    expect([...events]).toContain(event);
  }
  const sight = rows.find(({ event }) => event === "first-sight");
  expect(sight).toMatchObject({
    subject: `${prefix} 127.0.0.1 192.0.2.9 in`,
    detail: "64500 64501 (the router has it since 2023-11-14T22:13:20.000Z, unknown)",
  });
  // The router writes, the collector reads: on loopback, in one process.
  expectAt(sight, truth.toldMs, 200);
  // It is the collector's time of it: what is left is how well the clocks were compared.
  expect(sight?.within_ms).toBeLessThan(lookMs);
  const probe = rows.find(({ event }) => event === "first-probe");
  expect(probe?.detail).toContain("answers came to west");
  expectAt(probe, truth.movedMs, 200);
  const daemon = rows.find(({ event }) => event === "daemon");
  // Its rounds are a second apart, and take time; uncorrected, it would be 3 s off.
  expectAt(daemon, truth.toldMs, 2000);
  // By its own comparison, not by when it was asked and seen: half of the reports' interval would be more.
  expect(daemon?.within_ms).toBeLessThan(300);
  const aheadMs = Number(BigInt(daemon?.time_ns ?? 0) - BigInt(daemon?.at_ns ?? 0)) / 1e6;
  expect(Math.abs(aheadMs - stackAheadMs)).toBeLessThan(daemon?.within_ms ?? 0);
});

test("how long after each change each source showed it", async () => {
  const { out } = await home.vantage("show", name, "-v", "convergence", "-o", "json").ended;
  const rows: { change: string; plane: string; who: string; first_s: number; last_s: number }[] =
    JSON.parse(out);
  const change = "announce ixp-1 +1, announce ixp-2 +2";
  expect(rows.map((row) => [row.change, row.plane, row.who])).toEqual([
    [change, "control", `${prefix} 127.0.0.1 192.0.2.9 in`],
    [change, "data", "east"],
  ]);
  const asked = (await home.journal(name))
    .map((line) => JSON.parse(line))
    .find(({ kind, action }) => kind === "asked" && action === 0);
  const askedMs = Number(BigInt(asked.atNs) / 1_000_000n);
  expect(Math.abs((rows[0]?.first_s ?? 0) - (truth.toldMs - askedMs) / 1000)).toBeLessThan(1);
  for (const { first_s, last_s } of rows) {
    expect([first_s >= 0, last_s >= first_s]).toEqual([true, true]);
  }
});

test("with the column store: each update that the collector has published, the last withdrawal too", async () => {
  await collector.store(home.probing.store.store);
  const rows = await timeline("--store", home.probing.store.address);
  const own = rows.filter(({ source }) => source === "collector");
  expect(own.map(({ event, detail }) => [event, detail])).toEqual([
    ["first-sight", "64500 64501"],
    ["route-gone", "withdrawn"],
  ]);
  expect(Number(BigInt(own[0]?.time_ns ?? 0) / 1_000_000n) - truth.toldMs).toBeLessThan(-30_000);
  // Both run in one busy process; without a comparison it would be 40 s.
  expect(own[0]?.within_ms).toBeLessThan(1000);
  expectAt(own[0], truth.toldMs, 200);
  expectAt(own[1], truth.goneMs, 200);
});

test("the query of the page finds the same in the store", async () => {
  const page = readFileSync("docs/measure/experiments.md", "utf8");
  const [, sql = ""] = /```sql\n(SELECT replaceRegexpOne[^`]*)```/.exec(page) ?? [];
  const [base = ""] = prefix.split("/");
  const asked = sql.replaceAll("2001:db8:51::", base).replace(/'2026-[^']*'/, "now() - INTERVAL 1 DAY");
  expect(asked).not.toBe(sql);
  const result = await home.probing.store.store.client.query({ query: asked, format: "JSONEachRow" });
  expect(await result.json()).toMatchObject([{ router: "127.0.0.1", peer: "192.0.2.9", updates: 2 }]);
});
