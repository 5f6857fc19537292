/**
 * Paths of a live table in columns, 25 bytes each: those of one prefix are a chain, whose first row is the value of the
 * prefix's node in the trie.
 */
import { larger } from "./prefix-trie.ts";

const hasPathId = 1;
const isStale = 2;

export interface PathRow {
  readonly source: number;
  readonly pathId: number | null;
  readonly attributes: number;
  /** Microseconds since 1970: whole numbers up to the year 2255. */
  readonly changedUs: number;
  readonly isStale: boolean;
}

export class PathRows {
  #capacity = 1024;
  #sources = new Uint32Array(this.#capacity);
  #pathIds = new Uint32Array(this.#capacity);
  #attributes = new Uint32Array(this.#capacity);
  #changedUs = new Float64Array(this.#capacity);
  #flags = new Uint8Array(this.#capacity);
  /** The next row of the chain, or of the free list; 0 = the last. */
  #nexts = new Uint32Array(this.#capacity);
  #free = 0;
  #end = 1;

  /** The next row of the chain; 0 = none. */
  next(row: number): number {
    return this.#nexts[row] ?? 0;
  }

  sourceOf(row: number): number {
    return this.#sources[row] ?? 0;
  }

  isStale(row: number): boolean {
    return ((this.#flags[row] ?? 0) & isStale) !== 0;
  }

  setStale(row: number): void {
    this.#flags[row] = (this.#flags[row] ?? 0) | isStale;
  }

  at(row: number): PathRow {
    const flags = this.#flags[row] ?? 0;
    return {
      source: this.sourceOf(row),
      pathId: (flags & hasPathId) === 0 ? null : (this.#pathIds[row] ?? 0),
      attributes: this.#attributes[row] ?? 0,
      changedUs: this.#changedUs[row] ?? 0,
      isStale: (flags & isStale) !== 0,
    };
  }

  /** The row of a source's path in a chain; 0 = it has none. */
  find(first: number, source: number, pathId: number | null): number {
    for (let row = first; row !== 0; row = this.next(row)) {
      if (this.#sources[row] === source && this.#isPath(row, pathId)) {
        return row;
      }
    }
    return 0;
  }

  /** The new first row of the chain. */
  add(first: number, path: PathRow): number {
    const row = this.#free === 0 ? this.#end++ : this.#free;
    if (row === this.#free) {
      this.#free = this.next(row);
    } else if (row === this.#capacity) {
      this.#grow();
    }
    this.#sources[row] = path.source;
    this.#pathIds[row] = path.pathId ?? 0;
    this.#nexts[row] = first;
    this.change(row, path);
    return row;
  }

  /** Replaces a path; its source and path id stay. */
  change(row: number, { pathId, attributes, changedUs }: Omit<PathRow, "source">): void {
    this.#flags[row] = pathId === null ? 0 : hasPathId;
    this.#attributes[row] = attributes;
    this.#changedUs[row] = changedUs;
  }

  /** The first row of the chain that is left. */
  remove(first: number, row: number): number {
    const rest = this.next(row);
    this.#nexts[row] = this.#free;
    this.#free = row;
    if (row === first) {
      return rest;
    }
    let before = first;
    while (this.next(before) !== row) {
      before = this.next(before);
    }
    this.#nexts[before] = rest;
    return first;
  }

  #isPath(row: number, pathId: number | null): boolean {
    const own = ((this.#flags[row] ?? 0) & hasPathId) !== 0;
    return pathId === null ? !own : own && this.#pathIds[row] === pathId;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#sources = larger(this.#sources, new Uint32Array(this.#capacity));
    this.#pathIds = larger(this.#pathIds, new Uint32Array(this.#capacity));
    this.#attributes = larger(this.#attributes, new Uint32Array(this.#capacity));
    this.#changedUs = larger(this.#changedUs, new Float64Array(this.#capacity));
    this.#flags = larger(this.#flags, new Uint8Array(this.#capacity));
    this.#nexts = larger(this.#nexts, new Uint32Array(this.#capacity));
  }
}
