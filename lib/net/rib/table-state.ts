/** Counts for a peer's table, and which of its address families are complete. */
import type { Family } from "../ip/address.ts";

/** What shows that a table is complete: an End-of-RIB, or that it has stopped growing. */
export type Completeness = "end-of-rib" | "quiet";

/**
 * A router need not send an End-of-RIB: FRR does not for a peer that comes up after the BMP session. A family also
 * counts as complete when, for a minute, fewer than 1 % of its paths were new since the session came up; an empty table
 * does not. The decision stands until the session ends or restarts.
 */
const quietUs = 60_000_000;
const growthShare = 0.01;

interface Growth {
  /** Paths first seen since the session came up. */
  paths: number;
  /** Their number when it last grew by more than the share, and the time of that. */
  mark: number;
  grewUs: number;
  isWhole: boolean;
}

interface Arrival {
  readonly family: Family;
  /** `again`: a path that was stale; `changed`: one that was sent before. */
  readonly put: "new" | "again" | "changed";
  readonly timeUs: number;
  readonly receivedUs: number;
}

export class TableState {
  /** Current paths. */
  paths = 0;
  announcements = 0;
  /** Includes synthetic ones at a session's end. */
  withdrawals = 0;
  /** Microseconds since 1970; null = nothing has changed yet. */
  lastChangeUs: number | null = null;
  /** Families whose End-of-RIB was received since the session came up. */
  readonly complete = new Set<Family>();
  readonly #growth = new Map<Family, Growth>();

  announced({ family, put, timeUs, receivedUs }: Arrival): void {
    this.paths += put === "new" ? 1 : 0;
    this.announcements++;
    this.lastChangeUs = timeUs;
    if (put !== "changed") {
      this.#grow(family, receivedUs);
    }
  }

  /** `isThere`: it had the path. */
  withdrawn(isThere: boolean, timeUs: number): void {
    this.withdrawals++;
    if (isThere) {
      this.paths--;
      this.lastChangeUs = timeUs;
    }
  }

  /** The session came up or went down. */
  restart(): void {
    this.complete.clear();
    this.#growth.clear();
  }

  /** Null = not known to be complete. */
  completeness(family: Family, nowUs: number): Completeness | null {
    if (this.complete.has(family)) {
      return "end-of-rib";
    }
    const growth = this.#growth.get(family);
    return growth !== undefined && isQuiet(growth, nowUs) ? "quiet" : null;
  }

  #grow(family: Family, nowUs: number): void {
    const growth = this.#growth.get(family) ?? { paths: 0, mark: 0, grewUs: nowUs, isWhole: false };
    this.#growth.set(family, growth);
    growth.isWhole = growth.paths > 0 && isQuiet(growth, nowUs);
    growth.paths++;
    if (growth.paths > growth.mark * (1 + growthShare)) {
      growth.mark = growth.paths;
      growth.grewUs = nowUs;
    }
  }
}

function isQuiet({ isWhole, grewUs }: Growth, nowUs: number): boolean {
  return isWhole || nowUs - grewUs >= quietUs;
}
