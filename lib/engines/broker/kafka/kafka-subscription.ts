/** A group's reader of some topics in Kafka; members of one group share the partitions. */
import { BrokerError, type IncomingRecord, type Subscription } from "../broker.ts";
import { KafkaMember, type Membership } from "./kafka-member.ts";
import type { PartitionQueues } from "./partition-queues.ts";
import { withRetries } from "./retry-policy.ts";

export class KafkaSubscription implements Subscription {
  readonly #group: string;
  readonly #queues: PartitionQueues;
  readonly #member: KafkaMember;
  readonly #giveUpMs: number;
  #isClosed = false;

  private constructor({ group, queues, giveUpMs }: Membership, member: KafkaMember) {
    this.#group = group;
    this.#giveUpMs = giveUpMs;
    this.#queues = queues;
    this.#member = member;
  }

  static async join(membership: Membership): Promise<KafkaSubscription> {
    return new KafkaSubscription(membership, await KafkaMember.join(membership));
  }

  async next(limits: { readonly recordsMax: number; readonly waitMs: number }): Promise<IncomingRecord[]> {
    this.#checkOpen("read");
    const giveUpAt = performance.now() + limits.waitMs;
    for (;;) {
      const taken = this.#queues.take(limits.recordsMax);
      if (taken !== null) {
        this.#member.taken(taken.queue);
        return taken.records;
      }
      const leftMs = giveUpAt - performance.now();
      if (leftMs <= 0 || this.#isClosed) {
        return [];
      }
      await this.#queues.arrival(leftMs);
    }
  }

  pause(topic: string, partition: number): void {
    this.#queues.setPaused(topic, partition, true);
  }

  resume(topic: string, partition: number): void {
    this.#queues.setPaused(topic, partition, false);
  }

  async commit(topic: string, partition: number, nextOffset: bigint): Promise<void> {
    const what = `commit ${topic}/${partition} for group "${this.#group}"`;
    const attempt = async () => {
      this.#checkOpen("commit");
      const queue = this.#queues.find(topic, partition);
      if (queue === undefined) {
        throw new BrokerError("moved", `Cannot ${what}: the partition belongs to another member now`);
      }
      if (!(await this.#member.commit(queue, nextOffset))) {
        throw new BrokerError("unavailable", `Cannot ${what}: the group is being joined again`);
      }
    };
    await withRetries({ what, giveUpMs: this.#giveUpMs, attempt });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#queues.wake();
      await this.#member.close();
    }
  }

  #checkOpen(what: string): void {
    if (this.#isClosed) {
      throw new BrokerError("closed", `Cannot ${what} for group "${this.#group}": it is closed`);
    }
  }
}
