/**
 * Publishes accepted measurements round-robin, oldest first, so that a small measurement never waits for a large one.
 * One loop publishes some records of several measurements at a time, and stores the acknowledged position beside their
 * probes.
 *
 * An unreachable broker is retried until it responds; agents skip expired records.
 */
import type { Broker } from "../../../../lib/engines/broker/broker.ts";
import { BrokerError, type OutgoingRecord } from "../../../../lib/engines/broker/broker.ts";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { publishBytesMax } from "../../../../lib/engines/submission/limits.ts";
import { topicPartitions, topicRetentionMs } from "../../../../lib/net/wire/target-header.ts";
import { openSpoolsMax, publishRetryMs, turnBytesMax } from "../limits.ts";
import type { MeasurementLedger } from "./measurement-ledger.ts";
import type { Outgoing } from "./outgoing.ts";

interface DispatcherOrder {
  readonly broker: Broker;
  readonly topic: string;
  readonly ledger: MeasurementLedger;
  readonly log: Logger;
  readonly onPublished: (records: number) => void;
  readonly onBrokerFailure: () => void;
}

interface Step {
  readonly outgoing: Outgoing;
  readonly probes: number;
}

export class Dispatcher implements AsyncDisposable {
  readonly #order: DispatcherOrder;
  /** By id, in the order of service. */
  readonly #queue = new Map<string, Outgoing>();
  #hasTopic = false;
  #isAway = false;
  #isClosing = false;
  #wake = () => {};
  readonly #loop: Promise<void>;

  constructor(order: DispatcherOrder) {
    this.#order = order;
    this.#loop = this.#run();
  }

  /** Measurements that wait for the broker, not for their own interval. */
  get waiting(): number {
    const nowMs = performance.now();
    let waiting = 0;
    for (const { dueAtMs } of this.#queue.values()) {
      waiting += dueAtMs > nowMs ? 0 : 1;
    }
    return waiting;
  }

  /** Whether the broker accepted the last records. */
  get isBrokerWell(): boolean {
    return !this.#isAway;
  }

  add(outgoing: Outgoing): void {
    if (this.#queue.size >= openSpoolsMax) {
      outgoing.close();
    }
    this.#queue.set(outgoing.id, outgoing);
    // More waiting records don't speed up the retries.
    if (!this.#isAway) {
      this.#wake();
    }
  }

  /** Stops publishing these measurements. */
  stop(measurementIds: readonly string[]): void {
    const ids = new Set(measurementIds);
    for (const outgoing of ids.size === 0 ? [] : this.#queue.values()) {
      outgoing.isStopped ||= ids.has(outgoing.measurementId);
    }
    this.#wake();
  }

  /** Ids of the waiting measurements. */
  waitingIds(): string[] {
    return [...new Set([...this.#queue.values()].map(({ measurementId }) => measurementId))];
  }

  /** Measurements that are partly published. */
  underWay(): readonly Outgoing[] {
    return [...this.#queue.values()].filter(({ published }) => published > 0);
  }

  /** The unpublished rest stays on disk for the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    await this.#loop;
    for (const outgoing of this.#queue.values()) {
      outgoing.close();
    }
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      if (this.#queue.size === 0) {
        await this.#sleep(null);
      } else {
        await this.#sleepUnlessZero(await this.#turn());
      }
    }
  }

  /** Milliseconds to wait before the next turn: while the broker is unreachable, or nothing is due. */
  async #turn(): Promise<number> {
    const { steps, records, dueInMs } = this.#collect();
    if (records.length > 0 && !(await this.#publish(records))) {
      return publishRetryMs;
    }
    for (const { outgoing, probes } of steps) {
      outgoing.acknowledge(probes);
      this.#goOn(outgoing);
    }
    return steps.length === 0 && this.#queue.size > 0 ? dueInMs : 0;
  }

  async #sleepUnlessZero(waitMs: number): Promise<void> {
    if (waitMs > 0) {
      await this.#sleep(waitMs);
    }
  }

  /** The next records of the measurements whose turn it is, and when the first of the others is due. */
  #collect(): { steps: Step[]; records: OutgoingRecord[]; dueInMs: number } {
    const steps: Step[] = [];
    const records: OutgoingRecord[] = [];
    const nowMs = performance.now();
    let dueInMs = publishRetryMs;
    let bytes = 0;
    for (const outgoing of this.#queue.values()) {
      if (bytes >= publishBytesMax) {
        break;
      }
      if (!outgoing.isDone && outgoing.dueAtMs > nowMs) {
        // The wait may be hours: too many open files otherwise.
        outgoing.close();
        dueInMs = Math.min(dueInMs, outgoing.dueAtMs - nowMs);
        continue;
      }
      if (outgoing.isDone || !this.#open(outgoing)) {
        this.#goOn(outgoing);
        continue;
      }
      const next = outgoing.next(Math.min(turnBytesMax, publishBytesMax - bytes));
      steps.push({ outgoing, probes: next.probes });
      records.push(...next.records);
      bytes += next.bytes;
    }
    return { steps, records, dueInMs };
  }

  #open(outgoing: Outgoing): boolean {
    if (outgoing.isOpen || outgoing.open()) {
      return !outgoing.isDone;
    }
    outgoing.isStopped = true;
    this.#order.log.error("Cannot publish a measurement: its probes are gone from the state folder", {
      measurement_id: outgoing.measurementId,
      request_id: outgoing.requestId,
    });
    this.#order.ledger
      .fail(outgoing.measurementId, "The gateway has lost the probes")
      .catch((error) => this.#order.log.error("Cannot fail a measurement; it will expire", { error }));
    return false;
  }

  /** Moves it to the end of the queue, or removes it. */
  #goOn(outgoing: Outgoing): void {
    this.#queue.delete(outgoing.id);
    if (!outgoing.isDone) {
      if (this.#queue.size >= openSpoolsMax) {
        outgoing.close();
      }
      this.#queue.set(outgoing.id, outgoing);
      return;
    }
    const outcome = outgoing.published >= outgoing.probes ? "published" : "ended";
    outgoing.settle(outcome);
    this.#order.ledger.done(outgoing, outcome);
  }

  async #publish(records: readonly OutgoingRecord[]): Promise<boolean> {
    const { broker, topic, log } = this.#order;
    try {
      if (!this.#hasTopic) {
        await broker.ensureTopic({ name: topic, partitions: topicPartitions, retentionMs: topicRetentionMs });
        this.#hasTopic = true;
      }
      await broker.publish(topic, records);
      this.#order.onPublished(records.length);
      if (this.#isAway) {
        log.info("The broker is back; publishing continues", { waiting: this.#queue.size });
      }
      this.#isAway = false;
      return true;
    } catch (error) {
      this.#order.onBrokerFailure();
      if (!this.#isAway) {
        const reason = error instanceof BrokerError ? error.message : error;
        log.error("Cannot publish; trying again", { waiting: this.#queue.size, reason });
      }
      this.#isAway = true;
      return false;
    }
  }

  /** Sleeps until there is work; null = without a time limit. */
  async #sleep(waitMs: number | null): Promise<void> {
    if (this.#isClosing) {
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = waitMs === null ? null : setTimeout(resolve, waitMs);
    await promise;
    if (timer !== null) {
      clearTimeout(timer);
    }
    this.#wake = () => {};
  }
}
