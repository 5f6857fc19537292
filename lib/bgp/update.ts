/**
 * The UPDATE of BGP (RFC 4271 s.4.3), as a monitor reads it.
 *
 * | bytes | field                                                       |
 * |-------|-------------------------------------------------------------|
 * | 16    | ones                                                        |
 * | 2     | length of the message, this head included                   |
 * | 1     | type; 2 = UPDATE                                            |
 * | 2     | length of the withdrawn IPv4 prefixes, then these           |
 * | 2     | length of the path attributes, then these                   |
 * |       | announced IPv4 prefixes                                     |
 */
import type { Family } from "../ip/address.ts";
import { u16At } from "./as-path.ts";
import { type NlriReader, onePathEach, type RoutePrefix, readPrefixes } from "./nlri.ts";
import { type PathAttributes, readAttributes } from "./path-attributes.ts";

const messageHeadBytes = 19;
export const messageTypes = { open: 1, update: 2, notification: 3, keepalive: 4 } as const;

export interface Update {
  readonly announced: readonly RoutePrefix[];
  readonly withdrawn: readonly RoutePrefix[];
  readonly attributes: PathAttributes;
  /** The family of an End-of-RIB marker: an UPDATE without any routes (RFC 4724 s.2). */
  readonly endOfTable: Family | null;
}

interface SessionFacts {
  /** 2 for a session without four-byte AS numbers (RFC 6793), else 4. */
  readonly asnBytes: 2 | 4;
  readonly nlri: NlriReader;
}

export const usualSession: SessionFacts = { asnBytes: 4, nlri: onePathEach };

/** The type of a whole message; null when the bytes are not one whole BGP message. */
export function messageTypeOf(message: Uint8Array): number | null {
  const length = ((message[16] ?? 0) << 8) | (message[17] ?? 0);
  return message.length < messageHeadBytes || length !== message.length ? null : (message[18] ?? 0);
}

/**
 * @param message a whole UPDATE, with its head
 * @throws RangeError with the reason when it is cut short or a length does not fit
 */
export function readUpdate(message: Uint8Array, session: SessionFacts): Update {
  const { nlri } = session;
  const end = message.length;
  const withdrawnAt = messageHeadBytes + 2;
  const withdrawnEnd = withdrawnAt + u16At(message, messageHeadBytes);
  const attributesAt = withdrawnEnd + 2;
  const announcedAt = attributesAt + u16At(message, withdrawnEnd);
  if (withdrawnAt > end || attributesAt > end || announcedAt > end) {
    throw new RangeError(`the UPDATE of ${end} bytes is shorter than its parts`);
  }
  const withdrawn = readPrefixes(message, { start: withdrawnAt, end: withdrawnEnd }, 4, nlri);
  const more = readAttributes(message, { start: attributesAt, end: announcedAt }, session);
  const announced = readPrefixes(message, { start: announcedAt, end }, 4, nlri);
  return {
    announced: more.announced.length === 0 ? announced : [...announced, ...more.announced],
    withdrawn: more.withdrawn.length === 0 ? withdrawn : [...withdrawn, ...more.withdrawn],
    attributes: more.attributes,
    endOfTable: end === messageHeadBytes + 4 ? 4 : more.endOf,
  };
}
