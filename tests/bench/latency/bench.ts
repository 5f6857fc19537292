/**
 * From the packet to the row: how long after an answer was captured a query of the store shows it, at a low rate,
 * with the embedded engines as `vantage stack` and `vantage agent` have them by default.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ColumnStore, openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { Internet } from "../../lab/internet.ts";
import { LabError, run } from "../../lab/namespaces.ts";
import { Pipeline } from "../../lab/pipeline.ts";
import { internet } from "../../lab/topology.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { spreadOf } from "../spread.ts";

const probesDefault = 60;
const rateProbesPerSec = 10;
const limitMs = 300;
const lookEveryMs = 5;
const waitMsMax = 60_000;
const vantage = [process.execPath, join(import.meta.dirname, "../../../apps/vantage.ts")];

const ours = "vantage";
const reference = "limit";

/** `folder` is for the probe lines. Throws when rows are missing at the end. */
export async function benchLatency(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? probesDefault;
  const lines = join(folder, "probes.csv");
  const line = (_: unknown, i: number) => `203.0.113.10,${20_000 + i},33434,1,UDP\n`;
  writeFileSync(lines, Array.from({ length: count }, line).join(""));
  const rounds: number[][] = [];
  await using net = await Internet.start(internet);
  for (let round = 1; round <= options.rounds; round++) {
    rounds.push(await measure(net, lines, count));
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const medians = rounds.map((delays) => spreadOf(delays).median);
  const worst = rounds.map((delays) => Math.max(...delays));
  return {
    bench: "latency",
    what: `Capture to visible row, ${count} answers at ${rateProbesPerSec}/s, median of ${options.rounds} rounds`,
    subjects: [ours, reference],
    references: [reference],
    figures: [
      {
        unit: "ms (median)",
        decimals: 0,
        rounds: new Map([
          [ours, medians],
          [reference, [limitMs]],
        ]),
      },
      { unit: "ms (latest)", decimals: 0, rounds: new Map([[ours, worst]]) },
    ],
    notes: [`The store is asked again every ${lookEveryMs} ms.`],
  };
}

async function measure(net: Internet, lines: string, count: number): Promise<number[]> {
  await using pipeline = await Pipeline.start(net, { probingRate: rateProbesPerSec });
  await using store = await openStore(`chdb:${join(pipeline.folder, "stack", "store")}`);
  const measurementId = crypto.randomUUID();
  const command = [...vantage, "client", "--config", pipeline.clientConfig, "-p", lines, "--no-wait"];
  await run([...command, "--measurement-id", measurementId, "east:10.101.0.9"]);
  const delays = new Map<string, number>();
  const untilMs = performance.now() + waitMsMax;
  while (delays.size < count) {
    if (performance.now() > untilMs) {
      throw new LabError(`Only ${delays.size} of ${count} rows came`);
    }
    await look(store, measurementId, delays);
    await Bun.sleep(lookEveryMs);
  }
  return [...delays.values()];
}

/** Notes how old each row is that was not there before; both clocks are this machine's. */
async function look(store: ColumnStore, measurementId: string, delays: Map<string, number>): Promise<void> {
  const answer = await store.client.query({
    query: `SELECT toString(toUnixTimestamp64Nano(time_received_ns)) AS receivedNs FROM measure.replies
      WHERE measurement_id = {id:String}`,
    query_params: { id: measurementId },
    format: "JSONEachRow",
  });
  const rows = await answer.json<{ receivedNs: string }>();
  const nowMs = Date.now();
  for (const { receivedNs } of rows) {
    if (!delays.has(receivedNs)) {
      delays.set(receivedNs, nowMs - Number(receivedNs) / 1e6);
    }
  }
}
