/** The cores that a thread may use: sched_setaffinity(2), for the calling thread alone. */
import { libc } from "./libc.ts";

/** A bit for each of 1,024 cores, as many as glibc's cpu_set_t has. */
const maskBytes = 128;
const thisThread = 0;

export class Cores {
  /** The thread's cores when this was created; null = unknown. */
  readonly #own: Uint8Array | null;

  constructor() {
    const own = new Uint8Array(maskBytes);
    this.#own = libc().sched_getaffinity(thisThread, BigInt(maskBytes), own) < 0 ? null : own;
  }

  /** The core that this thread is on now, from 0. */
  current(): number {
    return libc().sched_getcpu();
  }

  only(core: number): void {
    this.#use((mask) => mask.fill(0).fill(1 << (core & 7), core >> 3, (core >> 3) + 1));
  }

  /** Keeps the thread off a core; no effect where it is the thread's only one. */
  allBut(core: number): void {
    this.#use((mask) => mask.fill((mask[core >> 3] ?? 0) & ~(1 << (core & 7)), core >> 3, (core >> 3) + 1));
  }

  all(): void {
    this.#use((mask) => mask);
  }

  /** Sets the thread's mask; the kernel refuses one without any of this machine's cores. */
  #use(maskOf: (own: Uint8Array) => Uint8Array): void {
    if (this.#own !== null) {
      libc().sched_setaffinity(thisThread, BigInt(maskBytes), maskOf(this.#own.slice()));
    }
  }
}
