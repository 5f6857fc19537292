/** Users excluded from a policy, and why: one line for each user and reason. */
import { type Exclusion, type Fault, isFault } from "./exclusion.ts";
import { printable } from "./printable.ts";

const detailCharsMax = 60;

export class ExclusionLedger {
  readonly #entries = new Map<string, Exclusion>();
  readonly #out = new Set<string>();

  constructor(entries: readonly Exclusion[]) {
    for (const entry of entries) {
      this.add(entry);
    }
  }

  /** Adds an exclusion. A user excluded for a fault is not also reported as absent. */
  add(entry: Exclusion): void {
    const { userHash, reason, detail } = entry;
    if (userHash === null) {
      this.#entries.set(` ${reason} ${detail}`, entry);
      return;
    }
    if (isFault(reason) || !this.#out.has(userHash)) {
      this.#entries.set(`${userHash} ${reason}`, entry);
    }
    this.#out.add(userHash);
  }

  fault(userHash: string | null, reason: Fault, detail: string): void {
    this.add({ userHash, reason, detail: printable(detail, detailCharsMax) });
  }

  isOut(userHash: string): boolean {
    return this.#out.has(userHash);
  }

  /** Sorted by user; entries without a known user first. */
  sorted(): Exclusion[] {
    return [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }
}
