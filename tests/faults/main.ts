/**
 * `npm run test:faults`: real engines and our own processes fail, one after the other, in the middle of a campaign with
 * leases being taken. Afterwards every probe is held against the wire and the store: docs/internals/faults.md.
 *
 * Everything runs on one host of a small network of namespaces, so nothing leaves the machine. Needs root. Exit code 1
 * when something was lost or doubled, or does not come back; 2 on wrong usage.
 */
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { batchFramesMax } from "../../ffi/frame-sender.ts";
import { kafkaFiles } from "../kafka/kafka-files.ts";
import { Internet } from "../lab/internet.ts";
import { killNames } from "./fault-names.ts";
import { type FaultOptions, readOptions, usage } from "./options.ts";
import { problemsOf, type Report, reportText } from "./report.ts";
import { faultNetwork, hostNode, routerNode } from "./topology.ts";
import type { Namespaces } from "./wire-log.ts";

export interface InsideOrder {
  readonly options: FaultOptions;
  readonly folder: string;
  readonly namespaces: Namespaces;
  readonly rateProbesPerSec: number;
  readonly reportFile: string;
}

/** Besides the outage or the wait of a supervisor: until all is well again, about. */
const recoverySec = { outage: 4, kill: 4 };
/** A block of the kernel's ring is handed over each 2 ms. A second is for a machine that has no time for its agent. */
const inKernelMsMax = 1000;

/** So slow that the campaign outlasts the faults; what remains is sent faster at the end. */
function rateOf({ rateProbesPerSec, probes, outageMs, restartMs, faults }: FaultOptions): number {
  if (rateProbesPerSec !== null) {
    return rateProbesPerSec;
  }
  const kills = killNames.filter((name) => faults.includes(name)).length;
  const outageSec = (faults.length - kills) * (outageMs / 1000 + recoverySec.outage);
  const killSec = kills * (restartMs / 1000 + recoverySec.kill);
  return Math.ceil(probes / 2 / (outageSec + killSec));
}

async function main(args: readonly string[]): Promise<number> {
  let options: FaultOptions;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
    return 2;
  }
  const rateProbesPerSec = rateOf(options);
  // In the namespace there is nowhere to fetch it from.
  await kafkaFiles();
  const report = await runInside(options, rateProbesPerSec);
  if (report === null) {
    return 1;
  }
  const limits = {
    tailMsMax: inKernelMsMax,
    // One batch, which was with the kernel and not noted yet.
    repeatedMax: batchFramesMax,
  };
  const problems = problemsOf(report, limits);
  const text = options.json ? `${JSON.stringify({ ...report, problems })}\n` : reportText(report);
  process.stdout.write(text);
  for (const problem of problems) {
    process.stderr.write(`${problem}\n`);
  }
  return problems.length === 0 ? 0 : 1;
}

/** Null when it has failed, and said why. */
async function runInside(options: FaultOptions, rateProbesPerSec: number): Promise<Report | null> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-faults-"));
  // PostgreSQL, which is another user, has its folder in it.
  chmodSync(folder, 0o711);
  try {
    await using net = await Internet.start(faultNetwork);
    // By a signal, too: the network has ended then what writes there.
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    const namespaces = { host: net.namespaceOf(hostNode), router: net.namespaceOf(routerNode) };
    const reportFile = join(folder, "report.json");
    const order: InsideOrder = { options, folder, namespaces, rateProbesPerSec, reportFile };
    const script = join(import.meta.dirname, "inside.ts");
    const child = Bun.spawn(net.at(hostNode, [process.execPath, script, JSON.stringify(order)]), {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, TMPDIR: folder },
    });
    const isDone = (await child.exited) === 0;
    return isDone ? (JSON.parse(readFileSync(reportFile, "utf8")) as Report) : null;
  } finally {
    keepLogs(folder, options.logs);
    rmSync(folder, { recursive: true, force: true });
  }
}

function keepLogs(folder: string, to: string | null): void {
  if (to !== null) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(folder).filter((one) => one.endsWith(".log"))) {
      copyFileSync(join(folder, name), join(to, name));
    }
  }
}

if (import.meta.main) {
  process.exitCode = await main(Bun.argv.slice(2));
}
