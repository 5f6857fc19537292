/**
 * Time and memory of each view of a small and of a large measurement in a large store: the first page and the whole, in
 * each format, beside the same question as one statement of SQL.
 */
import { formats } from "../../../lib/base/terminal/rows-output.ts";
import { takenQuery } from "../../../lib/engines/store/clickhouse/taken-records.ts";
import { TestStore } from "../../contract/store/processes.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { type Campaign, campaigns, fill } from "./fill.ts";
import { askClient, type Measured, measured } from "./measured.ts";
import { bareSql } from "./questions.ts";

const repliesDefault = 50_000_000;
/** Below so many replies figures mean nothing. */
const meaningful = 1_000_000;
const views = ["replies", "paths", "loss", "catchment"] as const;

export async function benchResults({ count, rounds }: BenchOptions): Promise<BenchReport> {
  await using store = await TestStore.start();
  const replies = count ?? repliesDefault;
  await fill(store.store, replies);
  await merged(store);
  const { large, small } = campaigns(replies);
  const found = new Map<string, Measured[]>();
  const note = async (subject: string, measure: () => Promise<Measured>) => {
    for (let round = 0; round < rounds; round++) {
      found.set(subject, [...(found.get(subject) ?? []), await measure()]);
    }
    process.stderr.write(`${subject}\n`);
  };
  // A run that only shows that it works looks at one of them.
  const sizes = replies < meaningful ? { small } : { small, large };
  for (const [size, campaign] of Object.entries(sizes)) {
    for (const view of views) {
      await note(`${size} ${view}, SQL`, () => askBare(store, bareSql(view), campaign.measurement));
      await note(`${size} ${view}, first page`, () => askClient(store, campaign.measurement, ["-v", view]));
      for (const format of formats) {
        const whole = ["-v", view, "-o", format, "-n", "100000000"];
        await note(`${size} ${view}, whole, ${format}`, () => askClient(store, campaign.measurement, whole));
      }
    }
  }
  await note("start of an ingester", () => askBare(store, takenQuery));
  return await report(store, found, { large, small });
}

/** Parts that were inserted are put together in the background for some time, on both cores. */
async function merged(store: TestStore): Promise<void> {
  for (let quietLooks = 0; quietLooks < 3; ) {
    await Bun.sleep(1000);
    const [row] = await store.rows<{ merges: number }>(
      "SELECT toFloat64(count()) AS merges FROM system.merges",
    );
    quietLooks = row?.merges === 0 ? quietLooks + 1 : 0;
  }
}

/** In the format in which the store is quickest to write rows that a program reads. */
async function askBare(store: TestStore, sql: string, measurementId = ""): Promise<Measured> {
  return await measured(store, async () => {
    const { stream } = await store.store.client.exec({
      query: `${sql} FORMAT JSONEachRow`,
      query_params: { measurementId },
    });
    for await (const _ of stream) {
      // Only that it is all there counts.
    }
    return { megabytes: null, cpuSeconds: 0 };
  });
}

async function report(
  store: TestStore,
  found: ReadonlyMap<string, readonly Measured[]>,
  { large, small }: { readonly large: Campaign; readonly small: Campaign },
): Promise<BenchReport> {
  const [size] = await store.rows<{ rows: number; bytes: number }>(
    `SELECT toFloat64(sum(rows)) AS rows, toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
      WHERE database = 'measure' AND table = 'replies' AND active`,
  );
  const { rows = 0, bytes = 0 } = size ?? {};
  const figure = (unit: string, decimals: number, value: (one: Measured) => number | null) => ({
    unit,
    decimals,
    rounds: new Map(
      [...found]
        .map(([subject, all]) => [subject, all.map(value).filter((one) => one !== null)] as const)
        .filter(([, values]) => values.length > 0),
    ),
  });
  return {
    bench: "results",
    what: [
      `Views of a measurement of ${small.probes} probes (small) and of one of ${large.probes} (large)`,
      `${rows} replies in the store`,
    ].join(", "),
    subjects: [...found.keys()],
    references: [],
    figures: [
      figure("s", 2, ({ seconds }) => seconds),
      figure("CPU s", 2, ({ cpuSeconds }) => cpuSeconds),
      figure("MB of the client", 0, ({ clientMegabytes }) => clientMegabytes),
      figure("MB of the store", 0, ({ storeMegabytes }) => storeMegabytes),
    ],
    notes: [
      `${(bytes / rows).toFixed(1)} bytes a reply on disk, with its projections.`,
      [
        "SQL: the same question as one statement, its rows read as JSON and thrown away; MB of the store are those of",
        "its whole process, with its caches.",
      ].join(" "),
      "First page: a table, as a user asks for it. Times of Vantage include its start.",
      "CPU s are those of client and store: they say what time does not on a machine with other work.",
    ],
  };
}
