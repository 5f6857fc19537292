/** A measurement that is being published: builds the next records of its probes. */
import type { OutgoingRecord } from "../../../../lib/engines/broker/broker.ts";
import type { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import { RecordMaker } from "../../../../lib/engines/submission/record-maker.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import type { ProbeShape } from "../../../../lib/net/packet/probe.ts";
import { probeMessageBytes } from "../../../../lib/net/wire/probe-codec.ts";
import { type MeasurementShare, sharesOf } from "../safety/destination-share.ts";
import { readProgress, type SpoolFolder, writeProgress } from "./spool-folder.ts";

interface OutgoingOrder {
  /** Id of its row and its spool: that of the measurement, or of an addition to it. */
  readonly id: string;
  readonly measurementId: string;
  /** Index in the measurement of the first of these probes. */
  readonly firstProbe: number;
  /** More probes may be added later. */
  readonly isOpen: boolean;
  /** Between two records; null = as fast as the broker accepts them. */
  readonly intervalMs: number | null;
  readonly recordsPackets: boolean;
  readonly shape: ProbeShape;
  /** The submitting request; null = none. */
  readonly requestId: string | null;
  readonly targets: readonly Target[];
  readonly probes: number;
  /** Probes of each record except the last. */
  readonly recordProbes: number;
  /** Limit of one record, with key and headers. */
  readonly recordBytesMax: number;
  readonly notAfterMs: number;
  /** Null = it has none. */
  readonly share: MeasurementShare | null;
}

/** How publishing ended: all records are published, or the measurement ended before. */
export type Outcome = "published" | "ended";

export class Outgoing {
  readonly id: string;
  readonly measurementId: string;
  /** The submitting request; null = none. */
  readonly requestId: string | null;
  readonly probes: number;
  /** Acknowledged by the broker, for every target. */
  published = 0;
  /** Set when the measurement has ended: publishing stops. */
  isStopped = false;
  /** When its next record may leave, on the clock of `performance.now`. */
  dueAtMs = 0;
  readonly outcome: Promise<Outcome>;
  readonly #intervalMs: number | null;
  readonly #settle: (outcome: Outcome) => void;
  readonly #maker: RecordMaker;
  readonly #folder: SpoolFolder;
  #spool: ProbeSpool | null;

  /** This object owns `spool`; null = it is opened when its turn comes. */
  constructor(order: OutgoingOrder, folder: SpoolFolder, spool: ProbeSpool | null) {
    this.id = order.id;
    this.measurementId = order.measurementId;
    this.requestId = order.requestId;
    this.probes = order.probes;
    this.#intervalMs = order.intervalMs;
    const agentIds = order.targets.map(({ agent }) => agent);
    const shares = sharesOf(order.share, agentIds);
    this.#maker = new RecordMaker({ ...order, shares, recordProbesMax: order.recordProbes });
    this.#folder = folder;
    this.#spool = spool;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    this.#settle = resolve;
  }

  get isOpen(): boolean {
    return this.#spool !== null;
  }

  get isDone(): boolean {
    return this.isStopped || this.published >= this.probes;
  }

  get spoolBytes(): number {
    return this.probes * probeMessageBytes;
  }

  /** Opens an earlier spool and its progress; false when the probes are lost. */
  open(): boolean {
    this.#spool ??= this.#folder.reopen(this.id, this.probes);
    if (this.#spool === null) {
      return false;
    }
    this.published = Math.max(this.published, readProgress(this.#spool));
    return true;
  }

  close(): void {
    this.#spool?.[Symbol.dispose]();
    this.#spool = null;
  }

  /**
   * Records of the next probes, at least those of one record for each wave of targets, and no more than `bytesMax`
   * beyond that. Call `acknowledge` with `probes` when the broker has accepted them.
   */
  next(bytesMax: number): {
    readonly records: OutgoingRecord[];
    readonly probes: number;
    readonly bytes: number;
  } {
    const { probesPerRecord, waves, headBytes } = this.#maker;
    const sliceBytes = (probesPerRecord * probeMessageBytes + headBytes) * waves;
    const left = this.probes - this.published;
    const slicesMax = this.#intervalMs === null ? Math.floor(bytesMax / sliceBytes) : 1;
    const slices = Math.max(1, Math.min(slicesMax, Math.ceil(left / probesPerRecord)));
    const probes = Math.min(left, slices * probesPerRecord);
    const messages = this.#read(probes);
    const records: OutgoingRecord[] = [];
    for (let first = 0; first < probes; first += probesPerRecord) {
      const end = Math.min(first + probesPerRecord, probes);
      const slice = messages.subarray(first * probeMessageBytes, end * probeMessageBytes);
      records.push(...this.#maker.recordsOf(this.published + first, slice));
    }
    return { records, probes, bytes: messages.length * waves + records.length * headBytes };
  }

  /** A late record does not shorten the interval to the next one. */
  acknowledge(probes: number): void {
    this.published += probes;
    if (this.#intervalMs !== null) {
      const nowMs = performance.now();
      const isLate = nowMs - this.dueAtMs > this.#intervalMs;
      this.dueAtMs = (isLate ? nowMs : this.dueAtMs) + this.#intervalMs;
    }
    if (this.#spool !== null) {
      writeProgress(this.#spool, this.published);
    }
  }

  settle(outcome: Outcome): void {
    this.close();
    this.#settle(outcome);
  }

  #read(probes: number): Uint8Array {
    if (this.#spool === null) {
      throw new TypeError(`The spool of ${this.id} is not open`);
    }
    return this.#spool.read(this.published, probes, new Uint8Array(probes * probeMessageBytes));
  }
}
