/** Who watches the live table: so many at once, and for a while those who were cut off and may come back. */
import { type FairSlot, FairSlots } from "../../../../lib/engines/http/fair-slots.ts";
import type { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import { lingerMs, watchChangesMax, watchesMax, watchesOfOneMax, watchSafeMs } from "./limits.ts";
import type { Change } from "./route-filter.ts";
import { RouteWatch } from "./route-watch.ts";

interface Kept {
  readonly watch: RouteWatch;
  /** Its request: another request does not continue it. */
  readonly order: string;
  place: FairSlot;
  timer: ReturnType<typeof setTimeout> | null;
}

interface Opened {
  readonly id: string;
  readonly watch: RouteWatch;
  readonly isResumed: boolean;
  /** Counts what its reader has taken: the slowest of a network goes first. */
  moved(bytes: number): void;
}

export class RouteWatches {
  readonly counts = { begun: 0, resumed: 0, refused: 0, missed: 0 };
  readonly #places = new FairSlots({
    ...{ placesMax: watchesMax, ofOneMax: watchesOfOneMax, safeMs: watchSafeMs },
    ...{ lineMax: 0, waitMs: 0 },
  });
  readonly #kept = new Map<string, Kept>();
  readonly #newId: () => string;
  readonly #stop: () => void;

  /** `newId` makes unguessable ids of letters and digits. */
  constructor(table: Pick<LiveTable, "listen">, newId: () => string) {
    this.#newId = newId;
    this.#stop = table.listen(
      (received, raw) => this.#kept.size > 0 && this.#take({ kind: "event", received }, raw),
      (gap) => this.#take({ kind: "gap", gap }, null),
    );
  }

  get open(): number {
    return this.#places.taken;
  }

  /** Takes up the watch of this id where it is still there and was asked for the same. Null = there is no room. */
  begin(
    who: string,
    order: string,
    wants: (change: Change) => boolean,
    id: string | null = null,
  ): Opened | null {
    const before = id === null ? undefined : this.#kept.get(id);
    const place = this.#places.takeNow(who);
    if (place === null) {
      this.counts.refused++;
      return null;
    }
    const moved = (bytes: number) => place.moved(bytes);
    if (id !== null && before !== undefined && before.timer !== null && before.order === order) {
      clearTimeout(before.timer);
      before.timer = null;
      before.place = place;
      this.#endWhenTakenBack(id, before);
      this.counts.resumed++;
      return { id, watch: before.watch, isResumed: true, moved };
    }
    const watch = new RouteWatch(wants, watchChangesMax);
    const kept = { watch, order, place, timer: null };
    const fresh = this.#newId();
    this.#kept.set(fresh, kept);
    this.#endWhenTakenBack(fresh, kept);
    this.counts.begun++;
    return { id: fresh, watch, isResumed: false, moved };
  }

  #endWhenTakenBack(id: string, { watch, place }: Kept): void {
    place.signal.addEventListener("abort", () => {
      this.end(id);
      watch.end("others wait for a place, and this network has most of them");
    });
  }

  /** The watch continues for a while, so that its reader can return. */
  leave(id: string): void {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.timer !== null) {
      return;
    }
    kept.place[Symbol.dispose]();
    if (kept.watch.endReason === null && this.#kept.size - this.open <= watchesMax) {
      kept.timer = setTimeout(() => this.#kept.delete(id), lingerMs);
    } else {
      this.#kept.delete(id);
    }
  }

  /** Its reader did not return. */
  end(id: string): void {
    this.#kept.get(id)?.place[Symbol.dispose]();
    this.#kept.delete(id);
  }

  /** All end, those who may come back too. */
  close(): void {
    this.#stop();
    for (const { watch, timer, place } of this.#kept.values()) {
      clearTimeout(timer ?? undefined);
      place[Symbol.dispose]();
      watch.end("the collector stops");
    }
    this.#kept.clear();
  }

  #take(change: Change, raw: Uint8Array | null): void {
    for (const { watch } of this.#kept.values()) {
      watch.take(change, raw);
    }
  }
}
