/**
 * The position of an event stream, as the `id` of its events, which a client returns as `Last-Event-ID`.
 *
 * `TIME-KEY` of the last reply that carries the measurement, then, once there is one, `-TIME-KEY` of the last that was
 * attributed to it; hexadecimal. It is a position in insertion order, so any gateway can resume from it.
 */
import { beforeAll, type ReplyPosition } from "../../../../lib/answers/results/reply-page.ts";
import { eventIdCharsMax } from "./limits.ts";

export interface EventPosition {
  readonly marked: ReplyPosition;
  readonly attributed: ReplyPosition;
}

export const eventsBegin: EventPosition = { marked: beforeAll, attributed: beforeAll };

export function eventId({ marked, attributed }: EventPosition): string {
  const parts = attributed === beforeAll ? [marked] : [marked, attributed];
  return parts.map(({ atNs, rowKey }) => `${atNs.toString(16)}-${rowKey.toString(16)}`).join("-");
}

/** Null for any other text. */
export function parseEventId(text: string): EventPosition | null {
  if (text.length > eventIdCharsMax || !/^[\da-f]{1,16}(-[\da-f]{1,16}){1,3}$/.test(text)) {
    return null;
  }
  const [at = 0n, key = 0n, otherAt, otherKey] = text.split("-").map((digits) => BigInt(`0x${digits}`));
  const isWhole = otherAt === undefined || otherKey !== undefined;
  // Times are signed in the store.
  if (!isWhole || at >= 2n ** 63n || (otherAt ?? 0n) >= 2n ** 63n) {
    return null;
  }
  const attributed =
    otherAt === undefined || otherKey === undefined ? beforeAll : { atNs: otherAt, rowKey: otherKey };
  return { marked: { atNs: at, rowKey: key }, attributed };
}
