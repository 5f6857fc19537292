/**
 * Runs every check of the project and says how many passed: what `npm test` does after the set-up.
 *
 *   bun tests/run.ts [--all] [STEP | FILE | FOLDER]…
 *
 * One queue of checks and test files, six at a time, the longest first. A failure is shown at once, and does not stop
 * the others; what failed runs again at the end, alone, and is named where it passes then: a warning, or a failure
 * where VANTAGE_TEST_STRICT is set. The last line stands alone: `N passed, N failed`, where each test of bun counts
 * as one, and so does each check. Exit code 1 when anything failed or no test ran, 2 on an unknown name.
 */
import { join } from "node:path";
import { runAgain } from "./run/again.ts";
import { Costs } from "./run/costs.ts";
import { type Job, jobsOf, namedPart, stepsWithPurpose } from "./run/jobs.ts";
import { pathsOutside } from "./run/outside.ts";
import { Progress } from "./run/progress.ts";
import { runQueue } from "./run/queue.ts";
import { RunFolder } from "./run/run-folder.ts";
import { type JobResult, repeatCommand, runJob, stopRunningJobs } from "./run/run-job.ts";
import { SharedParts } from "./run/shared-parts.ts";
import { type Tier, tierEnvironment } from "./run/tier.ts";
import { programVariable } from "./run/vantage-command.ts";

const root = join(import.meta.dirname, "..");

/** Steps that start no `vantage`: alone, they do not wait until it is built. */
const withoutProgram = ["lint", "types", "page-types", "generated", "unit", "vectors", "properties"];
const slowestMax = 20;
const skippedMax = 40;

const progress = new Progress((text) => process.stdout.write(text), process.stdout.isTTY === true);
const print = (text: string) => progress.print(text);

async function main(words: readonly string[]): Promise<number> {
  if (words.includes("--help")) {
    process.stdout.write(usage());
    return 0;
  }
  const tier: Tier = words.includes("--all") ? "long" : "usual";
  const names = words.filter((word) => word !== "--all");
  // Who names a file wants it, whatever its tier; with --all also what it leaves out of the usual one.
  const all = jobsOf(root, names.length > 0 ? "long" : tier);
  const unknown = names.find((name) => all.every((job) => namedPart(job, [name]) === null));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown step, file or folder: ${unknown}\n\n${usage()}`);
    return 2;
  }
  const jobs = names.length === 0 ? all : all.flatMap((job) => namedPart(job, names) ?? []);
  return await runIn(jobs, tier);
}

async function runIn(jobs: readonly Job[], tier: Tier): Promise<number> {
  using folders = new RunFolder();
  // For engines of the runner.
  process.env.TMPDIR = folders.small;
  const end = async (signal: NodeJS.Signals): Promise<never> => {
    await stopRunningJobs(signal);
    await shared[Symbol.asyncDispose]();
    folders[Symbol.dispose]();
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  // A second signal does not cut the end short: who presses Ctrl-C twice, and `timeout`, send it.
  let isEnding = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (!isEnding) {
        isEnding = true;
        void end(signal);
      }
    });
  }
  const before = pathsOutside();
  const startedAt = performance.now();
  const environment: Record<string, string> = tierEnvironment(tier);
  await using shared = new SharedParts({ folder: folders.large, environment });
  Object.assign(environment, shared.environment());
  const run = (job: Job) =>
    runJob(job, { root, folder: folders.small, largeFolder: folders.large, environment, print });
  const costs = new Costs(root);
  const built = await build(jobs, folders.large, environment, run);
  const first = await runQueue(jobs, { costs, progress, run });
  const { results, passedAlone } = await runAgain(first, run);
  progress.end();
  printCosts(first, performance.now() - startedAt);
  return summary([...built, ...results, outside(before)], passedAlone.map(repeatCommand), tier);
}

/** The executable for all jobs; without it they start the sources. */
async function build(
  jobs: readonly Job[],
  folder: string,
  environment: Record<string, string>,
  run: (job: Job) => Promise<JobResult>,
): Promise<JobResult[]> {
  if (jobs.every(({ step }) => withoutProgram.includes(step))) {
    return [];
  }
  const place = join(folder, "built");
  const command = [process.execPath, join(root, "tests/run/program.ts"), place];
  const result = await run({ name: "program", step: "program", command, testFiles: null, limitSeconds: 600 });
  if (result.failed === 0) {
    environment[programVariable] = join(place, "vantage");
  }
  return [result];
}

/** One check of the whole run, as it cannot be said which of the jobs that ran at once has made a path. */
function outside(before: ReadonlySet<string>): JobResult {
  const appeared = [...pathsOutside()].filter((path) => !before.has(path));
  for (const path of appeared) {
    print(`Made outside of the temporary folder, so mend the test that did: ${path}\n`);
  }
  const isClean = appeared.length === 0;
  const job: Job = { name: "outside", step: "outside", command: [], testFiles: null, limitSeconds: 0 };
  return {
    ...{ job, passed: isClean ? 1 : 0, failed: isClean ? 0 : 1, skipped: 0, skippedTests: [], failures: [] },
    cost: { seconds: 0, cpuSeconds: 0 },
  };
}

/** Where to begin when a run takes too long. */
function printCosts(results: readonly JobResult[], elapsedMs: number): void {
  const cpuSeconds = results.reduce((sum, { cost }) => sum + cost.cpuSeconds, 0);
  const slowest = results.toSorted((a, b) => b.cost.seconds - a.cost.seconds).slice(0, slowestMax);
  const lines = slowest.map(
    ({ job, cost }) =>
      `${cost.seconds.toFixed(0).padStart(6)} ${cost.cpuSeconds.toFixed(0).padStart(6)}  ${job.name}`,
  );
  console.log(`\nThe slowest, in seconds and seconds of CPU:\n${lines.join("\n")}`);
  console.log(`${(elapsedMs / 1000).toFixed(0)} s in all, ${(cpuSeconds / 60).toFixed(1)} minutes of CPU`);
}

function summary(results: readonly JobResult[], passedAlone: readonly string[], tier: Tier): number {
  const sum = (of: (result: JobResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const isStrict = (process.env.VANTAGE_TEST_STRICT ?? "") !== "";
  const skipped = sum((result) => result.skipped);
  const second = isStrict ? passedAlone.length : 0;
  const [passed, failed] = [sum((result) => result.passed) - second, sum((result) => result.failed) + second];
  const bad = results.filter((result) => result.failed > 0).map(({ job }) => job.name);
  if (bad.length > 0) {
    const again = bad.filter((name) => !["program", "outside"].includes(name));
    console.log(`Failed: ${bad.join(", ")}. Again, only these: npm test -- ${again.join(" ")}`);
  }
  for (const command of passedAlone) {
    const weight = isStrict ? "a failure" : "a warning";
    console.log(
      `Failed at first and passed alone, ${weight}, so mend this test or what it tests: ${command}`,
    );
  }
  printSkipped(results, skipped);
  if (tier === "usual") {
    console.log("The tests of the long tier did not run: npm run test:all");
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

/** What this machine lacks, as the names of the tests say. */
function printSkipped(results: readonly JobResult[], count: number): void {
  if (count > 0) {
    const names = results.flatMap(({ skippedTests }) => skippedTests);
    const more = names.length > skippedMax ? [`and ${names.length - skippedMax} more`] : [];
    const lines = [...names.slice(0, skippedMax), ...more].map((line) => `  ${line}`);
    console.log([`${count} skipped:`, ...lines].join("\n"));
  }
}

function usage(): string {
  const list = stepsWithPurpose().map(([name, purpose]) => `  ${name.padEnd(12)}${purpose}`);
  const head = `Usage: bun tests/run.ts [--all] [STEP | FILE | FOLDER]…

--all adds the long tier: files, and what others test more of in it.

Steps:`;
  return `${head}\n${list.join("\n")}\n`;
}

process.exitCode = await main(Bun.argv.slice(2));
