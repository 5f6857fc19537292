/**
 * How a process that the stack starts speaks with it: messages to standard output, and standard input, whose end
 * says that the stack is gone; a child never outlives it. Started by hand it speaks to nobody, and a signal ends it.
 */
import type { ChildMessage } from "./child-message.ts";

export function tellParent(message: ChildMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Resolves when the process is to end: a signal, or, with `hasParent`, the end of the one that started it. */
export async function stopRequest(hasParent: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once("SIGTERM", () => resolve());
  process.once("SIGINT", () => resolve());
  if (hasParent) {
    process.stdin.once("end", () => resolve());
    process.stdin.once("error", () => resolve());
    process.stdin.resume();
  }
  await promise;
  if (hasParent) {
    // An open input would keep the process up.
    process.stdin.destroy();
  }
}
