/**
 * From lines in a file to rows in the store: client, embedded broker, agent, the lab's kernel routers, ingester and
 * column store, all on this machine. Every probe is answered; the time ends with the last row.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { Internet } from "../../lab/internet.ts";
import { LabError, run } from "../../lab/namespaces.ts";
import { Pipeline } from "../../lab/pipeline.ts";
import { internet } from "../../lab/topology.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { type Usage, usageByName } from "./process-usage.ts";

const probesDefault = 200_000;
/** More than two cores can do, so that the slowest part sets the pace. */
const rateProbesPerSec = 100_000;
const ttls = [1, 2, 5, 7];
const settleMsMax = 120_000;
const lookEveryMs = 250;

const whole = "whole pipeline";
const parts: Readonly<Record<string, string>> = {
  "agent --config": "agent",
  "stack ingest": "ingester",
  "stack store": "store",
  "vantage.ts client": "client",
};

const vantage = [process.execPath, join(import.meta.dirname, "../../../apps/vantage.ts")];

interface Round {
  readonly rowsPerSec: number;
  readonly usages: ReadonlyMap<string, Usage>;
}

/** `folder` is for the probe lines. Throws when rows are missing at the end. */
export async function benchPipeline(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? probesDefault;
  const lines = join(folder, "probes.csv");
  writeFileSync(lines, probeLines(count));
  const rounds: Round[] = [];
  await using net = await Internet.start(internet);
  for (let round = 1; round <= options.rounds; round++) {
    rounds.push(await measure(net, lines, count));
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const names = Object.values(parts);
  const ofParts = (of: (usage: Usage) => number) =>
    new Map(names.map((name) => [name, rounds.map(({ usages }) => of(usages.get(name) ?? nothing))]));
  const rates = rounds.map(({ rowsPerSec }) => rowsPerSec);
  return {
    bench: "pipeline",
    what: `${count} probe lines to as many rows, one reply a record, median of ${options.rounds} rounds`,
    subjects: [whole, ...names],
    references: [],
    figures: [
      { unit: "rows/s", decimals: 0, rounds: new Map([[whole, rates]]) },
      { unit: "CPU s", decimals: 2, rounds: ofParts(({ cpuSec }) => cpuSec) },
      { unit: "peak MB", decimals: 0, rounds: ofParts(({ peakMb }) => peakMb) },
    ],
    notes: [
      "From the start of the client to the last row seen; starting the stack and the agents is left out.",
      `Routers, stack, agents and client share ${cpus().length} x ${cpus()[0]?.model ?? "CPU"}.`,
    ],
  };
}

const nothing: Usage = { cpuSec: 0, peakMb: 0 };

async function measure(net: Internet, lines: string, count: number): Promise<Round> {
  await using pipeline = await Pipeline.start(net, { probingRate: rateProbesPerSec });
  const measurementId = crypto.randomUUID();
  const command = [...vantage, "client", "--config", pipeline.clientConfig, "-p", lines, "--no-wait"];
  const startedAtMs = performance.now();
  const client = Bun.spawn([...command, "--measurement-id", measurementId, "east:10.101.0.9"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaint = await new Response(client.stderr).text();
  if ((await client.exited) !== 0) {
    throw new LabError(`Cannot submit: ${complaint.trim()}`);
  }
  const { cpuTime, maxRSS } = client.resourceUsage() ?? { cpuTime: { total: 0 }, maxRSS: 0 };
  await waitForRows(pipeline, measurementId, count);
  const elapsedMs = performance.now() - startedAtMs;
  const usages = usageByName(process.pid, parts);
  usages.set("client", { cpuSec: Number(cpuTime.total) / 1e6, peakMb: maxRSS / 2 ** 20 });
  return { rowsPerSec: count / (elapsedMs / 1000), usages };
}

async function waitForRows(pipeline: Pipeline, measurementId: string, count: number): Promise<void> {
  const command = [
    ...vantage,
    "replies",
    "-c",
    pipeline.clientConfig,
    "-v",
    "loss",
    "-o",
    "json",
    measurementId,
  ];
  const untilMs = performance.now() + settleMsMax;
  let rows = 0;
  while (performance.now() < untilMs) {
    await Bun.sleep(lookEveryMs);
    const found = JSON.parse((await run(command).catch(() => "[]")) || "[]");
    rows = found.reduce((sum: number, row: { replies: number }) => sum + row.replies, 0);
    if (rows >= count) {
      return;
    }
  }
  throw new LabError(`Only ${rows} of ${count} rows came`);
}

function probeLines(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const flow = 10_000 + (Math.floor(i / ttls.length) % 50_000);
    return `203.0.113.10,${flow},33434,${ttls[i % ttls.length]},UDP`;
  });
  return `${lines.join("\n")}\n`;
}
