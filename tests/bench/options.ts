/** The options that every bench takes. */
import { parseArgs } from "node:util";

export interface BenchOptions {
  readonly rounds: number;
  /** Packets or replies in a round; null = the bench's own choice. */
  readonly count: number | null;
  readonly json: boolean;
}

const roundsDefault = 5;

/** Throws an Error that says what is wrong. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: "string" }, count: { type: "string" }, json: { type: "boolean" } },
  });
  return {
    rounds: values.rounds === undefined ? roundsDefault : positive("rounds", values.rounds),
    count: values.count === undefined ? null : positive("count", values.count),
    json: values.json === true,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`Cannot use --${name} "${text}": it takes a whole number from 1 on`);
  }
  return value;
}
