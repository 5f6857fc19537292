/** Steps of a play, one after the other, each with its time. */
import type { Machine } from "./machine.ts";

type Step = readonly [what: string, act: () => Promise<void>];

/** Prints each when it is done. Rejects with what the machines' services said last. */
export async function playSteps(steps: readonly Step[], machines: readonly Machine[]): Promise<void> {
  let sumMs = 0;
  for (const [what, act] of steps) {
    const startMs = performance.now();
    try {
      await act();
    } catch (error) {
      const words = machines.map((machine) => machine.lastWords());
      throw new Error(`Failed: ${what}${words.join("")}`, { cause: error });
    }
    const elapsedMs = performance.now() - startMs;
    sumMs += elapsedMs;
    print(what, elapsedMs);
  }
  print("together", sumMs);
}

function print(what: string, elapsedMs: number): void {
  process.stdout.write(`${(elapsedMs / 1000).toFixed(1).padStart(6)} s  ${what}\n`);
}
