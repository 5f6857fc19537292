/**
 * Writes the packets that senders and receivers copied for recorded measurements into files (packet-folder.ts), one per
 * measurement and interface. A file is complete when its measurement is no longer recorded.
 */
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { recorderCounterNames } from "../agent-counters.ts";
import { Counters } from "../engine/counters.ts";
import { type LinkLayer, PacketFile } from "../engine/packet-file.ts";
import { PacketTap, type TappedPacket } from "../engine/packet-tap.ts";
import { RecordedMeasurements } from "../engine/recorded-measurements.ts";
import { recordingLimits, recordingsWaitingMax } from "../limits.ts";
import { MeasurementTable } from "../measurement-table.ts";
import { PacketFolder } from "./packet-folder.ts";

export interface RecorderStart {
  readonly stateDir: string;
  /** One for each thread of the engine. */
  readonly taps: readonly {
    readonly interfaceName: string;
    readonly layer: LinkLayer;
    readonly tap: SharedArrayBuffer;
  }[];
  readonly recorded: SharedArrayBuffer;
  /** Names of measurements by number. */
  readonly measurements: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
  /** Int32: 0 = run, 1 = finish all files, and end. */
  readonly stop: SharedArrayBuffer;
}

interface Recording {
  readonly number: number;
  readonly measurementId: string;
  readonly interfaceName: string;
  readonly path: string;
  readonly file: PacketFile;
}

/** Some thousand packets at the highest rates: a tap holds ten times as many. */
const takeEveryMs = 20;

export class Recorder {
  readonly #folder: PacketFolder;
  readonly #taps: readonly {
    readonly interfaceName: string;
    readonly layer: LinkLayer;
    readonly tap: PacketTap;
  }[];
  readonly #recorded: RecordedMeasurements;
  readonly #names: MeasurementTable;
  readonly #counters: Counters<(typeof recorderCounterNames)[number]>;
  readonly #stop: Int32Array;
  readonly #onFailure: (text: string) => void;
  readonly #open = new Map<string, Recording>();

  /** Throws the system's error when the folder cannot be made. */
  constructor(start: RecorderStart, onFailure: (text: string) => void) {
    this.#folder = new PacketFolder(start.stateDir);
    this.#folder.open();
    this.#taps = start.taps.map(({ tap, ...where }) => ({ ...where, tap: new PacketTap(tap) }));
    this.#recorded = new RecordedMeasurements(start.recorded);
    this.#names = new MeasurementTable(start.measurements);
    this.#counters = new Counters(recorderCounterNames, start.counters);
    this.#stop = new Int32Array(start.stop);
    this.#onFailure = onFailure;
  }

  async run(): Promise<void> {
    while (Atomics.load(this.#stop, 0) === 0) {
      this.#take(({ number }) => !this.#recorded.has(number));
      await Bun.sleep(takeEveryMs);
    }
    this.#take(() => true);
  }

  /** Completes ended recordings with what was copied until now. */
  #take(hasEnded: (recording: Recording) => boolean): void {
    const ended = [...this.#open].filter(([, recording]) => hasEnded(recording));
    for (const { interfaceName, layer, tap } of this.#taps) {
      for (const [number, packets] of Map.groupBy(tap.take(), ({ measurement }) => measurement)) {
        this.#add(number, { interfaceName, layer }, packets);
      }
    }
    for (const [key, recording] of ended) {
      this.#open.delete(key);
      this.#finish(recording);
    }
  }

  #add(
    number: number,
    where: { readonly interfaceName: string; readonly layer: LinkLayer },
    packets: readonly TappedPacket[],
  ): void {
    const recording = this.#of(number, where);
    try {
      recording?.file.add(packets);
    } catch (error) {
      this.#onFailure(`Cannot keep packets: ${systemReason(error)}`);
    }
    if (recording === null) {
      this.#counters.add("recording_packets_dropped", packets.length);
    }
  }

  /** Null when it cannot be kept. */
  #of(
    number: number,
    { interfaceName, layer }: { readonly interfaceName: string; readonly layer: LinkLayer },
  ) {
    const key = `${number} ${interfaceName}`;
    const known = this.#open.get(key);
    const measurementId = this.#names.nameOf(number);
    // A packet in transit when its recording ended must not start another.
    if (known !== undefined || measurementId === null || !this.#recorded.has(number)) {
      return known ?? null;
    }
    try {
      const path = this.#folder.partialPath(measurementId, interfaceName);
      const file = new PacketFile(path, layer, recordingLimits);
      const recording = { number, measurementId, interfaceName, path, file };
      this.#open.set(key, recording);
      return recording;
    } catch (error) {
      this.#onFailure(`Cannot keep packets: ${systemReason(error)}`);
      return null;
    }
  }

  #finish({ measurementId, interfaceName, path, file }: Recording): void {
    try {
      file[Symbol.dispose]();
      const { sent, received, leftOut } = file.counts;
      const note = {
        measurement_id: measurementId,
        interface: interfaceName,
        sent,
        heard: received,
        left_out: leftOut,
      };
      this.#folder.finish(path, note);
    } catch (error) {
      this.#onFailure(`Cannot keep packets: ${systemReason(error)}`);
    }
    for (const oldest of this.#folder.waiting().slice(0, -recordingsWaitingMax)) {
      this.#folder.remove(oldest);
      this.#counters.add("recordings_dropped", 1);
    }
  }
}
