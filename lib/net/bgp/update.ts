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
import { attributeCodes } from "./attribute-types.ts";
import { onePathEach, type RoutePrefix, readPrefixes } from "./nlri.ts";
import type { PathAttributes } from "./path-attributes.ts";
import { type Damage, damaged, readAttributes, reasonOf, type SessionFacts } from "./read-attributes.ts";

const messageHeadBytes = 19;
export const messageTypes = { open: 1, update: 2, notification: 3, keepalive: 4, routeRefresh: 5 } as const;

export interface Update {
  readonly announced: readonly RoutePrefix[];
  readonly withdrawn: readonly RoutePrefix[];
  /** Next hop and attributes of `announced`, unless `multiprotocol` overrides them. */
  readonly attributes: PathAttributes;
  /** When an UPDATE announces both ways: the index in `announced` from which routes have the MP_REACH_NLRI next hop. */
  readonly multiprotocol: { readonly from: number; readonly attributes: PathAttributes } | null;
  /** The family of an End-of-RIB marker: an UPDATE without any routes (RFC 4724 s.2). */
  readonly endOfTable: Family | null;
  /** Malformed attributes that are left out (RFC 7606 s.2, attribute discard). */
  readonly discarded: readonly Damage[];
  /** Attributes of other families than IPv4 and IPv6 unicast, whose routes are not read. */
  readonly otherFamilies: number;
}

/** An UPDATE whose routes count as withdrawn (RFC 7606 s.2, treat-as-withdraw); the message is the reason. */
export class MalformedUpdate extends RangeError {
  override readonly name = "MalformedUpdate";

  /** Routes that it names, as far as it can be read. */
  constructor(
    readonly damage: Damage,
    readonly announced: readonly RoutePrefix[],
    readonly withdrawn: readonly RoutePrefix[],
  ) {
    super(damage.reason);
  }
}

/** A session between two ASes, with AS numbers of four bytes and one path to each prefix. */
export const usualSession: SessionFacts = {
  asnBytes: 4,
  nlri: onePathEach,
  isExternal: true,
  hasNextHops: true,
};

/** The type of a whole message; null when the bytes are not one whole BGP message. */
export function messageTypeOf(message: Uint8Array): number | null {
  return message.length < messageHeadBytes || lengthIn(message) !== message.length
    ? null
    : (message[18] ?? 0);
}

/** The length in the message's head. */
export function lengthIn(message: Uint8Array): number {
  return u16At(message, 16);
}

/**
 * @param message a whole UPDATE, with its head
 * @throws MalformedUpdate
 */
export function readUpdate(message: Uint8Array, session: SessionFacts): Update {
  const { withdrawnAt, withdrawnEnd, attributesAt, announcedAt, end } = partsOf(message);
  const withdrawn: RoutePrefix[] = [];
  const first = plainFailure(message, { start: withdrawnAt, end: withdrawnEnd }, session, withdrawn);
  const more = readAttributes(message, { start: attributesAt, end: announcedAt }, session);
  const announced: RoutePrefix[] = [];
  const last = plainFailure(message, { start: announcedAt, end }, session, announced);
  const all = {
    announced: more.announced.length === 0 ? announced : [...announced, ...more.announced],
    withdrawn: more.withdrawn.length === 0 ? withdrawn : [...withdrawn, ...more.withdrawn],
  };
  const unread = first ?? last;
  const malformed =
    more.malformed ??
    (unread === null ? missing(more, announced.length, session) : { attribute: null, reason: unread });
  if (malformed !== null) {
    throw new MalformedUpdate(malformed, all.announced, all.withdrawn);
  }
  const { attributes, multiprotocol } = attributesOf(more, announced.length);
  return {
    announced: all.announced,
    withdrawn: all.withdrawn,
    attributes,
    multiprotocol,
    discarded: more.discarded,
    otherFamilies: more.otherFamilies,
    endOfTable: end === messageHeadBytes + 4 ? 4 : more.endOf,
  };
}

/** Appends IPv4 prefixes to `found`; returns why the next one cannot be read, null = all were read. */
function plainFailure(
  message: Uint8Array,
  range: { readonly start: number; readonly end: number },
  { nlri }: SessionFacts,
  found: RoutePrefix[],
): string | null {
  try {
    readPrefixes(message, range, { family: 4, nlri, found });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Offsets of the message's parts. Throws MalformedUpdate when it is shorter. */
function partsOf(message: Uint8Array) {
  const end = message.length;
  const withdrawnAt = messageHeadBytes + 2;
  const withdrawnEnd = withdrawnAt + u16At(message, messageHeadBytes);
  const attributesAt = withdrawnEnd + 2;
  const announcedAt = attributesAt + u16At(message, withdrawnEnd);
  if (withdrawnAt > end || attributesAt > end || announcedAt > end) {
    const reason = `the UPDATE of ${end} bytes is shorter than its parts`;
    throw new MalformedUpdate({ attribute: null, reason }, [], []);
  }
  return { withdrawnAt, withdrawnEnd, attributesAt, announcedAt, end };
}

/** The first mandatory attribute that is missing (RFC 7606 s.3 d); null = none. */
function missing(
  { announced, codes }: ReturnType<typeof readAttributes>,
  plainRoutes: number,
  { hasNextHops }: SessionFacts,
): Damage | null {
  if (announced.length + plainRoutes === 0) {
    return null;
  }
  const { origin, asPath, nextHop } = attributeCodes;
  const needed = hasNextHops && plainRoutes > 0 ? [origin, asPath, nextHop] : [origin, asPath];
  const code = needed.find((one) => !codes.includes(one));
  return code === undefined ? null : damaged(code, `attribute ${code} is missing`);
}

/** Routes in MP_REACH_NLRI have its next hop, the others that of NEXT_HOP. */
function attributesOf(
  { attributes, announced, nextHop }: ReturnType<typeof readAttributes>,
  plainRoutes: number,
): Pick<Update, "attributes" | "multiprotocol"> {
  if (announced.length === 0) {
    return { attributes, multiprotocol: null };
  }
  const own = { ...attributes, nextHop };
  return plainRoutes === 0
    ? { attributes: own, multiprotocol: null }
    : { attributes, multiprotocol: { from: plainRoutes, attributes: own } };
}
