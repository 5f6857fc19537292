/**
 * A BGP message, or a change of session state, in an MRT record: BGP4MP (RFC 6396 s.4.4; with path ids RFC 8050 s.3).
 *
 * | bytes   | field                                            |
 * |---------|--------------------------------------------------|
 * | 4       | microseconds, of type 17 only                    |
 * | 2 or 4  | AS number of the peer, then of the collector     |
 * | 2       | number of the interface                          |
 * | 2       | address family: 1 = IPv4, 2 = IPv6               |
 * | 4 or 16 | address of the peer, then of the collector       |
 * |         | a BGP message; or u16 old, u16 new state         |
 */
import { type Address, mapped } from "../ip/address.ts";
import { type NlriReader, onePathEach } from "./nlri.ts";
import { type OnDiscarded, type RouteEvent, sessionEvent, updateEvents } from "./route-event.ts";
import { lengthIn, messageTypeOf, messageTypes } from "./update.ts";

interface MrtMessageRecord {
  readonly timeSec: number;
  readonly type: number;
  readonly subtype: number;
  readonly body: Uint8Array;
}

interface Form {
  readonly asnBytes: 2 | 4;
  readonly isState: boolean;
  readonly nlri: NlriReader;
}

const [plainType, preciseType] = [16, 17];
const severalPaths: NlriReader = { hasPathIds: () => true };

/** By subtype. */
const forms: Readonly<Record<number, Form>> = {
  0: { asnBytes: 2, isState: true, nlri: onePathEach },
  1: { asnBytes: 2, isState: false, nlri: onePathEach },
  4: { asnBytes: 4, isState: false, nlri: onePathEach },
  5: { asnBytes: 4, isState: true, nlri: onePathEach },
  6: { asnBytes: 2, isState: false, nlri: onePathEach },
  7: { asnBytes: 4, isState: false, nlri: onePathEach },
  8: { asnBytes: 2, isState: false, nlri: severalPaths },
  9: { asnBytes: 4, isState: false, nlri: severalPaths },
  10: { asnBytes: 2, isState: false, nlri: severalPaths },
  11: { asnBytes: 4, isState: false, nlri: severalPaths },
};
const established = 6;
const addressSizes: Readonly<Record<number, number>> = { 1: 4, 2: 16 };
const knownTypes: ReadonlySet<number> = new Set(Object.values(messageTypes));

/** Whether it is one of these record types. */
export function isMessageRecord({ type, subtype }: MrtMessageRecord): boolean {
  return (type === plainType || type === preciseType) && subtype in forms;
}

/**
 * The events of a record; none for messages other than UPDATE, and for states before a session is up.
 *
 * @throws MalformedRoutes for a malformed UPDATE; RangeError with the reason where the record itself does not fit
 */
export function eventsOfRecord(
  record: MrtMessageRecord,
  onDiscarded: OnDiscarded = () => {},
  onOtherFamily: () => void = () => {},
): RouteEvent[] {
  const form = forms[record.subtype];
  if (form === undefined) {
    return [];
  }
  const { asnBytes, isState, nlri } = form;
  const { view, start, familyAt, addressBytes, end } = placesOf(record, form);
  const asnAt = (at: number) => (asnBytes === 2 ? view.getUint16(at) : view.getUint32(at));
  const asn = asnAt(start);
  const from = {
    timeUs: BigInt(record.timeSec) * 1_000_000n + BigInt(start === 0 ? 0 : microsecondsIn(view)),
    peer: { table: "in", asn, address: addressAt(record.body, familyAt + 2, addressBytes), routerId: null },
  } as const;
  if (isState) {
    return stateEvents(view.getUint16(end), view.getUint16(end + 2), from);
  }
  const message = record.body.subarray(end);
  if (!isUpdate(message)) {
    return [];
  }
  const isExternal = asn !== asnAt(start + asnBytes);
  return updateEvents(message, {
    ...from,
    session: { asnBytes, nlri, isExternal, hasNextHops: true },
    ...{ onDiscarded, onOtherFamily },
  });
}

/** Throws RangeError when the bytes are not one whole BGP message. */
function isUpdate(message: Uint8Array): boolean {
  const type = messageTypeOf(message);
  if (type === null) {
    const reason = `the record has ${message.length} bytes of a BGP message of ${lengthIn(message)}`;
    throw new RangeError(reason);
  }
  if (!knownTypes.has(type)) {
    throw new RangeError(`a BGP message of the unknown type ${type}`);
  }
  return type === messageTypes.update;
}

/** The BGP message of a record that `eventsOfRecord` has read; null for a change of state. */
export function bgpMessageOf(record: MrtMessageRecord): Uint8Array | null {
  const form = forms[record.subtype];
  return form === undefined || form.isState ? null : record.body.subarray(placesOf(record, form).end);
}

/** Offset of the fields in the record's body. Throws RangeError when the record is cut short. */
function placesOf({ type, body }: MrtMessageRecord, { asnBytes }: Form) {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const start = type === preciseType ? 4 : 0;
  const familyAt = start + 2 * asnBytes + 2;
  if (body.length < familyAt + 2) {
    throw new RangeError(`the record has ${body.length} bytes and ends within its head`);
  }
  const family = view.getUint16(familyAt);
  const addressBytes = addressSizes[family];
  if (addressBytes === undefined) {
    throw new RangeError(`a session between addresses of the unknown family ${family}`);
  }
  return { view, start, familyAt, addressBytes, end: familyAt + 2 + 2 * addressBytes };
}

/** RFC 6396 s.3: what they add up to is below a second. */
function microsecondsIn(view: DataView): number {
  const microseconds = view.getUint32(0);
  if (microseconds >= 1_000_000) {
    throw new RangeError(`its time has ${microseconds} microseconds`);
  }
  return microseconds;
}

function stateEvents(before: number, after: number, from: Pick<RouteEvent, "timeUs" | "peer">): RouteEvent[] {
  if (after === established) {
    return [sessionEvent("peer-up", from)];
  }
  return before === established ? [sessionEvent("peer-down", from)] : [];
}

function addressAt(body: Uint8Array, at: number, bytes: number): Address {
  if (at + bytes > body.length) {
    throw new RangeError("the record ends within an address");
  }
  return bytes === 4 ? mapped(body, at) : body.slice(at, at + 16);
}
