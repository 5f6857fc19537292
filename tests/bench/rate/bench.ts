/** The rate that arrives beside the rate that was asked for, at the receiver's interface, over some seconds. */
import { cpus } from "node:os";
import { join } from "node:path";
import { inNamespace, LabError } from "../../lab/namespaces.ts";
import { linesOf } from "../lines.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { VethLink } from "../send/veth-link.ts";

const ratesPerSec = [10, 1000, 100_000];
const windowMs = 5000;
/** Probes beyond the window, so that it never runs dry. */
const spareSeconds = 2;

const subject = "vantage";
const reference = "asked for";

/** `--count` is the length of the window in milliseconds. */
export async function benchRate(options: BenchOptions): Promise<BenchReport> {
  const length = options.count ?? windowMs;
  const figures = ratesPerSec.map((rate) => ({
    unit: `at ${rate.toLocaleString("en")} packets/s`,
    decimals: 1,
    rounds: new Map<string, number[]>([
      [subject, []],
      [reference, [rate]],
    ]),
  }));
  await using link = await VethLink.make();
  for (let round = 1; round <= options.rounds; round++) {
    for (const [i, rate] of ratesPerSec.entries()) {
      figures[i]?.rounds.get(subject)?.push(await measure(link, rate, length));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "rate",
    what: `Packets/s that arrive in ${length / 1000} s, median of ${options.rounds} rounds`,
    subjects: [subject, reference],
    references: [reference],
    figures,
    notes: [
      `One packet more or less in the window is 0.2 packets/s; ${cpus().length} x ${cpus()[0]?.model ?? "CPU"}.`,
    ],
  };
}

async function measure(link: VethLink, ratePerSec: number, length: number): Promise<number> {
  const watch = spawn(link.receiver, "watch.ts", length);
  const lines = linesOf(watch.stdout);
  await lines.next();
  const probes = Math.ceil(ratePerSec * (length / 1000 + spareSeconds));
  const sender = spawn(link.sender, "../send/engine.ts", "packet", probes, ratePerSec);
  const { value } = await lines.next();
  sender.kill();
  await sender.exited;
  if (value === undefined) {
    throw new LabError(`Nothing arrived at ${ratePerSec} packets/s`);
  }
  const { packets, elapsedMs } = JSON.parse(value);
  return packets / (elapsedMs / 1000);
}

function spawn(namespace: string, file: string, ...args: (number | string)[]) {
  const command = [process.execPath, join(import.meta.dirname, file), ...args.map(String)];
  return Bun.spawn(inNamespace(namespace, command), { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
}
