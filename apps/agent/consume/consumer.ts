/**
 * The consumer: records of probes from the broker into the senders' rings.
 *
 * Partitions take turns of some hundred probes, so a long campaign in one does not hold up a short one in another. A
 * partition that has enough waiting here is paused. An offset is committed when the kernel has taken all probes
 * before it, so a crash repeats what was on the way and loses nothing.
 */

import {
  type Broker,
  BrokerError,
  type IncomingRecord,
  type Subscription,
} from "../../../lib/broker/broker.ts";
import { openBroker } from "../../../lib/broker/open.ts";
import type { Prefix } from "../../../lib/ip/prefix.ts";
import { topicPartitions, topicRetentionMs } from "../../../lib/wire/target-header.ts";
import { type ConsumerCounter, consumerCounterNames } from "../agent-counters.ts";
import type { BrokerConfig } from "../config/config.ts";
import { Counters } from "../engine/counters.ts";
import { commitEveryMs, laneRecordsMax, retryMs, turnProbes } from "../limits.ts";
import { DeadLetters } from "./dead-letters.ts";
import { Lane } from "./lane.ts";
import { MeasurementNumbers, MeasurementTable, noMeasurement } from "./measurement-table.ts";
import { Outlet, type OutletStart } from "./outlet.ts";
import { ProbeJob } from "./probe-job.ts";
import { SourceRules } from "./source-rules.ts";
import { readTargetRecord, type TargetRecord } from "./target-record.ts";

export interface ConsumerStart {
  readonly agentId: string;
  readonly broker: BrokerConfig;
  readonly stateDir: string;
  /** In the order of the instances. */
  readonly outlets: readonly OutletStart[];
  readonly prefixes: readonly (readonly Prefix[])[];
  readonly counters: SharedArrayBuffer;
  readonly measurements: SharedArrayBuffer;
  /** Int32: one of `consumerPhases`. */
  readonly stop: SharedArrayBuffer;
}

export const consumerPhases = { run: 0, settle: 1, end: 2 } as const;

/** Longest stretch of turns before the event loop has its own. */
const busyMs = 5;
const waitMs = { moving: 0, blocked: 5, idle: 100 } as const;

export class Consumer {
  readonly #start: ConsumerStart;
  readonly #outlets: readonly Outlet[];
  readonly #rules: SourceRules;
  readonly #counters: Counters<ConsumerCounter>;
  readonly #numbers: MeasurementNumbers;
  readonly #deadLetters: DeadLetters;
  readonly #phase: Int32Array;
  readonly #onFailure: (text: string) => void;
  readonly #lanes = new Map<string, Lane>();
  #subscription: Subscription | null = null;
  #committedAtMs = 0;

  constructor(start: ConsumerStart, onFailure: (text: string) => void) {
    this.#start = start;
    this.#outlets = start.outlets.map((outlet) => new Outlet(outlet));
    this.#rules = new SourceRules(start.prefixes);
    this.#counters = new Counters(consumerCounterNames, start.counters);
    this.#numbers = new MeasurementNumbers(new MeasurementTable(start.measurements));
    this.#deadLetters = new DeadLetters(start.stateDir);
    this.#phase = new Int32Array(start.stop);
    this.#onFailure = onFailure;
  }

  async run(): Promise<void> {
    const { address, login } = this.#start.broker;
    await using broker = await openBroker(address, { login, log: this.#onFailure });
    while (this.#isIn("run")) {
      await using subscription = await this.#subscribe(broker);
      if (subscription !== null) {
        await this.#work(subscription);
      }
      this.#lanes.clear();
    }
  }

  /** Until the end, or until the subscription is closed by the broker: then what is not committed comes again. */
  async #work(subscription: Subscription): Promise<void> {
    this.#subscription = subscription;
    while (this.#isIn("run")) {
      const hasMoved = this.#turns();
      await this.#commit(subscription, commitEveryMs);
      if (!(await this.#take(subscription, hasMoved))) {
        return;
      }
    }
    while (this.#isIn("settle")) {
      await this.#commit(subscription, commitEveryMs);
      await Bun.sleep(waitMs.blocked);
    }
    await this.#commit(subscription, 0);
  }

  /** Null when it is time to end before the broker is there. */
  async #subscribe(broker: Broker): Promise<Subscription | null> {
    const { probesTopics, group } = this.#start.broker;
    // Until it has answered once: the first attempt may take long to fail.
    this.#counters.set("consumer_away", 1);
    while (this.#isIn("run")) {
      try {
        for (const name of probesTopics) {
          await broker.ensureTopic({ name, partitions: topicPartitions, retentionMs: topicRetentionMs });
        }
        const subscription = await broker.subscribe(group, probesTopics);
        this.#counters.set("consumer_away", 0);
        return subscription;
      } catch (error) {
        await this.#isAway(error);
      }
    }
    return null;
  }

  /** False when the subscription is of no more use. */
  async #take(subscription: Subscription, hasMoved: boolean): Promise<boolean> {
    const isBlocked = [...this.#lanes.values()].some((lane) => lane.waiting() > 0);
    const wait = hasMoved ? waitMs.moving : isBlocked ? waitMs.blocked : waitMs.idle;
    try {
      const records = await subscription.next({ recordsMax: laneRecordsMax, waitMs: wait });
      this.#counters.set("consumer_away", 0);
      for (const record of records) {
        this.#add(record);
      }
      return true;
    } catch (error) {
      await this.#isAway(error);
      return !(error instanceof BrokerError && error.code === "closed");
    }
  }

  async #isAway(error: unknown): Promise<void> {
    this.#counters.set("consumer_away", 1);
    this.#onFailure(`Cannot read probes: ${error instanceof Error ? error.message : String(error)}`);
    await Bun.sleep(retryMs);
  }

  #add(record: IncomingRecord): void {
    const { topic, partition, offset } = record;
    const name = `${topic}/${partition}`;
    const lane = this.#lanes.get(name) ?? new Lane(topic, partition);
    this.#lanes.set(name, lane);
    const target = this.#read(record);
    lane.add(offset, target === null ? null : new ProbeJob(target));
    if (!lane.isPaused && lane.waiting() >= laneRecordsMax) {
      lane.isPaused = true;
      this.#subscription?.pause(topic, partition);
    }
  }

  #read(record: IncomingRecord): TargetRecord | null {
    const result = readTargetRecord(record, this.#start.agentId, this.#rules);
    this.#counters.add("record_bytes", record.value.length);
    if (result.kind === "ours") {
      return result.record;
    }
    this.#counters.add(`records_${result.kind}`, 1);
    if (result.kind !== "foreign") {
      this.#deadLetters.add(record, result.reason);
      const where = `${record.topic}/${record.partition} at ${record.offset}`;
      this.#onFailure(`Skipped a record (${where}): ${result.reason}`);
    }
    return null;
  }

  /** A turn for each partition, again and again, until the rings have enough or it has taken long. */
  #turns(): boolean {
    const untilMs = performance.now() + busyMs;
    let moved = 0;
    for (let inRound = 1; inRound > 0 && performance.now() < untilMs; moved += inRound) {
      inRound = 0;
      for (const lane of this.#lanes.values()) {
        inRound += this.#turn(lane);
      }
    }
    return moved > 0;
  }

  #turn(lane: Lane): number {
    const job = lane.current();
    const nowMs = Date.now();
    const measurement = job === null ? null : this.#numberOf(job, nowMs);
    if (job === null || measurement === null) {
      return 0;
    }
    const count = (name: ConsumerCounter, by: number) => this.#counters.add(name, by);
    const moved = job.turn({ outlets: this.#outlets, count, measurement, nowMs, probesMax: turnProbes });
    if (job.isDone) {
      this.#counters.add("measurements_ended", job.record.header.endOfMeasurement ? 1 : 0);
      this.#resume(lane);
    }
    // A record without probes is progress too.
    return job.isDone ? moved + 1 : moved;
  }

  #numberOf({ record }: ProbeJob, nowMs: number): number | null {
    const { measurementId } = record.header;
    return measurementId === null ? noMeasurement : this.#numbers.numberOf(measurementId, nowMs);
  }

  #resume(lane: Lane): void {
    if (lane.isPaused && lane.waiting() < laneRecordsMax) {
      lane.isPaused = false;
      this.#subscription?.resume(lane.topic, lane.partition);
    }
  }

  async #commit(subscription: Subscription, everyMs: number): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#committedAtMs < everyMs) {
      return;
    }
    this.#committedAtMs = nowMs;
    for (const lane of this.#lanes.values()) {
      const offset = lane.commitOffset();
      if (offset === null) {
        continue;
      }
      try {
        await subscription.commit(lane.topic, lane.partition, offset);
        lane.committed();
        this.#counters.add("commits", 1);
      } catch (error) {
        this.#counters.add("commit_failures", 1);
        this.#onFailure(`Cannot commit: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  #isIn(phase: keyof typeof consumerPhases): boolean {
    return Atomics.load(this.#phase, 0) === consumerPhases[phase];
  }
}
