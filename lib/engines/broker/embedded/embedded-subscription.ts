/**
 * A group's reader of some topics: it alone has all partitions, so its cursors live here, not in the log.
 *
 * Other processes' records are found by polling: SQLite keeps a counter of commits in shared memory, so a poll costs a
 * few microseconds. Polls are 1 ms apart while records come, and 200 ms after half a second without any. Then the
 * kernel reports writes, and polls are 1 s apart.
 */
import { BrokerError, type IncomingRecord, type Subscription } from "../broker.ts";
import { RoundRobin } from "../round-robin.ts";
import { ForeignWrites } from "./foreign-writes.ts";
import type { GroupLock } from "./group-lock.ts";
import { asleepMs, lookAgainMs, readAgainMs } from "./limits.ts";
import type { TopicLog } from "./topic-log.ts";

interface Cursor {
  readonly log: TopicLog;
  readonly partition: number;
  nextOffset: number;
  /** End offset, as last seen. */
  end: number;
  isPaused: boolean;
}

interface Member {
  readonly group: string;
  readonly logs: readonly TopicLog[];
  readonly locks: readonly GroupLock[];
  /** Called once when the log cannot be read, and once when it can again. */
  readonly say: (line: string) => void;
}

export class EmbeddedSubscription implements Subscription {
  readonly #member: Member;
  readonly #cursors: RoundRobin<Cursor>;
  readonly #seen = new Map<TopicLog, number>();
  readonly #unwatch: (() => void)[];
  readonly #foreign: ForeignWrites;
  #isAsleep = false;
  #lookMs: number = lookAgainMs.min;
  #wake: () => void = () => undefined;
  #isAway = false;
  #isClosed = false;

  private constructor(member: Member, cursors: RoundRobin<Cursor>) {
    this.#member = member;
    this.#cursors = cursors;
    this.#unwatch = member.logs.map((log) => log.watch(() => this.#wake()));
    const written = member.logs.map((log) => log.writtenFile);
    this.#foreign = new ForeignWrites(written, () => this.#wake());
  }

  /** The subscription takes over the locks. */
  static async start(member: Member): Promise<EmbeddedSubscription> {
    const cursors = new RoundRobin<Cursor>();
    for (const log of member.logs) {
      await log.join(member.group);
      for (const { partition, committed, end } of await log.positions(member.group)) {
        cursors.add({ log, partition, nextOffset: Number(committed), end: Number(end), isPaused: false });
      }
    }
    return new EmbeddedSubscription(member, cursors);
  }

  async next(limits: { readonly recordsMax: number; readonly waitMs: number }): Promise<IncomingRecord[]> {
    if (this.#isClosed) {
      throw new BrokerError("closed", `Cannot read for group "${this.#member.group}": it is closed`);
    }
    const giveUpAt = performance.now() + limits.waitMs;
    while (!this.#isClosed) {
      const records = await this.#poll(limits.recordsMax);
      if (records.length > 0) {
        this.#lookMs = lookAgainMs.min;
        return records;
      }
      const leftMs = giveUpAt - performance.now();
      // A timer may fire a fraction of a millisecond early; that does not need another poll.
      if (leftMs < 1) {
        break;
      }
      await this.#pause(Math.min(leftMs, this.#pauseMs()));
    }
    return [];
  }

  pause(topic: string, partition: number): void {
    this.#cursor(topic, partition).isPaused = true;
  }

  resume(topic: string, partition: number): void {
    this.#cursor(topic, partition).isPaused = false;
    this.#wake();
  }

  async commit(topic: string, partition: number, nextOffset: bigint): Promise<void> {
    if (this.#isClosed) {
      throw new BrokerError("closed", `Cannot commit for group "${this.#member.group}": it is closed`);
    }
    await this.#cursor(topic, partition).log.commit(this.#member.group, partition, nextOffset);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    this.#wake();
    for (const unwatch of this.#unwatch) {
      unwatch();
    }
    this.#foreign[Symbol.dispose]();
    for (const lock of this.#member.locks) {
      lock[Symbol.dispose]();
    }
  }

  async #poll(recordsMax: number): Promise<IncomingRecord[]> {
    try {
      const records = (await this.#take(recordsMax)) ?? [];
      this.#nowAway(null);
      return records;
    } catch (error) {
      // Waiting readers keep waiting; records that were read stay read.
      if (error instanceof BrokerError && error.code === "unavailable") {
        this.#nowAway(error.message);
        return [];
      }
      throw error;
    }
  }

  async #take(recordsMax: number): Promise<IncomingRecord[] | null> {
    if (!this.#hasMore()) {
      await this.#refresh();
    }
    for (let cursor = this.#turn(); cursor !== null; cursor = this.#turn()) {
      const records = await cursor.log.read(cursor, recordsMax);
      const last = records.at(-1);
      // Retention may have deleted all records.
      cursor.nextOffset = last === undefined ? cursor.end : Number(last.offset) + 1;
      if (records.length > 0) {
        return records;
      }
    }
    return null;
  }

  #turn(): Cursor | null {
    return this.#cursors.next(canRead);
  }

  #hasMore(): boolean {
    return this.#cursors.members.some(canRead);
  }

  async #refresh(): Promise<void> {
    for (const log of this.#member.logs) {
      const version = await log.version();
      if (version === this.#seen.get(log)) {
        continue;
      }
      const ends = new Map((await log.ends()).map((one) => [one.partition, one.nextOffset]));
      for (const cursor of this.#cursors.members.filter((one) => one.log === log)) {
        cursor.end = ends.get(cursor.partition) ?? cursor.end;
      }
      this.#seen.set(log, version);
    }
  }

  /** The first pause in which writes are noticed is a short one: those before it went unnoticed. */
  #pauseMs(): number {
    if (this.#isAway) {
      return readAgainMs;
    }
    const lookMs = this.#lookMs;
    this.#lookMs = Math.min(lookMs * lookAgainMs.growth, lookAgainMs.max);
    const wasAsleep = this.#isAsleep;
    this.#isAsleep = lookMs === lookAgainMs.max && this.#foreign.listen();
    return wasAsleep && this.#isAsleep ? asleepMs : lookMs;
  }

  /** Waits for a write, or for a time. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #nowAway(reason: string | null): void {
    const isAway = reason !== null;
    if (isAway !== this.#isAway) {
      this.#isAway = isAway;
      this.#member.say(reason ?? "The broker's log can be read again");
    }
  }

  #cursor(topic: string, partition: number): Cursor {
    const found = this.#cursors.members.find(
      (cursor) => cursor.log.topic === topic && cursor.partition === partition,
    );
    if (found === undefined) {
      throw new BrokerError("refused", `Group "${this.#member.group}" does not read ${topic}/${partition}`);
    }
    return found;
  }
}

function canRead(cursor: Cursor): boolean {
  return !cursor.isPaused && cursor.nextOffset < cursor.end;
}
