/**
 * Records of `bmp-updates` to one block of `bmp.updates`: straight from the bytes of the messages to columns, without
 * an object for each. A broken message is returned with its reason, and the record continues after it if its frame is
 * intact.
 */
import { addressBytes } from "../../../net/ip/address.ts";
import { readAddressInto, readText } from "../../../net/wire/byte-lists.ts";
import * as at from "../../../net/wire/layout.ts";
import { elementByte, MessageReader } from "../../../net/wire/message-reader.ts";
import { originBytesMax } from "../../../net/wire/update-codec.ts";
import type { WireReason } from "../../../net/wire/wire-reason.ts";
import { ByteBuffer, type NativeColumn, NativeRows } from "./native-block.ts";
import { UpdateLists } from "./update-lists.ts";

const origins = ["IGP", "INCOMPLETE", "EGP"].map((text) => Buffer.from(text));
/** Nanoseconds of a day, divided by 2^16. */
const dayParts = 86_400e9 / 2 ** 16;
const prefixBitsMax = 128;

type Field = readonly [name: string, type: string, at: number];

/** Columns of one width, with the byte, bit or pointer of the message that they are made of. */
const times: readonly Field[] = [
  ["time_received_ns", "DateTime64(9, 'UTC')", at.updateTimeReceivedNsOffset],
  ["time_bmp_header_ns", "DateTime64(9, 'UTC')", at.updateTimeBmpHeaderNsOffset],
];
const u32Fields: readonly Field[] = [
  ["peer_bgp_id", "IPv4", at.updatePeerBgpIdOffset],
  ["peer_asn", "UInt32", at.updatePeerAsnOffset],
  ["multi_exit_disc", "UInt32", at.updateMultiExitDiscOffset],
  ["local_preference", "UInt32", at.updateLocalPreferenceOffset],
  ["only_to_customer", "UInt32", at.updateOnlyToCustomerOffset],
  ["aggregator_asn", "UInt32", at.updateAggregatorAsnOffset],
  ["aggregator_bgp_id", "IPv4", at.updateAggregatorBgpIdOffset],
  ["originator_id", "IPv4", at.updateOriginatorIdOffset],
];
const u16Fields: readonly Field[] = [
  ["router_port", "UInt16", at.updateRouterPortOffset],
  ["mp_reach_afi", "UInt16", at.updateMpReachAfiOffset],
  ["mp_unreach_afi", "UInt16", at.updateMpUnreachAfiOffset],
];
const u8Fields: readonly Field[] = [
  ["prefix_len", "UInt8", at.updatePrefixLenOffset],
  ["mp_reach_safi", "UInt8", at.updateMpReachSafiOffset],
  ["mp_unreach_safi", "UInt8", at.updateMpUnreachSafiOffset],
];
const flagFields: readonly Field[] = [
  ["is_post_policy", "Bool", at.updateIsPostPolicyBit],
  ["is_adj_rib_out", "Bool", at.updateIsAdjRibOutBit],
  ["announced", "Bool", at.updateAnnouncedBit],
  ["synthetic", "Bool", at.updateSyntheticBit],
  ["atomic_aggregate", "Bool", at.updateAtomicAggregateBit],
];
/** In the order of the codec, so that both name the same fault first; the next hop is behind the AS path. */
const addressFields: readonly Field[] = [
  ["router_addr", "IPv6", at.updateRouterAddrPointer],
  ["peer_addr", "IPv6", at.updatePeerAddrPointer],
  ["prefix_addr", "IPv6", at.updatePrefixAddrPointer],
  ["next_hop", "IPv6", at.updateNextHopPointer],
];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly at: number;
  readonly width: number;
  readonly buffer: ByteBuffer;
}

function columnsOf(fields: readonly Field[], width: number): Column[] {
  return fields.map(([name, type, offset]) => ({ name, type, at: offset, width, buffer: new ByteBuffer() }));
}

interface RejectedUpdate {
  readonly reason: WireReason | "timeReceived";
  readonly bytes: Uint8Array;
}

export class UpdateBlock extends NativeRows {
  readonly #day = new ByteBuffer();
  readonly #times = columnsOf(times, 8);
  readonly #u32 = columnsOf(u32Fields, 4);
  readonly #u16 = columnsOf(u16Fields, 2);
  readonly #u8 = columnsOf(u8Fields, 1);
  readonly #flags = columnsOf(flagFields, 1);
  readonly #addresses = columnsOf(addressFields, addressBytes);
  readonly #fixed: readonly Column[] = [
    ...[...this.#times, ...this.#u32, ...this.#u16, ...this.#u8, ...this.#flags, ...this.#addresses],
    { name: "date", type: "Date", at: 0, width: 2, buffer: this.#day },
  ];
  readonly #origin = new ByteBuffer();
  readonly #lists = new UpdateLists();
  protected readonly columns: readonly NativeColumn[] = [
    ...this.#fixed.map(({ name, type, buffer }) => ({ name, type, data: [buffer] })),
    { name: "origin", type: "String", data: [this.#origin] },
    ...this.#lists.columns,
  ];

  /** Adds the messages of one record; returns those that are not updates. */
  add(record: Uint8Array): RejectedUpdate[] {
    const rejected: RejectedUpdate[] = [];
    const reader = new MessageReader(record);
    // A record without a message is truncated, not empty.
    for (let start = 0; start < record.length || start === 0; start = Math.max(reader.next, start + 1)) {
      reader.open(start);
      const reason = this.#addMessage(reader);
      if (reason !== null) {
        rejected.push({ reason, bytes: record.slice(start, reader.next) });
      }
    }
    return rejected;
  }

  #addMessage(reader: MessageReader): RejectedUpdate["reason"] | null {
    const originEnd = this.#origin.length;
    this.#lists.begin();
    this.#placeAddresses(reader, 0, 3);
    this.#addOrigin(reader);
    this.#lists.addPath(reader);
    this.#placeAddresses(reader, 3, 4);
    this.#lists.addRest(reader);
    const reason = reader.failure ?? reasonOf(reader);
    if (reason === null) {
      this.#addNumbers(reader);
      this.rows++;
      return null;
    }
    for (const { buffer, width } of this.#addresses) {
      buffer.length = this.rows * width;
    }
    this.#origin.length = originEnd;
    this.#lists.undo(this.rows);
    return reason;
  }

  #placeAddresses(reader: MessageReader, first: number, end: number): void {
    for (let i = first; i < end; i++) {
      const column = this.#addresses[i];
      if (column !== undefined) {
        const { buffer } = column;
        const place = buffer.room(addressBytes);
        readAddressInto(reader, column.at, buffer.bytes, place);
        buffer.length = place + addressBytes;
      }
    }
  }

  #addOrigin(reader: MessageReader): void {
    const known = knownOrigin(reader);
    this.#origin.text(known ?? Buffer.from(readText(reader, at.updateOriginPointer, originBytesMax)));
  }

  #addNumbers(reader: MessageReader): void {
    const low = reader.u32(at.updateTimeReceivedNsOffset);
    const high = reader.u32(at.updateTimeReceivedNsOffset + 4);
    this.#day.u16(Math.floor((high * 65_536 + (low >>> 16)) / dayParts));
    for (const { at: offset, buffer } of this.#times) {
      buffer.u32(reader.u32(offset));
      buffer.u32(reader.u32(offset + 4));
    }
    for (const { at: offset, buffer } of this.#u32) {
      buffer.u32(reader.u32(offset));
    }
    for (const { at: offset, buffer } of this.#u16) {
      buffer.u16(reader.u16(offset));
    }
    for (const { at: offset, buffer } of this.#u8) {
      buffer.u8(reader.u8(offset));
    }
    const flags = reader.u8(at.updateAnnouncedBit >> 3);
    for (const { at: bit, buffer } of this.#flags) {
      buffer.u8((flags >> (bit & 7)) & 1);
    }
  }
}

/** Faults that the codec does not check; DateTime64(9) holds times up to the year 2262. */
function reasonOf(reader: MessageReader): "addressLength" | "timeReceived" | null {
  if (reader.u8(at.updatePrefixLenOffset) > prefixBitsMax) {
    return "addressLength";
  }
  const isLate = times.some(([, , offset]) => reader.u32(offset + 4) >= 2 ** 31);
  return isLate ? "timeReceived" : null;
}

/** IGP, EGP and INCOMPLETE without a decoder; null for anything else. */
function knownOrigin(reader: MessageReader): Uint8Array | null {
  reader.openList(at.updateOriginPointer);
  if (reader.listElement !== elementByte) {
    return null;
  }
  return origins.find((one) => isText(reader, one)) ?? null;
}

/** With the NUL at its end. */
function isText({ bytes, listAt, listCount }: MessageReader, text: Uint8Array): boolean {
  if (listCount !== text.length + 1 || bytes[listAt + text.length] !== 0) {
    return false;
  }
  for (let i = 0; i < text.length; i++) {
    if (bytes[listAt + i] !== text[i]) {
      return false;
    }
  }
  return true;
}
