/**
 * The work that one request causes on the service's only thread: it takes turns with others, and ends with its client,
 * or when it has used its time. What it keeps in memory meanwhile is counted, too.
 *
 * Every request has one, with the bounds of its route (route-work.ts). What computes much takes it as a parameter.
 */
import type { FairSlot, FairSlots } from "./fair-slots.ts";
import { loopHoldMs, workRetrySec } from "./limits.ts";
import type { Pace } from "./pace.ts";
import { Problem, problem } from "./problem.ts";
import { loopTurns, type Turns } from "./turns.ts";
import type { WorkRoom } from "./work-room.ts";

export interface WorkBounds {
  /** Whose turns and slots these are. */
  readonly caller: string;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Milliseconds that it may hold the event loop, in all. */
  readonly msMax: number;
  /** Bytes that it may hold, in all. */
  readonly bytesMax: number;
  /** Shared with all other work. */
  readonly room: WorkRoom;
  /** Null = as many at once as there are requests. */
  readonly slots: FairSlots | null;
  /** Gets the code of each refusal. */
  readonly onRefusal: (code: string) => void;
}

interface Clockwork {
  readonly turns: Turns;
  /** Any monotonic clock. */
  readonly nowMs: () => number;
}

const ours: Clockwork = { turns: loopTurns, nowMs: () => performance.now() };

export class Work implements Pace, Disposable {
  readonly #boundsOf: () => WorkBounds;
  readonly #clockwork: Clockwork;
  #begun: Promise<WorkBounds> | null = null;
  #slot: FairSlot | null = null;
  /** Null = it does not hold the event loop. */
  #heldSinceMs: number | null = null;
  #usedMs = 0;
  #heldBytes = 0;
  #room: WorkRoom | null = null;

  /** The bounds are read when work begins: by then the caller is authenticated. */
  constructor(boundsOf: () => WorkBounds, clockwork: Clockwork = ours) {
    this.#boundsOf = boundsOf;
    this.#clockwork = clockwork;
  }

  /** The first call waits for a slot and a turn. Rejects with Problem 503; 499 once the client has gone. */
  async next(): Promise<void> {
    this.#begun ??= this.#begin();
    const bounds = await this.#begun;
    if (this.#heldSinceMs === null || this.#clockwork.nowMs() - this.#heldSinceMs > loopHoldMs) {
      this.rest();
      this.#check(bounds);
      await this.#clockwork.turns.take(bounds.caller);
      this.#check(bounds);
      this.#heldSinceMs = this.#clockwork.nowMs();
    }
  }

  /** What follows until the next turn is not counted: others are waited for, as the database. */
  rest(): void {
    this.#usedMs += this.#heldSinceMs === null ? 0 : this.#clockwork.nowMs() - this.#heldSinceMs;
    this.#heldSinceMs = null;
  }

  /** Throws as `next` rejects. Takes neither a slot nor a turn: whoever calls it yields by itself. */
  charge(ms: number): void {
    this.#usedMs += ms;
    this.#check(this.#boundsOf());
  }

  /** Counts memory until the end of the request. Throws Problem: 413 `work_too_large`, 503 `work_busy`. */
  hold(bytes: number): void {
    const { bytesMax, room, onRefusal } = this.#boundsOf();
    if (this.#heldBytes + bytes > bytesMax) {
      onRefusal("work_too_large");
      const message = `This takes more than ${bytesMax / 2 ** 20} MB of memory to compute; request less`;
      throw new Problem({ status: 413, code: "work_too_large", message });
    }
    if (!room.take(bytes)) {
      onRefusal("work_busy");
      throw refusal("work_busy", "Others are being served; try again");
    }
    this.#room = room;
    this.#heldBytes += bytes;
  }

  [Symbol.dispose](): void {
    this.#room?.release(this.#heldBytes);
    this.#heldBytes = 0;
    this.#slot?.[Symbol.dispose]();
    this.#slot = null;
  }

  async #begin(): Promise<WorkBounds> {
    const bounds = this.#boundsOf();
    const { caller, slots, onRefusal } = bounds;
    if (slots !== null) {
      this.#slot = await slots.take(caller);
      if (this.#slot === null) {
        onRefusal("work_busy");
        throw refusal("work_busy", "Others are being served; try again");
      }
      this.#slot.keep();
    }
    return bounds;
  }

  #check({ signal, msMax, onRefusal }: WorkBounds): void {
    if (signal.aborted) {
      onRefusal("client_gone");
      throw problem(499, "client_gone", "The client has disconnected");
    }
    if (this.#usedMs > msMax) {
      onRefusal("work_too_long");
      throw refusal(
        "work_too_long",
        `This takes more than ${msMax / 1000} s to compute; request less, or try again`,
      );
    }
  }
}

function refusal(code: string, what: string): Problem {
  return new Problem({
    ...{ status: 503, code, message: `${what} in ${workRetrySec} s` },
    headers: { "retry-after": String(workRetrySec) },
  });
}
