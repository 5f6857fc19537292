/**
 * A pcap savefile as a source of packets, a stretch at a time into the hot path's memory.
 *
 * Reads little-endian files with stamps in micro- or nanoseconds (magic a1b2c3d4, a1b23c4d), as every x86 and arm64
 * machine writes them. Header: magic u32 | version 2 x u16 | 8 unused | snap length u32 | link type u32.
 */
import { closeSync, openSync, readSync } from "node:fs";
import type { PacketSource } from "../../ffi/capture.ts";
import type { Hotpath } from "../../ffi/hotpath/hotpath.ts";
import * as at from "../../ffi/hotpath/memory-layout.ts";

const headerBytes = 24;
const magicMicroseconds = 0xa1b2c3d4;
const magicNanoseconds = 0xa1b23c4d;
/** The upper bits of the link type field say other things (FCS length). */
const linkTypeMask = 0x0fff_ffff;

export class Savefile implements PacketSource {
  readonly linkType: number;
  readonly fractionNs: 1 | 1000;
  readonly recordsAt = at.captureAt;
  readonly #fd: number;
  readonly #region: Uint8Array;
  /** Bytes at the start of the region that the last `read` left for the next one. */
  #kept = 0;

  /** Throws an Error that names the file and the reason. */
  constructor(hotpath: Hotpath, path: string) {
    this.#region = hotpath.bytes.subarray(at.captureAt, at.captureAt + at.captureBytes);
    this.#fd = openSync(path, "r");
    const header = new Uint8Array(headerBytes);
    const size = readSync(this.#fd, header);
    const view = new DataView(header.buffer);
    const magic = view.getUint32(0, true);
    if (size < headerBytes || (magic !== magicMicroseconds && magic !== magicNanoseconds)) {
      closeSync(this.#fd);
      throw new Error(`Cannot read ${path}: it is not a little-endian pcap file`);
    }
    this.fractionNs = magic === magicNanoseconds ? 1 : 1000;
    this.linkType = view.getUint32(20, true) & linkTypeMask;
  }

  read(): number {
    const size = readSync(this.#fd, this.#region, this.#kept, this.#region.length - this.#kept, null);
    const end = this.#kept + size;
    this.#kept = 0;
    return size === 0 ? -1 : at.captureAt + end;
  }

  /** Keeps what lies from `from` to `to` (a record cut by the end of the region) for the next `read`. */
  keep(from: number, to: number): void {
    this.#region.copyWithin(0, from - at.captureAt, to - at.captureAt);
    this.#kept = to - from;
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}
