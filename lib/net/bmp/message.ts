/**
 * Messages of the BGP Monitoring Protocol (RFC 7854; RFC 8671 for Adj-RIB-Out, RFC 9069 for the Loc-RIB).
 *
 * | bytes | common head        |     | bytes | head of a peer                       |
 * |-------|--------------------|-----|-------|--------------------------------------|
 * | 1     | version, 3         |     | 1     | type; 3 = Loc-RIB                    |
 * | 4     | length, head too   |     | 1     | flags, below                         |
 * | 1     | type               |     | 8     | distinguisher                        |
 * |       |                    |     | 16    | address; IPv4 in the last 4          |
 * |       |                    |     | 4     | AS number                            |
 * |       |                    |     | 4     | id of the router                     |
 * |       |                    |     | 4 + 4 | time, seconds and microseconds       |
 *
 * Flags: 0x80 the address is IPv6 (of a Loc-RIB: it is filtered), 0x40 after the policy, 0x20 AS numbers of two bytes,
 * 0x10 Adj-RIB-Out. Integers are big endian. Bytes that do not fit throw a RangeError with the reason.
 */
import { type Open, readOpen } from "../bgp/open.ts";
import { messageTypeOf, messageTypes } from "../bgp/update.ts";
import { type Address, mapped } from "../ip/address.ts";
import { wordAt } from "../ip/words.ts";

const commonHeadBytes = 6;
const version = 3;
const peerHeadBytes = 42;
const peerTimeAt = 34;
/** Bytes of both heads. */
export const headsBytes = commonHeadBytes + peerHeadBytes;
/** The largest that is defined: 0 to 2 are the router's instances (RFC 7854 s.4.2), 3 is its Loc-RIB (RFC 9069). */
const localTableType = 3;
const types = ["routes", "statistics", "peer down", "peer up", "begin", "end", "mirror"] as const;

/** The largest BGP message has 65,535 bytes (RFC 8654); a Peer Up message contains two. */
const messageBytesMax = 256 * 1024;

/** The peer, and which of its tables. */
export interface PeerHead {
  readonly isLocalTable: boolean;
  readonly isPostPolicy: boolean;
  readonly isOut: boolean;
  readonly asnBytes: 2 | 4;
  /** 8 bytes in hexadecimal, zero where a router has one instance only. */
  readonly distinguisher: string;
  readonly address: Address;
  readonly asn: number;
  readonly routerId: string;
}

type BmpMessage =
  | { readonly type: "peer up"; readonly peer: PeerHead; readonly sent: Open; readonly received: Open }
  | { readonly type: "peer down"; readonly peer: PeerHead; readonly reason: number }
  | { readonly type: "begin"; readonly name: string | null; readonly description: string | null }
  | { readonly type: "end" }
  /**
   * Route monitoring is read separately (`isRoutes`), as there are millions; statistics and route mirroring are not
   * read.
   */
  | { readonly type: "routes" | "statistics" | "mirror" };

/** Bytes of the message that begins here; null while its head is incomplete. Throws RangeError on other bytes. */
export function messageLength(bytes: Uint8Array, at: number): number | null {
  if (bytes.length - at < commonHeadBytes) {
    return null;
  }
  const length = wordAt(bytes, at + 1);
  if (bytes[at] !== version || length < commonHeadBytes || length > messageBytesMax) {
    throw new RangeError(`no message of BMP ${version}: version ${bytes[at]}, length ${length}`);
  }
  return length;
}

/** Reads a whole message, with its head. */
export function readMessage(message: Uint8Array): BmpMessage {
  const type = types[message[5] ?? 0];
  switch (type) {
    case "peer down":
      return { type, peer: peerHeadOf(message), reason: bodyOf(message)[0] ?? 0 };
    case "peer up":
      return peerUp(message);
    case "begin":
      return begin(message.subarray(commonHeadBytes));
    case "end":
    case "routes":
    case "statistics":
    case "mirror":
      return { type };
    default:
      throw new RangeError(`a message of type ${message[5]}`);
  }
}

/** A message's type; null = an unknown one, which is skipped (RFC 7854 s.4.1). */
export function messageKind(message: Uint8Array): (typeof types)[number] | null {
  return types[message[5] ?? 0] ?? null;
}

/** Whether it is a route monitoring message: the head of a peer, and a whole BGP message. */
export function isRoutes(message: Uint8Array): boolean {
  return types[message[5] ?? 0] === "routes";
}

export function bodyOf(message: Uint8Array): Uint8Array {
  return message.subarray(headsBytes);
}

export function peerHeadOf(message: Uint8Array): PeerHead {
  const at = commonHeadBytes;
  if (message.length < headsBytes) {
    throw new RangeError(`the head of a peer has ${message.length - at} of ${peerHeadBytes} bytes`);
  }
  const [type = 0, flags = 0] = message.subarray(at, at + 2);
  if (type > localTableType) {
    throw new RangeError(`a peer of the unknown type ${type}`);
  }
  const isLocalTable = type === localTableType;
  return {
    isLocalTable,
    isPostPolicy: !isLocalTable && (flags & 0x40) !== 0,
    isOut: !isLocalTable && (flags & 0x10) !== 0,
    asnBytes: !isLocalTable && (flags & 0x20) !== 0 ? 2 : 4,
    distinguisher: message.subarray(at + 2, at + 10).toHex(),
    address:
      isLocalTable || (flags & 0x80) !== 0 ? message.slice(at + 10, at + 26) : mapped(message, at + 22),
    asn: wordAt(message, at + 26),
    routerId: message.subarray(at + 30, at + 34).join("."),
  };
}

/** When the router received it; null = not given (RFC 7854 s.4.2: zero). */
export function timeUsOf(message: Uint8Array): bigint | null {
  const at = commonHeadBytes + peerTimeAt;
  const seconds = wordAt(message, at);
  return seconds === 0 ? null : BigInt(seconds * 1_000_000 + wordAt(message, at + 4));
}

/** Equal for messages about the same peer and table. */
export function peerHash(message: Uint8Array): number {
  let hash = 0;
  for (let at = commonHeadBytes; at < commonHeadBytes + peerTimeAt; at++) {
    hash = (Math.imul(hash, 31) + (message[at] ?? 0)) | 0;
  }
  return hash;
}

/** Whether two messages' heads name the same peer and table, whatever their times. */
export function samePeer(one: Uint8Array, other: Uint8Array): boolean {
  for (let at = commonHeadBytes; at < commonHeadBytes + peerTimeAt; at++) {
    if (one[at] !== other[at]) {
      return false;
    }
  }
  return true;
}

/** 16 bytes local address, u16 local and u16 remote port, the OPEN that was sent, the one that was received. */
function peerUp(message: Uint8Array): BmpMessage {
  const body = bodyOf(message);
  const sentAt = 20;
  const sent = openAt(body, sentAt);
  const received = openAt(body, sentAt + sent.length);
  return {
    ...{ type: "peer up", peer: peerHeadOf(message) },
    ...{ sent: readOpen(sent), received: readOpen(received) },
  };
}

function openAt(body: Uint8Array, at: number): Uint8Array {
  const open = body.subarray(at, at + (((body[at + 16] ?? 0) << 8) | (body[at + 17] ?? 0)));
  if (messageTypeOf(open) !== messageTypes.open) {
    throw new RangeError(`a peer that is up has no OPEN at byte ${at}`);
  }
  return open;
}

/** u16 type (1 = description of the system, 2 = its name), u16 length, text. */
function begin(bytes: Uint8Array): BmpMessage {
  const texts = new Map<number, string>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = view.getUint16(at + 2);
    texts.set(view.getUint16(at), new TextDecoder().decode(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return { type: "begin", name: texts.get(2) ?? null, description: texts.get(1) ?? null };
}
