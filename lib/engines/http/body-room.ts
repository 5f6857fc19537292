/**
 * Limits the bytes of JSON bodies that are held at once, per caller and in total.
 *
 * One body has its limit, and a caller may send any number of them at once: hundreds of the largest would fill the
 * memory. The first 64 KiB of each body are not counted, so that what agents and people usually send always has room;
 * connections bound these.
 */
import { bodiesBytesMax, bodyFreeBytes, callerBodiesBytesMax, roomRetrySec } from "./limits.ts";
import { Problem } from "./problem.ts";

interface BodyRoomLimits {
  readonly callerBytesMax: number;
  readonly bytesMax: number;
}

const defaults = { callerBytesMax: callerBodiesBytesMax, bytesMax: bodiesBytesMax };

export class BodyRoom {
  readonly #limits: BodyRoomLimits;
  readonly #onRefusal: (code: string) => void;
  readonly #callers = new Map<string, number>();
  #bytes = 0;

  /** `onRefusal` gets the code of each. */
  constructor(onRefusal: (code: string) => void, limits: BodyRoomLimits = defaults) {
    this.#onRefusal = onRefusal;
    this.#limits = limits;
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** For one body, until it is disposed: the values that were read of it are held as long. */
  open(caller: string): BodyShare {
    return new BodyShare((bytes) => this.#take(caller, bytes));
  }

  /** Negative gives back. Throws Problem 429 `too_many_bodies` or 503 `no_room`, and then nothing is taken. */
  #take(caller: string, bytes: number): void {
    const { callerBytesMax, bytesMax } = this.#limits;
    const own = (this.#callers.get(caller) ?? 0) + bytes;
    if (bytes > 0 && own > callerBytesMax) {
      throw this.#refusal(429, "too_many_bodies", "Too many large bodies of yours are being read");
    }
    if (bytes > 0 && this.#bytes + bytes > bytesMax) {
      throw this.#refusal(503, "no_room", "Too many large bodies are being read");
    }
    this.#bytes += bytes;
    if (own === 0) {
      this.#callers.delete(caller);
    } else {
      this.#callers.set(caller, own);
    }
  }

  #refusal(status: 429 | 503, code: string, message: string): Problem {
    this.#onRefusal(code);
    return new Problem({
      ...{ status, code, message: `${message}; try again in ${roomRetrySec} s` },
      headers: { "retry-after": String(roomRetrySec) },
    });
  }
}

export class BodyShare implements Disposable {
  readonly #take: (bytes: number) => void;
  #read = 0;
  #taken = 0;

  constructor(take: (bytes: number) => void) {
    this.#take = take;
  }

  /** Counts further bytes as held. Throws Problem when there is no room for them. */
  add(bytes: number): void {
    this.#read += bytes;
    const more = Math.max(0, this.#read - bodyFreeBytes) - this.#taken;
    if (more > 0) {
      this.#take(more);
      this.#taken += more;
    }
  }

  [Symbol.dispose](): void {
    if (this.#taken > 0) {
      this.#take(-this.#taken);
      this.#taken = 0;
    }
  }
}
