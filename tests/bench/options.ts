/** The options that every bench takes. */
import { parseArgs } from "node:util";

export interface BenchOptions {
  readonly rounds: number;
  /** Packets or replies in a round; null = the bench's own choice. */
  readonly count: number | null;
  readonly json: boolean;
}

export interface BenchOrder {
  /** As given: of benches, or `all`. */
  readonly names: readonly string[];
  readonly options: BenchOptions;
  /** Figures go into the page of figures too. */
  readonly write: boolean;
}

const roundsDefault = 5;

/** Throws an Error that says what is wrong. */
export function readOrder(args: readonly string[]): BenchOrder {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      count: { type: "string" },
      json: { type: "boolean" },
      write: { type: "boolean" },
    },
  });
  const options = {
    rounds: values.rounds === undefined ? roundsDefault : positive("rounds", values.rounds),
    count: values.count === undefined ? null : positive("count", values.count),
    json: values.json === true,
  };
  if (values.write === true && options.count !== null) {
    throw new Error("Cannot use --count with --write: figures of another size would stand as the usual ones");
  }
  return { names: positionals, options, write: values.write === true };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`Cannot use --${name} "${text}": it takes a whole number from 1 on`);
  }
  return value;
}
