/**
 * How a process that the stack starts speaks with it: lines of JSON to standard output, and standard input, whose
 * end says that the stack is gone; a child never outlives it.
 */
import * as process from "node:process";

export type ChildMessage =
  | { readonly kind: "ready"; readonly text: string }
  /** Counters since the start of the child. */
  | { readonly kind: "counters"; readonly counters: Readonly<Record<string, number>> }
  | { readonly kind: "trouble"; readonly text: string }
  /** The trouble is over. */
  | { readonly kind: "well" };

export function tellParent(message: ChildMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Resolves when the process is to end: a signal, or, with `hasParent`, the end of the one that started it. */
export function stopRequest(hasParent: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once("SIGTERM", () => resolve());
  process.once("SIGINT", () => resolve());
  if (hasParent) {
    process.stdin.once("end", () => resolve());
    process.stdin.once("error", () => resolve());
    process.stdin.resume();
  }
  return promise;
}
