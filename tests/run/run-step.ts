/** Runs one step: failing tests are shown at once, the output but for passed tests after a failure, the time always. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { countTests, failuresByFile, secondsByFile } from "./junit.ts";
import type { Step } from "./steps.ts";

export interface StepResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of the tests that failed, by file; empty where the step failed in another way than by tests. */
  readonly failures: ReadonlyMap<string, readonly string[]>;
}

interface StepContext {
  readonly root: string;
  /** For files of this run only. */
  readonly folder: string;
  /** Receives progress lines. */
  readonly print: (text: string) => void;
}

/** Colours would end up in logs; a question would wait for ever; a root by `su` has no path to nft. */
const settings = {
  NO_COLOR: "1",
  FORCE_COLOR: "0",
  DEBIAN_FRONTEND: "noninteractive",
  PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin`,
};
const graceMs = 5000;
const slowSeconds = 10;
const slowestMax = 8;

const running = new Set<Bun.Subprocess>();

export async function runStep(step: Step, place: StepContext): Promise<StepResult> {
  const startedAt = performance.now();
  const report = join(place.folder, `${step.name}.xml`);
  rmSync(report, { force: true });
  const files = step.testFiles;
  const reporter = files === null ? [] : ["--reporter=junit", `--reporter-outfile=${report}`, ...files];
  place.print(`${step.name.padEnd(12)}${step.purpose} …\n`);
  const temporary = new TemporaryFolder(join(place.folder, step.name));
  const child = Bun.spawn([...step.command, ...reporter], {
    cwd: place.root,
    env: { ...process.env, ...settings, TMPDIR: temporary.path },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  const late = endLate(child, step.limitSeconds);
  const tell = (line: string) => place.print(`  ${step.name}: ${line}\n`);
  const output = [new Output(tell), new Output(tell)];
  const read = Promise.all([output[0]?.listen(child.stdout), output[1]?.listen(child.stderr)]);
  const exitCode = await child.exited;
  // A process that the step left behind may hold the pipes open: what it says later is not waited for.
  await Promise.race([read, Bun.sleep(graceMs)]);
  running.delete(child);
  clearTimeout(late.timer);
  for (const name of temporary.remove()) {
    place.print(`  ${step.name}: left behind in its temporary folder: ${name}\n`);
  }
  const result = { name: step.name, ...counts(step, report, exitCode) };
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const tests = files !== null ? `, ${result.passed} of ${result.passed + result.failed} tests` : "";
  const end = result.failed === 0 ? "ok" : "FAILED";
  place.print(`${step.name.padEnd(12)}${end}${tests}, ${seconds} s${cpuOf(child)}${slowestOf(report)}\n`);
  if (result.failed > 0) {
    const reason = late.happened() ? `\nEnded after ${step.limitSeconds} s` : "";
    const command = `${step.command.slice(0, 2).join(" ")} …`;
    const said = withoutPassed(output.map((one) => one.text).join(""));
    place.print(
      `\n--- ${step.name}: ${command} exit code ${exitCode}\n${said}${reason}\n--- end of ${step.name}\n\n`,
    );
  }
  return result;
}

/** Hundreds of lines of passed tests would hide the reason, and a log that is cut short would lose it. */
function withoutPassed(said: string): string {
  const lines = said.split("\n").filter((line) => !line.startsWith("(pass)"));
  return lines.join("\n").trimEnd();
}

/** Ends the steps in progress, and waits while they clear up after themselves. */
export async function stopRunningSteps(signal: NodeJS.Signals): Promise<void> {
  const children = [...running];
  for (const child of children) {
    child.kill(signal);
  }
  await Promise.race([Promise.all(children.map(({ exited }) => exited)), Bun.sleep(graceMs)]);
}

function counts(step: Step, report: string, exitCode: number): Omit<StepResult, "name"> {
  const ok = exitCode === 0;
  const isCheck = step.testFiles === null;
  if (isCheck || !existsSync(report)) {
    return { passed: ok && isCheck ? 1 : 0, failed: ok && isCheck ? 0 : 1, skipped: 0, failures: new Map() };
  }
  const xml = readFileSync(report, "utf8");
  const tests = countTests(xml);
  // A file that does not load, or a crash after the last test, fails without a failing test.
  return { ...tests, failed: ok ? tests.failed : Math.max(1, tests.failed), failures: failuresByFile(xml) };
}

/** CPU of the step and of all children that it has waited for. */
function cpuOf(child: Bun.Subprocess): string {
  const microseconds = child.resourceUsage()?.cpuTime.total;
  return microseconds === undefined ? "" : `, ${(Number(microseconds) / 1e6).toFixed(0)} s of CPU`;
}

/** The files to look at first when a run takes too long. */
function slowestOf(report: string): string {
  const files = existsSync(report) ? secondsByFile(readFileSync(report, "utf8")) : [];
  const slow = files.filter(([, seconds]) => seconds >= slowSeconds).slice(0, slowestMax);
  const words = slow.map(
    ([file, seconds]) => `${file.replace(/^tests\/|\.test\.ts$/g, "")} ${seconds.toFixed(0)}`,
  );
  return words.length === 0 ? "" : ` (slowest: ${words.join(", ")})`;
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

/** What a step says; a line that tells of a failing test is passed on at once, and once: bun lists them again. */
class Output {
  text = "";
  readonly #told = new Set<string>();
  readonly #say: (line: string) => void;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  async listen(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let shownTo = 0;
    for await (const chunk of stream) {
      this.text += decoder.decode(chunk, { stream: true });
      const wholeLines = this.text.lastIndexOf("\n") + 1;
      const lines = this.text.slice(shownTo, wholeLines).split("\n");
      shownTo = wholeLines;
      for (const line of lines.filter((one) => one.startsWith("(fail)"))) {
        this.#tell(line);
      }
    }
  }

  /** The time behind a name may be another one in bun's list. */
  #tell(line: string): void {
    const name = line.replace(/ \[[\d.]+m?s\]$/, "");
    if (!this.#told.has(name)) {
      this.#told.add(name);
      this.#say(line);
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
