/**
 * Packets of a measurement as a pcap savefile with nanosecond timestamps (the magic a1b23c4d of
 * draft-ietf-opsawg-pcap): in the order of their times, as far as the engine's threads allow, and bounded.
 *
 *     magic u32 | major u16 2 | minor u16 4 | 0 u32 | 0 u32 | snap length u32 | link type u32 | packets
 */
import { closeSync, openSync, writeSync } from "node:fs";
import type { TappedPacket } from "./packet-tap.ts";

const magicNanoseconds = 0xa1b2_3c4d;
const version = 0x0004_0002;
/** Longer than any packet kept. */
const snapBytes = 65_535;
const fileHeaderBytes = 24;
/** Threads pass packets on in blocks; one thread lags another by at most this much. */
const orderWithinNs = 250_000_000n;

/** How frames of an interface begin: LINKTYPE_ETHERNET, LINKTYPE_RAW. */
const linkTypes = { ethernet: 1, ip: 101 } as const;
export type LinkLayer = keyof typeof linkTypes;

export interface PacketLimits {
  readonly bytesMax: number;
  readonly packetsMax: number;
}

interface PacketCounts {
  readonly sent: number;
  readonly received: number;
  /** Packets left out because of the limits. */
  readonly leftOut: number;
}

export class PacketFile implements Disposable {
  readonly #limits: PacketLimits;
  readonly #fd: number;
  #waiting: TappedPacket[] = [];
  #bytes = fileHeaderBytes;
  #counts = { sent: 0, received: 0, leftOut: 0 };

  /** Readable by its owner only; replaces an existing file. Throws the system's error. */
  constructor(path: string, layer: LinkLayer, limits: PacketLimits) {
    this.#limits = limits;
    this.#fd = openSync(path, "w", 0o600);
    const words = Uint32Array.of(magicNanoseconds, version, 0, 0, snapBytes, linkTypes[layer]);
    this.#write(new Uint8Array(words.buffer));
  }

  get counts(): PacketCounts {
    return this.#counts;
  }

  /** Counts what does not fit; throws the system's error. */
  add(packets: readonly TappedPacket[]): void {
    for (const packet of packets) {
      this.#add(packet);
    }
    if (packets.length > 0) {
      this.#waiting.sort(byTime);
      this.#writeUntil((this.#waiting.at(-1)?.timeNs ?? 0n) - orderWithinNs);
    }
  }

  [Symbol.dispose](): void {
    try {
      this.#writeUntil(null);
    } finally {
      closeSync(this.#fd);
    }
  }

  #add(packet: TappedPacket): void {
    const bytes = this.#bytes + packet.record.length;
    const { sent, received } = this.#counts;
    if (bytes > this.#limits.bytesMax || sent + received >= this.#limits.packetsMax) {
      this.#counts.leftOut++;
      return;
    }
    this.#bytes = bytes;
    this.#counts[packet.direction]++;
    this.#waiting.push(packet);
  }

  /** Null = all. */
  #writeUntil(timeNs: bigint | null): void {
    const end = timeNs === null ? -1 : this.#waiting.findIndex((packet) => packet.timeNs > timeNs);
    const due = end < 0 ? this.#waiting : this.#waiting.slice(0, end);
    this.#waiting = end < 0 ? [] : this.#waiting.slice(end);
    if (due.length > 0) {
      this.#write(Buffer.concat(due.map(({ record }) => record)));
    }
  }

  /** A write to a nearly full disk may be partial. */
  #write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#fd, bytes, written);
    }
  }
}

function byTime(a: TappedPacket, b: TappedPacket): number {
  return a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0;
}
