/**
 * How far a stream of events has come, as the `id` of its events: what a client gives back as `Last-Event-ID`.
 *
 * `TIME-KEY` of the last reply that carries the measurement, then, once there is one, `-TIME-KEY` of the last that was
 * attributed to it; hexadecimal. It is a place in the order of insertion, so any gateway can go on from it.
 */
import { beforeAll, type ReplyPlace } from "../../../lib/results/reply-page.ts";
import { eventIdCharsMax } from "./limits.ts";

export interface EventPlace {
  readonly marked: ReplyPlace;
  readonly attributed: ReplyPlace;
}

export const eventsBegin: EventPlace = { marked: beforeAll, attributed: beforeAll };

export function eventId({ marked, attributed }: EventPlace): string {
  const parts = attributed === beforeAll ? [marked] : [marked, attributed];
  return parts.map(({ atNs, rowKey }) => `${atNs.toString(16)}-${rowKey.toString(16)}`).join("-");
}

/** Null for a text that is none of ours. */
export function parseEventId(text: string): EventPlace | null {
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
