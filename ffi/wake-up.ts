/** Ends another thread's poll(2), through an eventfd(2) that becomes readable. */
import { check, libc } from "./libc.ts";
import { efdCloexec, efdNonblock } from "./linux-abi.ts";

/** In place of a descriptor: never ends a poll. */
export const noWakeUp = -1;

export class WakeUp implements Disposable {
  #fd = check(libc().eventfd(0, efdNonblock | efdCloexec), "make a descriptor to wake a thread");

  /** For the other thread's poll, with POLLIN, which `takeWakeUp` follows. */
  get fd(): number {
    return this.#fd;
  }

  /** Also ends a later poll, if none is in progress. */
  wake(): void {
    libc().write(this.#fd, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0), 8);
  }

  /** Close it when it is no longer polled; `wake` then does nothing. */
  [Symbol.dispose](): void {
    libc().close(this.#fd);
    this.#fd = noWakeUp;
  }
}

/** Resets entry `index` of an array of `struct pollfd` if poll(2) has found it readable. */
export function takeWakeUp(pollFds: Int32Array, index: number): void {
  const events = pollFds[2 * index + 1] ?? 0;
  if (events >> 16 !== 0) {
    libc().read(pollFds[2 * index] ?? noWakeUp, new Uint8Array(8), 8);
  }
}
