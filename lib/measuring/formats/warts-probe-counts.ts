/**
 * How many probes a trace of warts has for each TTL.
 *
 * The format has the attempts of the whole trace, and answers. Where these do not say it (TTLs that were probed
 * differently often, or not at all), a trace ends with an attribute of ours, which other readers skip: type 15, the
 * letters "vntg", then two bytes for each TTL, the TTL and its probes.
 */
import type { Trace } from "./trace.ts";
import { WartsBytes } from "./warts-bytes.ts";
import type { WartsCursor } from "./warts-cursor.ts";

type Counts = Trace["probes"];

/** scamper has 1 to 3, of 4 bits. */
const attributeType = 15;
const name = new TextEncoder().encode("vntg");
const byteMax = 255;

interface Attempted {
  readonly first: number;
  readonly last: number;
  readonly attempts: number;
  /** Attempts continue after an answer. */
  readonly isAll: boolean;
  readonly answers: readonly { readonly ttl: number; readonly attempt: number }[];
}

/** What the trace says without the attribute. */
export function countsByAttempts({ first, last, attempts, isAll, answers }: Attempted): Counts {
  const answered = Map.groupBy(answers, ({ ttl }) => ttl);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const own = answered.get(first + i) ?? [];
    // Several answers to one attempt are copies.
    const isWhole = own.length === 0 || isAll;
    const sent = Math.max(...own.map(({ attempt }) => attempt + 1), isWhole ? attempts : 0);
    return { ttl: first + i, sent };
  });
}

export function isSame(some: Counts, others: Counts): boolean {
  return (
    some.length === others.length &&
    some.every(({ ttl, sent }, i) => ttl === others[i]?.ttl && sent === others[i]?.sent)
  );
}

export function writeCounts(to: WartsBytes, counts: Counts): void {
  const content = new WartsBytes().raw(name);
  for (const { ttl, sent } of counts) {
    content.u8(ttl).u8(Math.min(byteMax, sent));
  }
  to.u16((attributeType << 12) | content.bytes.length).raw(content.bytes);
}

/** Reads the attributes behind the answers; null without one of ours. */
export function readCounts(from: WartsCursor): Counts | null {
  let counts: Counts | null = null;
  while (from.left >= 2) {
    const head = from.u16();
    const length = head & 0xfff;
    if (head === 0 || length > from.left) {
      break;
    }
    const bytes = from.take(length);
    const isOurs = head >>> 12 === attributeType && name.every((byte, i) => bytes[i] === byte);
    counts = isOurs ? countsIn(bytes.subarray(name.length)) : counts;
  }
  return counts;
}

/** A TTL that stands there twice counts once. */
function countsIn(bytes: Uint8Array): Counts {
  const counts = new Map<number, number>();
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    counts.set(bytes[at] ?? 0, bytes[at + 1] ?? 0);
  }
  return [...counts].map(([ttl, sent]) => ({ ttl, sent }));
}
