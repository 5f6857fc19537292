/**
 * What failed beside other steps runs again, alone. On two cores a wait in a test may be too short for the load of the
 * others; a fault of the product fails alone too. Few tests only: many that fail are a fault, and their second run
 * would double the time.
 */
import type { StepResult } from "./run-step.ts";
import type { Step } from "./steps.ts";

const testsAgainMax = 8;

interface Repeated {
  readonly results: readonly StepResult[];
  /** Tests that failed at first and passed alone, each with its file. */
  readonly passedAlone: readonly string[];
}

/** `run` gets a step with the files that failed; a step that failed in another way than by tests stays failed. */
export async function runAgain(
  steps: readonly Step[],
  results: readonly StepResult[],
  run: (step: Step) => Promise<StepResult>,
): Promise<Repeated> {
  const failed = results.filter((result) => result.failed > 0);
  const sum = failed.reduce((total, result) => total + result.failed, 0);
  if (sum > testsAgainMax || failed.some((result) => result.failed !== namesOf(result).length)) {
    return { results, passedAlone: [] };
  }
  const passedAlone: string[] = [];
  const repeated: StepResult[] = [];
  for (const result of results) {
    const step = steps.find(({ name }) => name === result.name);
    if (result.failed === 0 || step === undefined) {
      repeated.push(result);
      continue;
    }
    const testFiles = [...result.failures.keys()].map((file) => `./${file}`);
    const alone = await run({ ...step, purpose: "what failed, once more, alone", testFiles });
    const isGood = alone.failed === 0;
    repeated.push(isGood ? { ...result, passed: result.passed + result.failed, failed: 0 } : result);
    passedAlone.push(...(isGood ? namesOf(result) : []));
  }
  return { results: repeated, passedAlone };
}

function namesOf(result: StepResult): string[] {
  return [...result.failures].flatMap(([file, names]) => names.map((name) => `${file}: ${name}`));
}
