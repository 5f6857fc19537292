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
import { runStep, type StepResult, stopRunningSteps } from "./run/run-step.ts";
import { type Step, stepsOf } from "./run/steps.ts";

const root = join(import.meta.dirname, "..");

const stepsAtOnce = 3;

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
  try {
    const results = await runAll(steps, folder);
    return summary(await runAgain(steps, results, (step) => runStep(step, { root, folder, print })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(steps: readonly Step[], folder: string): Promise<StepResult[]> {
  const queue = [...steps];
  const results: StepResult[] = [];
  const runNext = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      results.push(await runStep(step, { root, folder, print }));
    }
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, runNext));
  return results;
}

function summary({ results, passedAlone }: Awaited<ReturnType<typeof runAgain>>): number {
  const sum = (of: (result: StepResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const [passed, failed, skipped] = [sum((r) => r.passed), sum((r) => r.failed), sum((r) => r.skipped)];
  const bad = results.filter((result) => result.failed > 0).map((result) => result.name);
  console.log("");
  if (bad.length > 0) {
    console.log(`Failed: ${bad.join(", ")}. Again, only these: npm test -- ${bad.join(" ")}`);
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
