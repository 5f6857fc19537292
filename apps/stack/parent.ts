/**
 * How a process that the stack starts speaks with it: messages to standard output, and standard input, whose end
 * says that the stack is gone; a child never outlives it. Started by hand it has no parent, and a signal ends it.
 */
import type { ChildMessage } from "./child-message.ts";

export function tellParent(message: ChildMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Listens for the end; disposed of, it keeps the process up no longer. */
export class StopRequest implements Disposable {
  /** Resolves when the process is to end: a signal, or, with a parent, the end of the one that started it. */
  readonly came: Promise<void>;
  readonly #hasParent: boolean;

  constructor(hasParent: boolean) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.came = promise;
    this.#hasParent = hasParent;
    process.once("SIGTERM", () => resolve());
    // Ctrl-C goes to all processes of a terminal at once, but the stack ends its parts one after another.
    process.on("SIGINT", () => (hasParent ? undefined : resolve()));
    if (hasParent) {
      process.stdin.once("end", () => resolve());
      process.stdin.once("error", () => resolve());
      process.stdin.resume();
    }
  }

  [Symbol.dispose](): void {
    if (this.#hasParent) {
      process.stdin.destroy();
      // A read that has not begun yet would keep the process up (Bun 1.4.5): after a start that fails at once.
      process.stdin.unref();
    }
  }
}
