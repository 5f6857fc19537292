/**
 * The batch being inserted: its offset ranges by partition, and its deduplication token.
 *
 * Written before the insert, so that an ingester which dies between insert and commit can, at its next start, build
 * the same batch again and insert it under the same token: the store drops a duplicate. So no reply is lost or stored
 * twice. Without the file the last batch would be stored twice.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Records `first` up to, not including, `next`. */
export interface OffsetRange {
  readonly partition: number;
  readonly first: bigint;
  readonly next: bigint;
}

export interface JournaledBatch {
  readonly token: string;
  readonly ranges: readonly OffsetRange[];
}

export class Journal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  }

  /** The last journaled batch; null without a readable one. */
  read(): JournaledBatch | null {
    try {
      return batchOf(readFileSync(this.#path, "utf8"));
    } catch {
      return null;
    }
  }

  /** Atomic: a reader finds the previous batch or this one, never a partial one. */
  write({ token, ranges }: JournaledBatch): void {
    const lines = ranges.map(({ partition, first, next }) => `${partition} ${first} ${next}`);
    writeFileSync(`${this.#path}.new`, `${[token, ...lines].join("\n")}\n`);
    renameSync(`${this.#path}.new`, this.#path);
  }
}

function batchOf(text: string): JournaledBatch {
  const [token = "", ...lines] = text.trimEnd().split("\n");
  const ranges = lines.map((line) => {
    const [partition, first, next] = line.split(" ").map((word) => BigInt(word));
    if (partition === undefined || first === undefined || next === undefined) {
      throw new SyntaxError(`"${line}" is not a range`);
    }
    return { partition: Number(partition), first, next };
  });
  return { token, ranges };
}
