/**
 * The consumer: records of probes from the broker into the senders' rings.
 *
 * Partitions are served round-robin, some hundred probes at a time, so a long campaign in one does not delay a short
 * one in another. A partition with enough waiting records is paused. An offset is committed when the kernel has
 * accepted all probes before it, so a crash loses nothing; sent probes are journaled first, also for part of a record
 * (see progress-journal.ts). So a record published twice is sent once, and a crash repeats some 2 s of the rate.
 */
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { Broker, IncomingRecord, Subscription } from "../../../../lib/engines/broker/broker.ts";
import { BrokerError } from "../../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../../lib/engines/broker/open.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import { topicPartitions, topicRetentionMs } from "../../../../lib/net/wire/target-header.ts";
import { type ConsumerCounter, consumerCounterNames } from "../agent-counters.ts";
import type { BrokerConfig } from "../config/config.ts";
import { Counters } from "../engine/counters.ts";
import type { UnjournaledProgress } from "../keep/recover-replies.ts";
import {
  commitEveryMs,
  consumerWaitMs,
  lagEveryMs,
  leftSettleMs,
  progressEveryMs,
  retryMs,
} from "../limits.ts";
import { MeasurementNumbers, MeasurementTable } from "../measurement-table.ts";
import type { ConsumerOrder, ConsumerUpdate } from "./consumer-orders.ts";
import { ConsumerWait } from "./consumer-wait.ts";
import { CrowdBoard } from "./crowd-board.ts";
import type { DestinationRates } from "./destination-pace.ts";
import { type DestinationFiles, Destinations } from "./destinations.ts";
import { PartitionQueue } from "./partition-queue.ts";
import { ProgressLedger } from "./progress-ledger.ts";
import { RecordGarbage } from "./record-garbage.ts";
import { RecordIntake } from "./record-intake.ts";
import { RoundRobin } from "./round-robin.ts";
import { SenderFeed, type SenderFeedStart } from "./sender-feed.ts";

export interface ConsumerStart {
  readonly agentId: string;
  readonly broker: BrokerConfig;
  readonly stateDir: string;
  readonly feeds: readonly SenderFeedStart[];
  readonly prefixes: readonly (readonly Prefix[])[];
  readonly counters: SharedArrayBuffer;
  readonly measurements: SharedArrayBuffer;
  /** Shared memory of measurement-board.ts. */
  readonly board: SharedArrayBuffer;
  /** Shared memory of recorded-measurements.ts; null = packets are never kept. */
  readonly recorded: SharedArrayBuffer | null;
  readonly destinations: DestinationFiles;
  readonly left: UnjournaledProgress;
  /** Replies and the state of sent probes outlive this process: see apps/probing/agent/keep. */
  readonly isKept: boolean;
  readonly destinationRates: DestinationRates;
  readonly allowsDns: boolean;
  readonly crowd: SharedArrayBuffer;
  /** Measurements that were cancelled before the start. */
  readonly cancelled: readonly string[];
  /** Int32: one of `consumerPhases`. */
  readonly stop: SharedArrayBuffer;
}

export const consumerPhases = { run: 0, settle: 1, end: 2 } as const;

export class Consumer {
  readonly #start: ConsumerStart;
  readonly #intake: RecordIntake;
  readonly #ledger: ProgressLedger;
  readonly #roundRobin: RoundRobin;
  readonly #counters: Counters<ConsumerCounter>;
  #destinations: Destinations;
  readonly #phase: Int32Array;
  readonly #onFailure: (text: string) => void;
  readonly #say: (update: ConsumerUpdate) => void;
  readonly #garbage = new RecordGarbage();
  readonly #wait = new ConsumerWait();
  readonly #queues = new Map<string, PartitionQueue>();
  #subscription: Subscription | null = null;
  #committedAtMs = 0;
  #reportedAtMs = 0;
  #lagAskedAtMs = 0;

  /** Throws Error when a list of destinations cannot be read. */
  constructor(
    start: ConsumerStart,
    onFailure: (text: string) => void,
    say: (update: ConsumerUpdate) => void = () => {},
  ) {
    const counters = new Counters(consumerCounterNames, start.counters);
    [this.#start, this.#counters] = [start, counters];
    // Unavailable until its first response, from before anyone reads the agent's health: an attempt may take long.
    counters.set("consumer_away", 1);
    const ledger = new ProgressLedger({ ...start, counters, onFailure, nowMs: Date.now() });
    this.#ledger = ledger;
    this.#intake = new RecordIntake({ ...start, counters, ledger, onFailure });
    this.#destinations = Destinations.read(start.destinations);
    this.#roundRobin = new RoundRobin({
      feeds: start.feeds.map((feed) => new SenderFeed(feed)),
      counters,
      numbers: new MeasurementNumbers(new MeasurementTable(start.measurements), Date.now()),
      ledger: this.#ledger,
      blocks: (destination) => this.#destinations.blocks(destination),
      ...{ destinationRates: start.destinationRates, crowd: new CrowdBoard(start.crowd) },
      onDone: (queue) => this.#resume(queue),
    });
    this.#phase = new Int32Array(start.stop);
    [this.#onFailure, this.#say] = [onFailure, say];
    this.#ledger.cancel(start.cancelled, Date.now());
  }

  hear(order: ConsumerOrder): void {
    switch (order.kind) {
      case "sources":
        this.#intake.setSources(order.prefixes);
        break;
      case "cancel":
        this.#ledger.cancel(order.measurementIds, Date.now());
        break;
      case "hostHold":
        this.#ledger.hostHold = order.hold;
        break;
      case "destinations":
        this.#readDestinations(order.files);
        break;
    }
  }

  async run(): Promise<void> {
    const { address, login } = this.#start.broker;
    await using broker = await openBroker(address, { login, log: this.#onFailure });
    while (this.#isIn("run")) {
      await using subscription = await this.#subscribe(broker);
      if (subscription !== null) {
        await this.#work(broker, subscription);
      }
      this.#queues.clear();
      this.#ledger.dropJobs();
      this.#roundRobin.forget();
    }
  }

  #readDestinations(files: DestinationFiles): void {
    try {
      this.#destinations = Destinations.read(files);
    } catch (error) {
      this.#counters.add("destination_lists_bad", 1);
      this.#onFailure(`${systemReason(error)}; the previous list stays active`);
    }
  }

  /** Runs until the end, or until the broker closes the subscription: uncommitted records are then delivered again. */
  async #work(broker: Broker, subscription: Subscription): Promise<void> {
    this.#subscription = subscription;
    while (this.#isIn("run")) {
      const isBusy = this.#roundRobin.run(this.#queues.values());
      await this.#commit(subscription, commitEveryMs);
      this.#report(progressEveryMs);
      this.#askLag(broker);
      if (!(await this.#take(subscription, isBusy))) {
        return;
      }
    }
    while (this.#isIn("settle")) {
      await this.#commit(subscription, commitEveryMs);
      this.#report(progressEveryMs);
      await Bun.sleep(consumerWaitMs.blocked);
    }
    await this.#commit(subscription, 0);
    this.#report(0);
  }

  /** Null when the agent is stopped before the broker is reachable. */
  async #subscribe(broker: Broker): Promise<Subscription | null> {
    const { probesTopics, group } = this.#start.broker;
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

  /** False when the subscription cannot be used any more. */
  async #take(subscription: Subscription, isBusy: boolean): Promise<boolean> {
    try {
      const records = await this.#wait.next(subscription, isBusy, this.#queues.values());
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
    this.#onFailure(`Cannot read probes: ${systemReason(error)}`);
    await Bun.sleep(retryMs);
  }

  #add(record: IncomingRecord): void {
    const { topic, partition, offset } = record;
    const name = `${topic}/${partition}`;
    const queue = this.#queues.get(name) ?? new PartitionQueue(topic, partition);
    this.#queues.set(name, queue);
    const isNew = offset >= queue.nextOffset;
    this.#garbage.add(record.value.length);
    queue.add(offset, isNew ? this.#intake.jobOf(record, queue, Date.now()) : null);
    if (!queue.isPaused && queue.isFull(performance.now())) {
      queue.isPaused = true;
      this.#subscription?.pause(topic, partition);
    }
  }

  #resume(queue: PartitionQueue): void {
    if (queue.isPaused && !queue.isFull(performance.now())) {
      queue.isPaused = false;
      this.#subscription?.resume(queue.topic, queue.partition);
    }
  }

  async #commit(subscription: Subscription, everyMs: number): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#committedAtMs < everyMs) {
      return;
    }
    this.#committedAtMs = nowMs;
    const offsets = [...this.#queues.values()].map(
      (queue) => [queue, queue.commitOffset((job) => this.#ledger.left(job))] as const,
    );
    // With kept memory, replies outlive this process; at its end they are published after this.
    const look = { nowMs, settleMs: everyMs === 0 || this.#start.isKept ? 0 : leftSettleMs };
    for (const queue of this.#queues.values()) {
      queue.follow(look, (job) => this.#ledger.leftInPart(job));
    }
    this.#ledger.write();
    for (const [queue, offset] of offsets) {
      if (offset === null) {
        continue;
      }
      try {
        await subscription.commit(queue.topic, queue.partition, offset);
        queue.committed();
        this.#counters.add("commits", 1);
      } catch (error) {
        this.#counters.add("commit_failures", 1);
        this.#onFailure(`Cannot commit: ${systemReason(error)}`);
      }
    }
  }

  #report(everyMs: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#reportedAtMs < everyMs) {
      return;
    }
    this.#reportedAtMs = nowMs;
    const progress = this.#ledger.reports(Date.now());
    if (progress.length > 0) {
      this.#say({ progress });
    }
    this.#ledger.write();
  }

  /** Not awaited: a slow broker must not delay probes. */
  #askLag(broker: Broker): void {
    const nowMs = performance.now();
    if (nowMs - this.#lagAskedAtMs < lagEveryMs) {
      return;
    }
    this.#lagAskedAtMs = nowMs;
    const { group, probesTopics } = this.#start.broker;
    void Promise.all(probesTopics.map((topic) => broker.positions(group, topic))).then(
      (positions) => {
        const records = positions
          .flat()
          .reduce((sum, { committed, end }) => sum + Number(end - committed), 0);
        this.#counters.set("lag_records", records);
      },
      // The broker is unreachable: `consumer_away` shows it.
      () => {},
    );
  }

  #isIn(phase: keyof typeof consumerPhases): boolean {
    return Atomics.load(this.#phase, 0) === consumerPhases[phase];
  }
}
