/**
 * Runs every check of the project, step by step, and says how many passed: what `npm test` does after the set-up.
 *
 *   bun tests/run.ts [step…]
 *
 * Three steps run at a time, as most of them wait more than they work; one that fails does not stop the others. The
 * last line stands alone: `N passed, N failed`, where each test of bun counts as one, and so does each step that is
 * not made of tests. A few tests that failed run again alone, and are named. Exit code 1 when anything failed or no
 * test ran, 2 on an unknown step.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAgain } from "./run/again.ts";
import { pathsOutside } from "./run/outside.ts";
import { runStep, type StepResult, stopRunningSteps } from "./run/run-step.ts";
import { type Step, stepsOf } from "./run/steps.ts";
import { programVariable } from "./run/vantage-command.ts";

const root = join(import.meta.dirname, "..");

const stepsAtOnce = 3;

/** Steps that start no `vantage`: alone, they do not wait until it is built. */
const withoutProgram = ["lint", "types", "page-types", "generated", "unit", "vectors", "properties"];

function print(text: string): void {
  process.stdout.write(text);
}

async function main(names: readonly string[]): Promise<number> {
  const all = stepsOf(root);
  const unknown = names.find((name) => !all.some((step) => step.name === name));
  if (unknown !== undefined || names.includes("--help")) {
    const list = all.map((step) => `  ${step.name.padEnd(12)}${step.purpose}`).join("\n");
    const stream = names.includes("--help") ? process.stdout : process.stderr;
    stream.write(`Usage: bun tests/run.ts [step…]\n\nSteps:\n${list}\n`);
    return names.includes("--help") ? 0 : 2;
  }
  const steps = names.length === 0 ? all : all.filter((step) => names.includes(step.name));
  const folder = mkdtempSync(join(tmpdir(), "vantage-test-"));
  // Engines that run as users of their own have folders below it.
  chmodSync(folder, 0o711);
  const end = async (signal: NodeJS.Signals) => {
    await stopRunningSteps(signal);
    rmSync(folder, { recursive: true, force: true });
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  process.once("SIGINT", end).once("SIGTERM", end);
  const before = pathsOutside();
  try {
    const results = [...(await build(steps, folder)), ...(await runAll(steps, folder))];
    const repeated = await runAgain(steps, results, (step) => runStep(step, { root, folder, print }));
    return summary({ ...repeated, results: [...repeated.results, outside(before)] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The executable for all steps; without it they start the sources. */
async function build(steps: readonly Step[], folder: string): Promise<StepResult[]> {
  if (steps.every(({ name }) => withoutProgram.includes(name))) {
    return [];
  }
  // Not the step's own folder, which goes with the step.
  const place = join(folder, "built");
  const command = [process.execPath, join(root, "tests/run/program.ts"), place];
  const purpose = "the executable that tests start";
  const step = { name: "program", purpose, command, testFiles: null, limitSeconds: 300 };
  const result = await runStep(step, { root, folder, print });
  if (result.failed === 0) {
    process.env[programVariable] = join(place, "vantage");
  }
  return [result];
}

async function runAll(steps: readonly Step[], folder: string): Promise<StepResult[]> {
  const queue = [...steps];
  const results: StepResult[] = [];
  const chains = await Promise.all(
    Array.from({ length: stepsAtOnce }, async () => {
      const chain: (readonly [name: string, seconds: number])[] = [];
      for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
        const startedAt = performance.now();
        results.push(await runStep(step, { root, folder, print }));
        chain.push([step.name, (performance.now() - startedAt) / 1000]);
      }
      return chain;
    }),
  );
  const secondsOf = (chain: (typeof chains)[number]) => chain.reduce((sum, [, seconds]) => sum + seconds, 0);
  const [longest = []] = chains.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  const parts = longest.map(([name, seconds]) => `${name} ${seconds.toFixed(0)}`);
  print(`\nThe longest chain: ${parts.join(", ")}; ${secondsOf(longest).toFixed(0)} s in all\n`);
  return results;
}

/** One check of the whole run, as it cannot be told which of the steps that ran at once has made a path. */
function outside(before: ReadonlySet<string>): StepResult {
  const appeared = [...pathsOutside()].filter((path) => !before.has(path));
  for (const path of appeared) {
    print(`Made outside of the temporary folder, so mend the test that did: ${path}\n`);
  }
  const isClean = appeared.length === 0;
  return {
    name: "outside",
    passed: isClean ? 1 : 0,
    failed: isClean ? 0 : 1,
    skipped: 0,
    failures: new Map(),
  };
}

function summary({ results, passedAlone }: Awaited<ReturnType<typeof runAgain>>): number {
  const sum = (of: (result: StepResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const [passed, failed, skipped] = [sum((r) => r.passed), sum((r) => r.failed), sum((r) => r.skipped)];
  const bad = results.filter((result) => result.failed > 0).map((result) => result.name);
  console.log("");
  if (bad.length > 0) {
    const again = bad.filter((name) => !["program", "outside"].includes(name));
    console.log(`Failed: ${bad.join(", ")}. Again, only these: npm test -- ${again.join(" ")}`);
  }
  for (const name of passedAlone) {
    console.log(`Failed beside other steps and passed alone, so mend this test or what it tests: ${name}`);
  }
  if (skipped > 0) {
    console.log(`${skipped} skipped`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

process.exitCode = await main(Bun.argv.slice(2));
