/** The consumer's side of one sender: fills its ring, and tracks how much of it has left. */
import type { Probe } from "../../../../lib/net/packet/probe.ts";
import { feedCounterNames } from "../agent-counters.ts";
import { Counters, senderCounterNames } from "../engine/counters.ts";
import { InstanceControl } from "../engine/instance-control.ts";
import { type ProbeMetadata, ProbeQueue, queueProbes } from "../engine/probe-queue.ts";
import { queuedMs, queuedProbesMin } from "../limits.ts";

export interface SenderFeedStart {
  /** See instance-control.ts. */
  readonly control: SharedArrayBuffer;
  readonly minTtl: number;
  readonly maxTtl: number;
  /** How often each probe is sent. */
  readonly packets: number;
  readonly probes: SharedArrayBuffer;
  readonly senderCounters: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
}

export class SenderFeed {
  readonly packets: number;
  /** Packets put into the ring since the start. */
  queued = 0;
  readonly #start: SenderFeedStart;
  readonly #queue: ProbeQueue;
  readonly #control: InstanceControl;
  readonly #sender: Counters<(typeof senderCounterNames)[number]>;
  readonly #counters: Counters<(typeof feedCounterNames)[number]>;

  constructor(start: SenderFeedStart) {
    this.#start = start;
    this.packets = start.packets;
    this.#queue = new ProbeQueue(start.probes);
    this.#control = new InstanceControl(start.control);
    this.#sender = new Counters(senderCounterNames, start.senderCounters);
    this.#counters = new Counters(feedCounterNames, start.counters);
  }

  /** False, and counted, when the instance's configuration keeps probes of this TTL back. */
  passes(ttl: number): boolean {
    if (ttl < this.#start.minTtl) {
      this.#counters.add("filtered_ttl_low", 1);
      return false;
    }
    if (ttl > this.#start.maxTtl) {
      this.#counters.add("filtered_ttl_high", 1);
      return false;
    }
    return true;
  }

  /** False when enough is queued already. */
  offer(probe: Probe, place: ProbeMetadata): boolean {
    if (this.#queue.length() >= this.#queuedMax() || !this.#queue.put(probe, place)) {
      return false;
    }
    this.queued++;
    this.#counters.add("probes_queued", 1);
    return true;
  }

  #queuedMax(): number {
    const wanted = Math.ceil((this.#control.rateProbesPerSec * queuedMs) / 1000);
    return Math.min(queueProbes, Math.max(queuedProbesMin, wanted));
  }

  /** Packets that the kernel has accepted or that have failed, since the start: never more than `queued`. */
  get done(): number {
    return this.#sender.get("sender_read");
  }
}
