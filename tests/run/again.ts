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
    // Apart from each other: the test that timed out would take the others with it once more.
    const rounds = [tests.filter(({ isJudged }) => isJudged), tests.filter(({ isJudged }) => !isJudged)];
    for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
      if (round.length === 0) {
        continue;
      }
      const command = [...result.job.command, "-t", patternOf(round.map(({ name }) => name))];
      const again = await run({ ...result.job, name: file, command, testFiles: [`./${file}`] });
      const isOtherFailure = again.failed !== again.failures.length;
      const judged = isOtherFailure ? round : again.failures.filter(({ isJudged }) => isJudged);
      for (const test of judged) {
        failed.add(keyOf(test));
      }
      // Each round judges one test at least, so this ends.
      rounds.push(isOtherFailure ? [] : again.failures.filter(({ isJudged }) => !isJudged));
    }
  }
  return failed;
}

function keyOf({ file, name }: FailedTest): string {
  return `${file}\n${name}`;
}
