/** Who reads what: groups, commits, turns, pauses, members. */
import { expect, test } from "bun:test";
import type { Broker, IncomingRecord } from "../../../lib/engines/broker/broker.ts";
import {
  groupOf,
  keyOfEachPartition,
  newTopic,
  open,
  read,
  type Stage,
  textOf,
  textRecord,
} from "./engine.ts";

export function groupTests(stage: Stage): void {
  const contractTest = (name: string, run: (broker: Broker) => Promise<void>) =>
    test(name, async () => {
      await using broker = await open(stage);
      await run(broker);
    });

  contractTest("a new group reads from the earliest record on, each group on its own", async (broker) => {
    const topic = await newTopic(broker, 1);
    await publishNumbers(broker, topic, 0, 5);
    await using first = await broker.subscribe(`${groupOf(topic)} 1`, [topic]);
    await using second = await broker.subscribe(`${groupOf(topic)} 2`, [topic]);
    expect((await read(first, 5)).map(textOf)).toEqual(["0", "1", "2", "3", "4"]);
    await publishNumbers(broker, topic, 5, 6);
    expect((await read(first, 1)).map(textOf)).toEqual(["5"]);
    expect((await read(second, 6)).map(textOf)).toEqual(["0", "1", "2", "3", "4", "5"]);
  });

  contractTest("nothing to read is an empty list, in the end", async (broker) => {
    const topic = await newTopic(broker, 1);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    expect(await subscription.next({ recordsMax: 10, waitMs: 50 })).toEqual([]);
  });

  contractTest("a reader that waits is woken by a record", async (broker) => {
    const topic = await newTopic(broker, 1);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    const waiting = subscription.next({ recordsMax: 10, waitMs: 20_000 });
    await publishNumbers(broker, topic, 0, 1);
    expect((await waiting).map(textOf)).toEqual(["0"]);
  });

  contractTest("what was committed does not come again, what was only read does", async (broker) => {
    const topic = await newTopic(broker, 1);
    await publishNumbers(broker, topic, 0, 10);
    {
      await using subscription = await broker.subscribe(groupOf(topic), [topic]);
      const records = await read(subscription, 10, 4);
      await subscription.commit(topic, 0, (records[5]?.offset ?? 0n) + 1n);
    }
    await using again = await broker.subscribe(groupOf(topic), [topic]);
    expect((await read(again, 4)).map(textOf)).toEqual(["6", "7", "8", "9"]);
  });

  contractTest("positions say how far a group is, and where the end is", async (broker) => {
    const topic = await newTopic(broker, 2);
    const [keyA = "", keyB = ""] = await keyOfEachPartition(broker, 2);
    expect(await broker.positions(groupOf(topic), topic)).toEqual([
      { partition: 0, committed: 0n, end: 0n },
      { partition: 1, committed: 0n, end: 0n },
    ]);
    await broker.publish(topic, [textRecord(keyA, "1"), textRecord(keyA, "2"), textRecord(keyB, "3")]);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    await read(subscription, 3);
    await subscription.commit(topic, 0, 2n);
    expect(await broker.positions(groupOf(topic), topic)).toEqual([
      { partition: 0, committed: 2n, end: 2n },
      { partition: 1, committed: 0n, end: 1n },
    ]);
  });

  contractTest("partitions take turns: much in one does not make the others wait", async (broker) => {
    const topic = await newTopic(broker, 3);
    const keys = await keyOfEachPartition(broker, 3);
    const records = keys.flatMap((key) => Array.from({ length: 60 }, (_, i) => textRecord(key, `${i}`)));
    await broker.publish(topic, records);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    const calls = [0, 0, 0];
    for (let call = 0; call < 18; call++) {
      const batch = await read(subscription, 1, 10);
      expect(new Set(batch.map((record) => record.partition)).size).toBe(1);
      const partition = batch[0]?.partition ?? 0;
      calls[partition] = (calls[partition] ?? 0) + 1;
      // The first call may come before the other partitions have arrived.
      expect(Math.max(...calls) - Math.min(...calls)).toBeLessThanOrEqual(2);
    }
    expect(calls).toEqual([6, 6, 6]);
  });

  contractTest("a paused partition is passed over until it is resumed", async (broker) => {
    const topic = await newTopic(broker, 2);
    const [keyA = "", keyB = ""] = await keyOfEachPartition(broker, 2);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    subscription.pause(topic, 0);
    await broker.publish(topic, [textRecord(keyA, "held"), textRecord(keyB, "1"), textRecord(keyB, "2")]);
    expect((await read(subscription, 2)).map(textOf)).toEqual(["1", "2"]);
    expect(await subscription.next({ recordsMax: 10, waitMs: 300 })).toEqual([]);
    subscription.resume(topic, 0);
    expect((await read(subscription, 1)).map(textOf)).toEqual(["held"]);
  });

  contractTest("a partition that is paused for long takes no memory, and loses nothing", async (broker) => {
    const topic = await newTopic(broker, 2);
    const [keyA = "", keyB = ""] = await keyOfEachPartition(broker, 2);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    subscription.pause(topic, 0);
    const value = new Uint8Array(50_000);
    for (const key of [keyA, keyB]) {
      const records = Array.from({ length: 100 }, (_, i) => ({ key, value, headers: { i: `${i}` } }));
      await broker.publish(topic, records);
    }
    expect(numbers(await read(subscription, 100, 9))).toEqual([...Array(100).keys()]);
    subscription.resume(topic, 0);
    expect(numbers(await read(subscription, 100, 9))).toEqual([...Array(100).keys()]);
  });

  contractTest("one subscription reads several topics", async (broker) => {
    const topics = [await newTopic(broker, 1), await newTopic(broker, 2)];
    await using subscription = await broker.subscribe(groupOf(...topics), topics);
    for (const topic of topics) {
      await broker.publish(topic, [textRecord("k", topic)]);
    }
    const records = await read(subscription, 2);
    expect(records.map((record) => record.topic).sort()).toEqual(topics.toSorted());
    expect(records.map(textOf).sort()).toEqual(topics.toSorted());
  });

  contractTest("a reader that is closed wakes up with nothing, and reads no more", async (broker) => {
    const topic = await newTopic(broker, 1);
    const subscription = await broker.subscribe(groupOf(topic), [topic]);
    const waiting = subscription.next({ recordsMax: 1, waitMs: 20_000 });
    await subscription[Symbol.asyncDispose]();
    expect(await waiting).toEqual([]);
    await expect(subscription.next({ recordsMax: 1, waitMs: 0 })).rejects.toMatchObject({ code: "closed" });
  });

  if (stage.setUp.secondMember === "isRefused") {
    contractTest("a second member is refused, until the first has left", async (broker) => {
      const topic = await newTopic(broker, 2);
      await using other = await open(stage);
      const first = await broker.subscribe(groupOf(topic), [topic]);
      await expect(other.subscribe(groupOf(topic), [topic])).rejects.toMatchObject({
        code: "refused",
        message: expect.stringContaining('another member reads "contract-'),
      });
      await first[Symbol.asyncDispose]();
      await using second = await other.subscribe(groupOf(topic), [topic]);
      await publishNumbers(broker, topic, 0, 1);
      expect((await read(second, 1)).map(textOf)).toEqual(["0"]);
    });
  } else {
    contractTest("two members share the partitions; who stays gets those of who leaves", async (broker) => {
      const topic = await newTopic(broker, 4);
      const keys = await keyOfEachPartition(broker, 4);
      await using other = await open(stage);
      await using first = await broker.subscribe(groupOf(topic), [topic]);
      const second = await other.subscribe(groupOf(topic), [topic]);
      const [ofFirst, ofSecond] = [partitionsSeen(first), partitionsSeen(second)];
      // Each round goes to all partitions: the group is shared when both have seen two of them in one round.
      for (let round = 0; ofFirst.latest().size !== 2 || ofSecond.latest().size !== 2; round++) {
        expect(round).toBeLessThan(50);
        await broker.publish(
          topic,
          keys.map((key) => textRecord(key, "round")),
        );
        await Promise.all([ofFirst.readFor(300), ofSecond.readFor(300)]);
      }
      expect(new Set([...ofFirst.latest(), ...ofSecond.latest()]).size).toBe(4);
      const lost = [...ofSecond.latest()][0] ?? 0;
      await expect(first.commit(topic, lost, 1n)).rejects.toMatchObject({ code: "moved" });
      await second[Symbol.asyncDispose]();
      for (let round = 0; ofFirst.latest().size !== 4; round++) {
        expect(round).toBeLessThan(50);
        await broker.publish(
          topic,
          keys.map((key) => textRecord(key, "round")),
        );
        await ofFirst.readFor(300);
      }
    });
  }
}

async function publishNumbers(broker: Broker, topic: string, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => textRecord("k", `${from + index}`));
  await broker.publish(topic, numbers);
}

function numbers(records: readonly IncomingRecord[]): number[] {
  return records.map((record) => Number(record.headers.i));
}

/** Reads for a time, and knows which partitions came in that time. */
function partitionsSeen(subscription: {
  next(limits: { recordsMax: number; waitMs: number }): Promise<IncomingRecord[]>;
}) {
  let seen = new Set<number>();
  return {
    latest: () => seen,
    readFor: async (ms: number) => {
      seen = new Set();
      const endAt = performance.now() + ms;
      while (performance.now() < endAt) {
        for (const { partition } of await subscription.next({ recordsMax: 100, waitMs: 50 })) {
          seen.add(partition);
        }
      }
    },
  };
}
