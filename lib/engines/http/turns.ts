/**
 * Turns on the event loop: one long piece of work between two polls of the network, round-robin by caller.
 *
 * Work that yields by itself does not suffice: of 32 requests that each yield after 10 ms, all continue in the same
 * iteration of the loop, and a request for `/health` waits for 320 ms.
 */
export class Turns {
  /** In the order in which callers are served; each has its own queue. */
  readonly #queues = new Map<string, (() => void)[]>();
  #isGranting = false;

  /** Pieces that wait for their turn. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  /** Resolves when the caller may hold the loop once, until its next `await`. */
  take(caller: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(caller);
      if (queue === undefined) {
        this.#queues.set(caller, [resolve]);
      } else {
        queue.push(resolve);
      }
      this.#grantLater();
    });
  }

  #grantLater(): void {
    if (!this.#isGranting) {
      this.#isGranting = true;
      setImmediate(() => this.#grant());
    }
  }

  #grant(): void {
    this.#isGranting = false;
    const [first] = this.#queues;
    if (first === undefined) {
      return;
    }
    const [caller, queue] = first;
    const resolve = queue.shift();
    // To the end of the round.
    this.#queues.delete(caller);
    if (queue.length > 0) {
      this.#queues.set(caller, queue);
    }
    resolve?.();
    if (this.#queues.size > 0) {
      this.#grantLater();
    }
  }
}

/** Those of this thread, which has one event loop. */
export const loopTurns = new Turns();
