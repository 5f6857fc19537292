/** pcap savefiles, written and read in plain TypeScript: little-endian, stamps in nano- or microseconds. */
import { concat } from "./bytes.ts";

export interface Packet {
  /** Nanoseconds since the epoch. */
  readonly timeNs: bigint;
  readonly frame: Uint8Array;
  /** Length on the wire, where the capture cut the frame. */
  readonly wireBytes?: number;
}

interface Savefile {
  readonly linkType: number;
  /** 1 or 1000: the unit of a stamp's fraction. */
  readonly fractionNs: 1 | 1000;
  readonly packets: readonly Packet[];
}

const magicOf = { 1: 0xa1b23c4d, 1000: 0xa1b2c3d4 } as const;
const fileHeaderBytes = 24;
export const recordHeaderBytes = 16;
const snapBytes = 65535;

export function writeSavefile(file: Savefile): Uint8Array {
  const header = words(magicOf[file.fractionNs], 0x0004_0002, 0, 0, snapBytes, file.linkType);
  return concat(header, ...file.packets.map((packet) => writeRecord(packet, file.fractionNs)));
}

/** Seconds, fraction, captured bytes, bytes on the wire, then the frame. */
export function writeRecord({ timeNs, frame, wireBytes }: Packet, fractionNs: 1 | 1000): Uint8Array {
  const fraction = Number(timeNs % 1_000_000_000n) / fractionNs;
  const record = new Uint8Array(recordHeaderBytes + frame.length);
  record.set(words(Number(timeNs / 1_000_000_000n), fraction, frame.length, wireBytes ?? frame.length));
  record.set(frame, recordHeaderBytes);
  return record;
}

/** Throws on anything but a whole savefile of these tests. */
export function readSavefile(bytes: Uint8Array): Savefile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fractionNs = view.getUint32(0, true) === magicOf[1] ? 1 : 1000;
  const packets: Packet[] = [];
  for (let at = fileHeaderBytes; at < bytes.length; ) {
    const end = at + recordHeaderBytes + view.getUint32(at + 8, true);
    const seconds = BigInt(view.getUint32(at, true));
    const timeNs = seconds * 1_000_000_000n + BigInt(view.getUint32(at + 4, true) * fractionNs);
    packets.push({ timeNs, frame: bytes.slice(at + recordHeaderBytes, end) });
    at = end;
  }
  return { linkType: view.getUint32(20, true), fractionNs, packets };
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) {
    view.setUint32(4 * i, value, true);
  }
  return bytes;
}
