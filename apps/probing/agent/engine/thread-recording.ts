/**
 * Copies recorded measurements' packets, in a sender or receiver, straight from the hot path's memory.
 */
import type { Hotpath } from "../../../../ffi/hotpath/hotpath.ts";
import {
  probeBytes,
  probeMeasurementAt,
  probesAt,
  repliesAt,
  replyMeasurementOffset,
} from "../../../../ffi/hotpath/memory-layout.ts";
import { PacketTap } from "./packet-tap.ts";
import { RecordedMeasurements } from "./recorded-measurements.ts";

/** By link type, bytes of a header that is neither Ethernet nor IP: the header is not kept. */
const cookedHeaderBytes: Readonly<Record<number, number>> = { 0: 4, 108: 4, 113: 16, 276: 20 };
/** The header of a packet in a savefile. */
export const recordHeaderBytes = 16;

export interface RecordingStart {
  /** See recorded-measurements.ts. */
  readonly measurements: SharedArrayBuffer;
  /** See packet-tap.ts; null = nothing is ever recorded. */
  readonly tap: SharedArrayBuffer | null;
}

export class ThreadRecording {
  readonly #recorded: RecordedMeasurements;
  readonly #tap: PacketTap | null;

  constructor({ measurements, tap }: RecordingStart) {
    this.#recorded = new RecordedMeasurements(measurements);
    this.#tap = tap === null ? null : new PacketTap(tap);
  }

  /** The only check of the hot path while nothing is recorded, once for each batch. */
  get any(): boolean {
    return this.#recorded.any;
  }

  /**
   * Copies sent frames of one measurement, which stay unchanged until their slots are refilled. Returns how
   * many did not fit.
   */
  sent(hotpath: Hotpath, [first, count]: readonly [number, number], sentAtUs: number): number {
    const measurement = hotpath.view.getUint32(probesAt + first * probeBytes + probeMeasurementAt, true);
    if (this.#tap === null || !this.#recorded.has(measurement)) {
      return 0;
    }
    const seconds = Math.floor(sentAtUs / 1e6);
    const time = { seconds, nanoseconds: Math.floor((sentAtUs - seconds * 1e6) * 1000) };
    let lost = 0;
    for (let slot = first; slot < first + count; slot++) {
      lost += this.#tap.put([measurement, "sent"], time, hotpath.frame(slot)) ? 0 : 1;
    }
    return lost;
  }

  /**
   * The captured record from `from` to `end`, whose attributed reply is at `repliesAt`; returns 1 if it did
   * not fit.
   */
  received({ view, bytes }: Hotpath, [from, end]: readonly [number, number], linkType: number): number {
    const measurement = view.getInt32(repliesAt + replyMeasurementOffset, true);
    if (this.#tap === null || !this.#recorded.has(measurement)) {
      return 0;
    }
    const time = { seconds: view.getUint32(from, true), nanoseconds: view.getUint32(from + 4, true) };
    const cut = cookedHeaderBytes[linkType] ?? 0;
    const packet = bytes.subarray(from + recordHeaderBytes + cut, end);
    const wireBytes = view.getUint32(from + 12, true) - cut;
    return this.#tap.put([measurement, "received"], time, packet, wireBytes) ? 0 : 1;
  }
}
