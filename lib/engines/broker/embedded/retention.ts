/**
 * Deletes old records of a topic's log: those past its retention time and, at the size limit, those that every group
 * has committed. Records that some group has not read are never deleted to make room: publishing is refused instead.
 *
 * Deletes at most `stepRowsMax` rows a transaction, so that writers hardly notice.
 */
import { BrokerError } from "../broker.ts";
import { roomShare, stepRowsMax } from "./limits.ts";
import type { LogConnection } from "./log-connection.ts";
import type { LogStatements } from "./log-statements.ts";

export interface RetentionLimits {
  /** See `logBytesMaxDefault`. */
  readonly logBytesMax: number;
  /** Between two rounds; each process that has the log open runs them. */
  readonly retentionEveryMs: number;
}

/** Records of a partition up to and with an offset. */
interface Due {
  readonly partition: number;
  readonly offset: number;
}

export class Retention {
  readonly #topic: string;
  readonly #connection: LogConnection;
  readonly #logBytesMax: number;
  readonly #afterRound: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #round: Promise<void> = Promise.resolve();
  #isRunning = false;
  /** Whether due records are left. */
  #isBehind = false;
  /** Partitions are served round-robin, or the first would use up all the time. */
  #firstPartition = 0;
  #isStopped = false;

  constructor(topic: string, connection: LogConnection, limits: RetentionLimits, afterRound: () => void) {
    this.#topic = topic;
    this.#connection = connection;
    this.#logBytesMax = limits.logBytesMax;
    this.#afterRound = afterRound;
    this.#timer = setInterval(() => this.#startRound(), limits.retentionEveryMs);
    this.#timer.unref();
  }

  /** Rejects with BrokerError `unavailable` when the log is full of records that some group has not read. */
  async makeRoom(bytes: number): Promise<void> {
    const what = `publish to "${this.#topic}"`;
    const isFull = (log: LogStatements) => log.usedBytes() + bytes > this.#logBytesMax;
    if (!(await this.#connection.read(what, isFull))) {
      return;
    }
    await this.#deleteSteps((log) => isFull(log));
    if (await this.#connection.read(what, isFull)) {
      const used = await this.#connection.read(what, (log) => log.usedBytes());
      throw new BrokerError(
        "unavailable",
        `Cannot ${what}: its log is full of records that not every group has read: ` +
          `${used} bytes, the limit is ${this.#logBytesMax}`,
      );
    }
  }

  /** Runs a step inside a writer's transaction: where writers keep the lock busy, they also do retention. */
  helpAlong(log: LogStatements): void {
    if (this.#isBehind) {
      this.#deleteStep(log, this.#due(log, false));
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  #startRound(): void {
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    this.#round = this.#deleteSteps(() => false)
      .then(this.#afterRound)
      // Readers and writers report an unreachable or locked log; the next round tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #deleteSteps(isFull: (log: LogStatements) => boolean): Promise<void> {
    const what = `delete old records of "${this.#topic}"`;
    const due = (log: LogStatements) => this.#due(log, isFull(log));
    // Reading needs no lock: most rounds find nothing.
    while (!this.#isStopped && (await this.#connection.read(what, due)) !== null) {
      this.#isBehind = true;
      await this.#connection.transaction(what, (log) => this.#deleteStep(log, due(log)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isBehind = false;
  }

  #deleteStep(log: LogStatements, found: Due | null): void {
    if (found !== null) {
      log.deleteUpTo(found.partition, found.offset);
      this.#firstPartition = (found.partition + 1) % log.partitions;
    }
  }

  /** The next records to delete, from the first partition with any, starting at the current one. */
  #due(log: LogStatements, isFull: boolean): Due | null {
    const isTight = isFull || log.usedBytes() > this.#logBytesMax * roomShare;
    const read = new Map(
      isTight ? log.readByAll().map((one) => [one.partition, one.nextOffset] as const) : [],
    );
    const expiredMs = Date.now() - log.retentionMs;
    for (let step = 0; step < log.partitions; step++) {
      const partition = (this.#firstPartition + step) % log.partitions;
      const offset = log.lastToGo(partition, expiredMs, read.get(partition) ?? 0, stepRowsMax);
      if (offset !== null) {
        return { partition, offset };
      }
    }
    return null;
  }
}
