/** A record on its way into the senders' rings, some probes a turn, without an object for each. */
import { isIpv4 } from "../../../lib/ip/address.ts";
import { ProbeCursor } from "../../../lib/wire/probe-codec.ts";
import type { ConsumerCounter } from "../agent-counters.ts";
import type { Outlet } from "./outlet.ts";
import type { Source } from "./source-rules.ts";
import type { TargetRecord } from "./target-record.ts";

export type Count = (name: ConsumerCounter, count: number) => void;

export interface JobTurn {
  readonly outlets: readonly Outlet[];
  readonly count: Count;
  readonly measurement: number;
  readonly nowMs: number;
  readonly probesMax: number;
}

export class ProbeJob {
  readonly record: TargetRecord;
  isDone = false;
  /** Set at the end: for each outlet that was used, how far it must have come before the record is done for good. */
  readonly marks = new Map<Outlet, number>();
  readonly #cursor: ProbeCursor;
  #probesRead = 0;
  /** Where the probe at the cursor goes, and how often still; 0 = on to the next. */
  #copiesLeft = 0;
  #source: Source | null = null;

  constructor(record: TargetRecord) {
    this.record = record;
    this.#cursor = new ProbeCursor(record.value);
  }

  /** Queues up to `probesMax` probes; fewer when a ring has enough. Returns how many it is done with. */
  turn(turn: JobTurn): number {
    const { notAfterMs } = this.record.header;
    if (notAfterMs !== null && turn.nowMs > notAfterMs) {
      turn.count("probes_expired", this.record.probeCount - this.#probesRead + Math.sign(this.#copiesLeft));
      turn.count("records_expired", 1);
      this.isDone = true;
      return 0;
    }
    let count = 0;
    while (count < turn.probesMax && this.#queueOne(turn)) {
      count++;
    }
    if (this.isDone) {
      turn.count("records_taken", 1);
    }
    return count;
  }

  /** False when there are no more, or no room. */
  #queueOne(turn: JobTurn): boolean {
    if (this.#copiesLeft === 0 && !this.#next(turn)) {
      return false;
    }
    const outlet = turn.outlets[this.#source?.instance ?? -1];
    while (this.#copiesLeft > 0 && this.#source !== null && outlet !== undefined) {
      if (!outlet.offer(this.#cursor, this.#source.address, turn.measurement)) {
        return false;
      }
      this.#copiesLeft--;
      this.marks.set(outlet, outlet.queued);
    }
    return true;
  }

  #next({ outlets, count }: JobTurn): boolean {
    if (this.#cursor.next >= this.record.value.length) {
      this.isDone = true;
      return false;
    }
    this.#cursor.advance();
    this.#probesRead++;
    count("probes_read", 1);
    const { ipv4, ipv6 } = this.record.sources;
    this.#source = isIpv4(this.#cursor.dst) ? ipv4 : ipv6;
    const outlet = outlets[this.#source?.instance ?? -1];
    if (outlet === undefined) {
      count("probes_without_source", 1);
    } else if (outlet.passes(this.#cursor.ttl)) {
      this.#copiesLeft = outlet.packets;
    }
    return true;
  }
}
