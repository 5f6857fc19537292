/**
 * Reads a pool of prefixes: a block of any length up to /48 per line, `#` begins a comment.
 *
 * Lines are pushed one by one, and what is kept are runs of neighbours: a pool of a million /48s that follow one
 * another is one run. The first bad line ends the reading: a pool that is half right would lease prefixes of other
 * networks.
 */
import { parsePrefix } from "../../net/ip/prefix.ts";
import { leaseLengthBits, poolRunsMax, shownCharsMax } from "./limits.ts";
import { type PrefixRun, runOf } from "./prefix-number.ts";

interface NumberedRun extends PrefixRun {
  readonly line: number;
}

/** Names the line, counted from 1, and its fault. */
export class PoolError extends Error {
  override readonly name = "PoolError";
}

export class PoolReader {
  readonly #runs: NumberedRun[] = [];
  #lines = 0;

  /** Throws PoolError. */
  push(text: string): void {
    this.#lines++;
    const written = (text.split("#", 1)[0] ?? "").trim();
    if (written !== "") {
      this.#add(this.#read(written));
    }
  }

  /** In the order of the lines; neighbours are joined. Throws PoolError when two overlap, or the pool is empty. */
  finish(): PrefixRun[] {
    if (this.#runs.length === 0) {
      throw new PoolError("it holds no prefix");
    }
    checkApart(this.#runs);
    return this.#runs.map(({ first, last }) => ({ first, last }));
  }

  #read(written: string): PrefixRun {
    const prefix = parsePrefix(written);
    const run = prefix === null || !written.includes("/") ? null : runOf(prefix);
    if (run === null) {
      const shown = written.slice(0, shownCharsMax).replaceAll(/[^ -~]/g, "?");
      const wanted = `an IPv6 prefix of at most ${leaseLengthBits} bits without host bits`;
      throw new PoolError(`line ${this.#lines}: "${shown}" is not ${wanted}`);
    }
    return run;
  }

  #add(run: PrefixRun): void {
    const before = this.#runs.at(-1);
    if (before !== undefined && run.first === before.last + 1) {
      this.#runs[this.#runs.length - 1] = { ...before, last: run.last };
      return;
    }
    if (this.#runs.length >= poolRunsMax) {
      throw new PoolError(
        `line ${this.#lines}: more than ${poolRunsMax} blocks that do not follow one another`,
      );
    }
    this.#runs.push({ ...run, line: this.#lines });
  }
}

function checkApart(runs: readonly NumberedRun[]): void {
  const sorted = [...runs].sort((a, b) => a.first - b.first);
  for (const [i, run] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before !== undefined && run.first <= before.last) {
      const [earlier, later] = [before.line, run.line].sort((a, b) => a - b);
      throw new PoolError(`line ${later}: overlaps the prefixes from line ${earlier} on`);
    }
  }
}
