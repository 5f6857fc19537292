/** What came of an attempt to deliver a message. */
export interface Outcome {
  readonly kind: "delivered" | "again" | "never";
  /** For the log of deliveries: what the other side said, or why it could not be reached. */
  readonly text: string;
}

/** What others say, as it is kept and shown. */
export function saidBy(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, 200)
    .trim();
}
