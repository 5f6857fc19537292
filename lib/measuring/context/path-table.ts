/**
 * AS paths, each kept once: most prefixes of an AS share theirs.
 *
 * Sections of the file: path n is `pathAsns[pathOffsets[n]] … pathAsns[pathOffsets[n + 1] - 1]`. Path 0 is empty. A
 * full table of the Internet (1.2 million prefixes) has some 0.3 million paths of 4 to 5 ASes: 7 MB, and 4 bytes for
 * each prefix to name its path.
 */
import { WordList } from "../../net/ip/word-list.ts";
import type { Sections } from "./section-file.ts";

export class PathTable {
  readonly #offsets: Uint32Array;
  readonly #asns: Uint32Array;

  constructor(sections: Sections) {
    this.#offsets = sections.u32("pathOffsets");
    this.#asns = sections.u32("pathAsns");
  }

  /** Null for path 0, and for one that the table does not have. */
  get(id: number): readonly number[] | null {
    const path = this.#asns.subarray(this.#offsets[id], this.#offsets[id + 1]);
    return id === 0 || path.length === 0 ? null : [...path];
  }
}

export class PathTableBuilder {
  readonly #ids = new Map<string, number>();
  readonly #offsets = new WordList();
  readonly #asns = new WordList();

  constructor() {
    this.#offsets.push(0);
    this.#offsets.push(0);
  }

  /** The number of this path, the same for the same path; 0 when it is empty. */
  idOf(path: readonly number[]): number {
    if (path.length === 0) {
      return 0;
    }
    const key = path.join();
    const known = this.#ids.get(key);
    if (known !== undefined) {
      return known;
    }
    const id = this.#offsets.length - 1;
    this.#ids.set(key, id);
    for (const asn of path) {
      this.#asns.push(asn);
    }
    this.#offsets.push(this.#asns.length);
    return id;
  }

  sections(): Readonly<Record<string, Uint32Array>> {
    return { pathOffsets: this.#offsets.words(), pathAsns: this.#asns.words() };
  }
}
