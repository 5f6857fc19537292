/** What is published comes out as it was: order, bytes, headers, limits. */
import { expect, test } from "bun:test";
import { type OutgoingRecord, recordBytesMax } from "../../../lib/engines/broker/broker.ts";
import { groupOf, newTopic, open, read, type Stage, textOf, textRecord } from "./engine.ts";

export function recordTests(stage: Stage): void {
  test("records of one key are in one partition, in order, where publish said", async () => {
    await using broker = await open(stage);
    const topic = await newTopic(broker, 4);
    const sent = Array.from({ length: 200 }, (_, index) => textRecord(`key ${index % 10}`, `${index}`));
    const places = [
      ...(await broker.publish(topic, sent.slice(0, 150))),
      ...(await broker.publish(topic, sent.slice(150))),
    ];
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    const records = await read(subscription, 200, 7);
    for (const key of new Set(sent.map((record) => record.key))) {
      const own = records.filter((record) => record.key === key);
      expect(own.map(textOf)).toEqual(sent.filter((record) => record.key === key).map(textOfSent));
      expect(new Set(own.map((record) => record.partition)).size).toBe(1);
    }
    const found = new Map(records.map((one) => [textOf(one), `${one.partition}/${one.offset}`]));
    const said = new Map(places.map((one, i) => [`${i}`, `${one.partition}/${one.offset}`]));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said));
  });

  test("values are any bytes, headers and keys any text", async () => {
    await using broker = await open(stage);
    const topic = await newTopic(broker, 1);
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const headers = { agent: '{"src_ip":""}', "ünï 漢字": "\u0000 \n 😀", empty: "", constructor: "own" };
    const records: OutgoingRecord[] = [
      { key: "", value: bytes, headers },
      { key: "schlüssel \u0000 'x'", value: new Uint8Array(0), headers: {} },
      // A view into a larger buffer, at an odd place.
      { key: "k", value: bytes.subarray(3, 8), headers: {} },
    ];
    const before = Date.now();
    await broker.publish(topic, records);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    const found = await read(subscription, 3);
    expect(found.map(plain)).toEqual(records.map(plain));
    for (const { topic: of, partition, timestampMs } of found) {
      expect([of, partition]).toEqual([topic, 0]);
      expect(timestampMs).toBeWithin(before - 1, Date.now() + 1);
    }
  });

  test("the largest record is taken, a larger one is refused and nothing of its call is sent", async () => {
    await using broker = await open(stage);
    const topic = await newTopic(broker, 1);
    const headers = { name: "text" };
    const value = new Uint8Array(recordBytesMax - "keynametext".length);
    await broker.publish(topic, [{ key: "key", value, headers }]);
    const tooLarge = { key: "key", value: new Uint8Array(value.length + 1), headers };
    await expect(broker.publish(topic, [textRecord("key", "small"), tooLarge])).rejects.toMatchObject({
      code: "recordTooLarge",
      message: expect.stringContaining("record 1 of 2"),
    });
    expect((await broker.positions(groupOf(topic), topic))[0]?.end).toBe(1n);
  });

  test("a call may hold more than a request of the broker does", async () => {
    await using broker = await open(stage);
    const topic = await newTopic(broker, 2);
    const value = new Uint8Array(300_000);
    const records = Array.from({ length: 20 }, (_, i) => ({ key: `${i}`, value, headers: { i: `${i}` } }));
    await broker.publish(topic, records);
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    const found = await read(subscription, 20);
    expect(found.map((record) => Number(record.headers.i)).sort((a, b) => a - b)).toEqual([
      ...Array(20).keys(),
    ]);
  });

  test("calls that do not wait for each other lose nothing, and keep their order", async () => {
    await using broker = await open(stage);
    const topic = await newTopic(broker, 1);
    await Promise.all([...Array(50).keys()].map((i) => broker.publish(topic, [textRecord("k", `${i}`)])));
    await using subscription = await broker.subscribe(groupOf(topic), [topic]);
    expect((await read(subscription, 50)).map(textOf)).toEqual([...Array(50).keys()].map(String));
  });

  test("a topic that was never created is refused, one that is there stays as it is", async () => {
    await using broker = await open(stage);
    const missing = "contract-missing";
    const calls = [
      () => broker.publish(missing, [textRecord("k", "")]),
      () => broker.subscribe("g", [missing]),
      () => broker.positions("g", missing),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ name: "BrokerError", code: "refused" });
    }
    const topic = await newTopic(broker, 3);
    await broker.ensureTopic({ name: topic, partitions: 5, retentionMs: 1 });
    expect((await broker.positions(groupOf(topic), topic)).map(({ partition }) => partition)).toEqual([
      0, 1, 2,
    ]);
  });

  test.each([
    [{ name: "no/slash", partitions: 1, retentionMs: 1 }, 'Cannot use topic "no/slash"'],
    [{ name: "..", partitions: 1, retentionMs: 1 }, 'Cannot use topic ".."'],
    [{ name: "t", partitions: 0, retentionMs: 1 }, "0 partitions, not 1 to 1024"],
    [{ name: "t", partitions: 1, retentionMs: 0 }, "retention of 0 ms"],
  ])("topic %p is refused", async (topic, text) => {
    await using broker = await open(stage);
    await expect(broker.ensureTopic(topic)).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining(text),
    });
  });

  test("a closed broker says so", async () => {
    const broker = await open(stage);
    await broker[Symbol.asyncDispose]();
    await expect(broker.publish("t", [textRecord("k", "")])).rejects.toMatchObject({ code: "closed" });
    await expect(broker.subscribe("g", ["t"])).rejects.toMatchObject({ code: "closed" });
  });
}

function plain({ key, value, headers }: OutgoingRecord) {
  return { key, value: [...value], headers: Object.entries(headers).toSorted() };
}

function textOfSent(record: OutgoingRecord): string {
  return new TextDecoder().decode(record.value);
}
