/** The outcome of an attempt to deliver a message. */
export interface Outcome {
  readonly kind: "delivered" | "again" | "never";
  /** For the delivery log: the other side's response, or why it could not be reached. */
  readonly text: string;
}

/** A response of the other side, as stored and shown. */
export function saidBy(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, 200)
    .trim();
}
