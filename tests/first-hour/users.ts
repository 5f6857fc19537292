/**
 * Four kinds of users with nothing but a release archive: the stories that other tests play, by the archive's program.
 * What a result must have is known from the laboratory's drawing, so no result that ended early passes as whole.
 */
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";
import { tierEnvironment } from "../run/tier.ts";
import { programVariable } from "../run/vantage-command.ts";
import type { TimedStep } from "./first-hour.ts";

const project = join(import.meta.dirname, "../..");
const timeoutMs = 600_000;

/** Files of tests whose program is the one that a variable names. */
const stories: Readonly<Record<string, readonly string[]>> = {
  "A researcher": ["tests/lab/trace-many.test.ts", "tests/lab/discovery.test.ts"],
  "An operator": ["tests/docs/operate.test.ts", "tests/docs/backup.test.ts"],
  "A student": ["tests/lab/exchange/stack-outside.test.ts", "tests/lab/exchange/stack-exchange.test.ts"],
  "In the console": ["tests/browser/console.test.ts", "tests/browser/measurement.test.ts"],
};

/** Rejects with what was printed when something is not as it should be. */
export async function playUsers(program: string): Promise<TimedStep[]> {
  const steps: TimedStep[] = [];
  for (const [heading, files] of Object.entries(stories)) {
    for (const file of files) {
      const startedMs = performance.now();
      const command = [process.execPath, "test", `--timeout=${timeoutMs}`, file];
      const env = { ...process.env, ...tierEnvironment("long"), [programVariable]: program };
      const { exitCode, stderr } = await runToEnd(command, { cwd: project, env });
      if (exitCode !== 0) {
        throw new Error(`${file}: exit code ${exitCode}\n${stderr}`);
      }
      const passed = /^ *(\d+) pass$/m.exec(stderr)?.[1] ?? "0";
      steps.push({
        heading,
        commands: `${file}: ${passed} passed`,
        elapsedMs: performance.now() - startedMs,
      });
    }
  }
  return steps;
}
