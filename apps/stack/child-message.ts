/** Messages of a child process to the stack: one line of JSON each, on standard output. */
export type ChildMessage =
  | { readonly kind: "ready"; readonly text: string }
  /** What it does before it is ready, in words that follow its name: `makes its database`. */
  | { readonly kind: "step"; readonly text: string }
  /** Counters since the start of the child. */
  | { readonly kind: "counters"; readonly counters: Readonly<Record<string, number>> }
  | { readonly kind: "trouble"; readonly text: string }
  /** The trouble is over. */
  | { readonly kind: "well" };

/** Null for any other line. */
export function messageOf(line: string): ChildMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "kind" in value ? (value as ChildMessage) : null;
  } catch {
    return null;
  }
}
