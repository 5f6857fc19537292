/**
 * What failed runs again, alone, in a fresh process. A test that then passes leans on the load of the machine or met
 * a rare fault: it is named, and fails a strict run. A test behind one that timed out was not judged the first
 * time, as Bun had killed the processes of its file: its second run is its first. Few tests only: many that
 * fail are a fault, and their second run would take too long.
 */
import type { Job } from "./jobs.ts";
import type { FailedTest } from "./junit.ts";
import { type JobResult, patternOf } from "./run-job.ts";

const testsAgainMax = 24;

interface Repeated {
  readonly results: readonly JobResult[];
  /** Tests that failed at first and passed alone. */
  readonly passedAlone: readonly FailedTest[];
}

/** `run` gets a job with the file and the tests that failed; a job that failed in another way stays failed. */
export async function runAgain(
  results: readonly JobResult[],
  run: (job: Job) => Promise<JobResult>,
): Promise<Repeated> {
  const sum = results.reduce((total, { failed }) => total + failed, 0);
  if (sum > testsAgainMax) {
    return { results, passedAlone: [] };
  }
  const passedAlone: FailedTest[] = [];
  const repeated: JobResult[] = [];
  for (const result of results) {
    if (result.failed === 0 || result.failed !== result.failures.length) {
      repeated.push(result);
      continue;
    }
    const alone = await aloneOf(result, run);
    const passed = result.failures.filter((test) => !alone.has(keyOf(test)));
    passedAlone.push(...passed.filter(({ isJudged }) => isJudged));
    const failures = result.failures.filter((test) => alone.has(keyOf(test)));
    repeated.push({
      ...result,
      failures,
      passed: result.passed + passed.length,
      failed: failures.length,
    });
  }
  return { results: repeated, passedAlone };
}

/** The tests that failed alone, too; all, where a second run failed in another way than by tests. */
async function aloneOf(result: JobResult, run: (job: Job) => Promise<JobResult>): Promise<Set<string>> {
  const failed = new Set<string>();
  for (const [file, tests = []] of Object.entries(Object.groupBy(result.failures, ({ file }) => file))) {
    // The whole file at first, as a test may build on those before it.
    let [round, filter]: [readonly FailedTest[], readonly string[]] = [tests, []];
    while (round.length > 0) {
      const command = [...result.job.command, ...filter];
      const again = await run({ ...result.job, name: file, command, testFiles: [`./${file}`] });
      const names = new Set(round.map(keyOf));
      const isOtherFailure = again.failed !== again.failures.length;
      const still = isOtherFailure ? round : again.failures.filter((test) => names.has(keyOf(test)));
      for (const test of still.filter(({ isJudged }) => isJudged || isOtherFailure)) {
        failed.add(keyOf(test));
      }
      // Behind one that timed out again: without it, then. Each round judges one test at least, so this ends.
      round = isOtherFailure ? [] : still.filter(({ isJudged }) => !isJudged);
      filter = ["-t", patternOf(round.map(({ name }) => name))];
    }
  }
  return failed;
}

function keyOf({ file, name }: FailedTest): string {
  return `${file}\n${name}`;
}
