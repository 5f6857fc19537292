/** Gives one parser a number of damaged inputs, and says how it did. */
import { keepFailure, keptFailures } from "./corpus.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { Mutator } from "./mutator.ts";

/** One input that takes longer has found something that grows faster than its length. */
const caseMsMax = 500;
/** Enough to mend; a broken parser may fail on each input. */
const failuresMax = 10;
/** Between two looks at the clock. */
const turnCases = 256;

export interface Attacked {
  readonly name: string;
  readonly cases: number;
  readonly seconds: number;
  /** What was thrown, and where the input is kept. */
  readonly failures: readonly string[];
}

/** Inputs that broke it before come first. */
export async function attack(target: FuzzTarget, cases: number, seed: number): Promise<Attacked> {
  const mutator = new Mutator(seed);
  const failures: string[] = [];
  const startedAt = performance.now();
  let done = 0;
  const play = async (bytes: Uint8Array) => {
    done++;
    const problem = await problemOf(target, bytes);
    if (problem !== null) {
      failures.push(`${target.name}: ${problem}, kept as ${keepFailure(target.name, bytes)}`);
    }
  };
  for (const bytes of [...target.seeds, ...keptFailures(target.name)]) {
    await play(bytes);
  }
  while (done < cases && failures.length < failuresMax) {
    const turnAt = performance.now();
    for (let i = 0; i < turnCases && failures.length < failuresMax; i++) {
      const seedBytes = target.seeds[mutator.below(target.seeds.length)] ?? new Uint8Array(0);
      await play(mutator.mutate(seedBytes, target.seeds));
    }
    if (performance.now() - turnAt > turnCases * caseMsMax) {
      failures.push(`${target.name}: ${turnCases} inputs took ${Math.round(performance.now() - turnAt)} ms`);
    }
  }
  return { name: target.name, cases: done, seconds: (performance.now() - startedAt) / 1000, failures };
}

async function problemOf(target: FuzzTarget, bytes: Uint8Array): Promise<string | null> {
  try {
    const result = target.read(bytes);
    if (result instanceof Promise) {
      await result;
    }
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
