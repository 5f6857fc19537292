/** Cache of unit tables, so that a gateway parses a list once, not for each part. */
import { unitTablesBytesMax } from "./limits.ts";
import type { UnitTable } from "./units.ts";

interface Kept {
  readonly table: Promise<UnitTable>;
  /** 0 while it is being built. */
  bytes: number;
}

export class UnitTables {
  readonly #bytesMax: number;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(bytesMax = unitTablesBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Built once, also for concurrent calls; failures are not cached. */
  of(key: string, make: () => Promise<UnitTable>): Promise<UnitTable> {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.table;
    }
    const own: Kept = { table: make(), bytes: 0 };
    this.#kept.set(key, own);
    own.table.then(
      (table) => this.#count(own, table),
      () => this.#kept.delete(key),
    );
    return own.table;
  }

  #count(own: Kept, table: UnitTable): void {
    own.bytes = table.bytes;
    this.#bytes += own.bytes;
    for (const [key, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) {
        return;
      }
      if (bytes > 0) {
        this.#kept.delete(key);
        this.#bytes -= bytes;
      }
    }
  }
}
