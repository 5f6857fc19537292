/**
 * Cuts the probes of a measurement into records of the broker. Pure.
 *
 * The waves (targets.ts) keep step: probes a to b are published for every wave before b + 1 is. So the two sources of
 * one agent see each target at about the same time, and one number is the progress of the whole measurement.
 * Headers: `first_probe` counts for each target on its own, from 0. `end_of_measurement` is set for an agent in the
 * last record that names it, so a program that waits for it has the probes of all sources of that agent.
 */
import { Failure } from "../../base/failure/failure.ts";
import { formatAddress } from "../../net/ip/address.ts";
import type { ProbeShape } from "../../net/packet/probe.ts";
import { probeMessageBytes } from "../../net/wire/probe-codec.ts";
import { type DestinationShare, encodeTargetHeader } from "../../net/wire/target-header.ts";
import type { OutgoingRecord } from "../broker/broker.ts";
import { headerOverheadBytes, recordOverheadBytes } from "./limits.ts";
import { type Target, wavesOf } from "./targets.ts";

interface Campaign {
  readonly measurementId: string;
  readonly targets: readonly Target[];
  /** Probes of each target. */
  readonly probes: number;
  readonly recordProbesMax: number;
  /** Limit of one record, with key and headers. */
  readonly recordBytesMax: number;
  /** Milliseconds since the epoch. */
  readonly notAfterMs: number;
  /** Index in the measurement of the first of these probes; absent = 0. */
  readonly firstProbe?: number;
  /** More probes may follow these: no record is marked as the last. */
  readonly isOpen?: boolean;
  /** Each agent's rate limit for one destination; without it, the agent decides. */
  readonly shares?: ReadonlyMap<string, DestinationShare>;
  /** Whether agents keep the packets. */
  readonly recordsPackets?: boolean;
  /** The submitting request; absent or null = none. */
  readonly requestId?: string | null;
  /** What the probes look like. */
  readonly shape?: ProbeShape;
}

export class RecordMaker {
  readonly waves: number;
  /** Every record but the last has this many. */
  readonly probesPerRecord: number;
  readonly #campaign: Campaign;
  readonly #waves: readonly (readonly Target[])[];
  /** The last wave that names each agent. */
  readonly #lastWave = new Map<string, number>();

  /** Throws Failure `submission` `targets` when the headers leave no room for a probe. */
  constructor(campaign: Campaign) {
    this.#campaign = campaign;
    this.#waves = wavesOf(campaign.targets);
    this.waves = this.#waves.length;
    for (const [wave, targets] of this.#waves.entries()) {
      for (const { agent } of targets) {
        this.#lastWave.set(agent, wave);
      }
    }
    this.probesPerRecord = Math.min(campaign.recordProbesMax, this.#probesThatFit());
    if (this.probesPerRecord < 1) {
      throw new Failure(
        "submission",
        "targets",
        `${campaign.targets.length} targets leave no room for probes in a record of ${campaign.recordBytesMax} bytes`,
      );
    }
  }

  /** Most bytes of one record without its probes. */
  get headBytes(): number {
    return Math.max(...this.#waves.map((_, wave) => this.#headBytesOf(wave)));
  }

  /**
   * The records, one for each wave, of the probes from `first` on with these messages. They share `messages`.
   */
  recordsOf(first: number, messages: Uint8Array): OutgoingRecord[] {
    const { probes, isOpen } = this.#campaign;
    const isLast = isOpen !== true && first + messages.length / probeMessageBytes >= probes;
    return this.#waves.map((_, wave) => ({
      key: this.#campaign.measurementId,
      value: messages,
      headers: this.#headers(wave, first, isLast),
    }));
  }

  #headers(wave: number, first: number, isLast: boolean): Record<string, string> {
    const {
      measurementId,
      notAfterMs,
      shares,
      recordsPackets = false,
      requestId = null,
      shape = {},
    } = this.#campaign;
    const firstProbe = (this.#campaign.firstProbe ?? 0) + first;
    const targets = this.#waves[wave] ?? [];
    return Object.fromEntries(
      targets.map(({ agent, source }) => {
        const srcIp = source === null ? "" : formatAddress(source);
        const endOfMeasurement = isLast && this.#lastWave.get(agent) === wave;
        return [
          agent,
          encodeTargetHeader({
            ...{ srcIp, measurementId, endOfMeasurement, firstProbe, notAfterMs },
            share: shares?.get(agent) ?? null,
            recordsPackets,
            requestId,
            shape,
          }),
        ];
      }),
    );
  }

  #probesThatFit(): number {
    return Math.floor((this.#campaign.recordBytesMax - this.headBytes) / probeMessageBytes);
  }

  #headBytesOf(wave: number): number {
    // The highest index has the most digits, and "false" is longer than "true".
    const headers = Object.entries(this.#headers(wave, this.#campaign.probes, false));
    const bytes = headers.map(
      ([name, value]) => Buffer.byteLength(name) + Buffer.byteLength(value) + headerOverheadBytes,
    );
    const key = Buffer.byteLength(this.#campaign.measurementId);
    return bytes.reduce((sum, more) => sum + more, recordOverheadBytes + key);
  }
}
