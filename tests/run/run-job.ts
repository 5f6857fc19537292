/** Runs one job: a failing test is shown at once with the command that repeats it, the output after a failure. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Cost } from "./costs.ts";
import type { Job } from "./jobs.ts";
import { countTests, type FailedTest, failedTests, skippedTests } from "./junit.ts";
import { largeFolderVariable } from "./large-folder.ts";

export interface JobResult {
  readonly job: Job;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The tests that were skipped, each with its file. */
  readonly skippedTests: readonly string[];
  /** The tests that failed; empty where the job failed in another way than by tests. */
  readonly failures: readonly FailedTest[];
  readonly cost: Cost;
}

interface JobContext {
  readonly root: string;
  /** For files of this run only. */
  readonly folder: string;
  /** The same, on disk. */
  readonly largeFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Receives what is to be shown. */
  readonly print: (text: string) => void;
}

/** Colours would end up in logs; a question would wait for ever; a root by `su` has no path to nft. */
const settings = {
  NO_COLOR: "1",
  FORCE_COLOR: "0",
  DEBIAN_FRONTEND: "noninteractive",
  PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin`,
  // Processes of tests end before WebAssembly that is compiled once more, for speed, has repaid it: half a second of
  // CPU for each embedded database.
  BUN_JSC_useOMGJIT: "0",
};
const graceMs = 5000;

const running = new Set<Bun.Subprocess>();
let jobsRun = 0;

export async function runJob(job: Job, place: JobContext): Promise<JobResult> {
  const startedAt = performance.now();
  jobsRun += 1;
  // Short: paths of Unix sockets below it have at most 107 bytes.
  const name = `j${jobsRun}`;
  const report = join(place.folder, `${name}.xml`);
  const temporary = new TemporaryFolder(join(place.folder, name));
  const large = new TemporaryFolder(join(place.largeFolder, `l${jobsRun}`));
  const folders = { TMPDIR: temporary.path, [largeFolderVariable]: large.path };
  const child = start(job, report, folders, place);
  running.add(child);
  const late = endLate(child, job.limitSeconds);
  const output = [new Output(), new Output()];
  const read = Promise.all([output[0]?.listen(child.stdout), output[1]?.listen(child.stderr)]);
  const exitCode = await child.exited;
  // A process that the job left behind may hold the pipes open: its later output is not waited for.
  await Promise.race([read, Bun.sleep(graceMs)]);
  running.delete(child);
  clearTimeout(late.timer);
  const left = [...temporary.remove(), ...large.remove()];
  if (left.length > 0) {
    place.print(`${job.name}: left behind in its temporary folder: ${left.join(", ")}\n`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const result = { job, ...counts(job, report, exitCode), cost: { seconds, cpuSeconds: cpuOf(child) } };
  rmSync(report, { force: true });
  if (result.failed > 0) {
    const reason = late.happened() ? `Ended after ${job.limitSeconds} s` : `Exit code ${exitCode}`;
    place.print(failureText(result, reason, output.map(({ text }) => text).join("")));
  }
  return result;
}

function start(job: Job, report: string, folders: Readonly<Record<string, string>>, place: JobContext) {
  const files = job.testFiles;
  const reporter = files === null ? [] : ["--reporter=junit", `--reporter-outfile=${report}`, ...files];
  return Bun.spawn([...job.command, ...reporter], {
    cwd: place.root,
    env: { ...process.env, ...settings, ...place.environment, ...folders },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Names each failed test and how to repeat it, after all that was printed. */
function failureText(result: JobResult, reason: string, output: string): string {
  const { job, failures } = result;
  const repeats = failures.map((test) => `  ${repeatCommand(test)}\n`);
  const again = failures.length === 0 ? `  npm test -- ${job.name}\n` : repeats.join("");
  return `\n--- FAILED: ${job.name}. ${reason}\n${withoutPassed(output)}\nRepeat:\n${again}--- end of ${job.name}\n\n`;
}

/** The command of a shell that runs just this test. */
export function repeatCommand({ file, name }: FailedTest): string {
  return `bun test ./${file} -t '${patternOf([name]).replaceAll("'", "'\\''")}'`;
}

/** For `bun test -t`: exactly the tests with these names. */
export function patternOf(names: readonly string[]): string {
  return `^(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})$`;
}

/** Hundreds of lines of passed tests would hide the reason, and a log that is cut short would lose it. */
function withoutPassed(output: string): string {
  const lines = output.split("\n").filter((line) => !line.startsWith("(pass)"));
  return lines.join("\n").trimEnd();
}

/** Ends the jobs in progress, and waits while they clear up after themselves. */
export async function stopRunningJobs(signal: NodeJS.Signals): Promise<void> {
  const children = [...running];
  for (const child of children) {
    child.kill(signal);
  }
  await Promise.race([Promise.all(children.map(({ exited }) => exited)), Bun.sleep(graceMs)]);
}

function counts(job: Job, report: string, exitCode: number): Omit<JobResult, "job" | "cost"> {
  const ok = exitCode === 0;
  const isCheck = job.testFiles === null;
  if (isCheck || !existsSync(report)) {
    return {
      passed: ok && isCheck ? 1 : 0,
      failed: ok && isCheck ? 0 : 1,
      skipped: 0,
      skippedTests: [],
      failures: [],
    };
  }
  const xml = readFileSync(report, "utf8");
  const tests = countTests(xml);
  // A file that does not load, or a crash after the last test, fails without a failing test.
  return {
    ...tests,
    failed: ok ? tests.failed : Math.max(1, tests.failed),
    failures: failedTests(xml),
    skippedTests: skippedTests(xml),
  };
}

/** CPU seconds of the job and of all children that it has waited for. */
function cpuOf(child: Bun.Subprocess): number {
  return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
}

function endLate(child: Bun.Subprocess, limitSeconds: number) {
  let happened = false;
  const timer = setTimeout(() => {
    happened = true;
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), graceMs).unref();
  }, limitSeconds * 1000);
  return { timer, happened: () => happened };
}

class Output {
  text = "";

  async listen(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.text += decoder.decode(chunk, { stream: true });
    }
  }
}

/** A folder for what tests write on the side, which goes whatever they leave in it. */
class TemporaryFolder {
  readonly path: string;

  /** Everybody may write in it, as in /tmp: engines run as users of their own. */
  constructor(path: string) {
    this.path = path;
    mkdirSync(path);
    chmodSync(path, 0o1777);
  }

  /** The names of what was left in it, and the reason where something cannot be removed, as a mount. */
  remove(): string[] {
    const left = readdirSync(this.path);
    try {
      rmSync(this.path, { recursive: true, force: true });
      return left;
    } catch (error) {
      return [...left, String(error)];
    }
  }
}
