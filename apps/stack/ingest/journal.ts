/**
 * The batch that is on its way to the store: which records of which partitions, and the token it is inserted under.
 *
 * Written before the insert, so that an ingester which dies between insert and commit can, at its next start, build
 * the very same batch again and insert it under the same token: the store drops it if it had it already. So no reply
 * is lost, and none is there twice. Without the file the last batch would be doubled.
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

  /** The last batch that was noted; null when there is none that can be read. */
  read(): JournaledBatch | null {
    try {
      return batchOf(readFileSync(this.#path, "utf8"));
    } catch {
      return null;
    }
  }

  /** In one step: a reader finds the batch before or this one, never half of it. */
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
      throw new SyntaxError(`"${line}" is no range`);
    }
    return { partition: Number(partition), first, next };
  });
  return { token, ranges };
}
