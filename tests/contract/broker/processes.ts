/** Several processes at one broker, and what is left when one of them is killed at any moment. */
import { expect, test } from "bun:test";
import type { IncomingRecord } from "../../../lib/engines/broker/broker.ts";
import { Child } from "./child.ts";
import { groupOf, newTopic, open, read, type Stage, textOf } from "./engine.ts";

/** Kills, each at another moment of a call: as many as fit into seconds. */
const writerKills = 8;
const recordsPerCall = 10;

export function processTests(stage: Stage): void {
  test("records of a writer process reach a reader process", async () => {
    await using broker = await open(stage);
    const topic = await newTopic(broker, 4);
    const address = stage.engine().address;
    await using reader = new Child("reader.ts", address, topic, groupOf(topic));
    await reader.until("joined", (lines) => lines.includes("joined"));
    await using writer = new Child("writer.ts", address, topic);
    await using other = new Child("writer.ts", address, topic);
    await writer.until("100 records", (lines) => Number(lines.at(-1)) >= 100);
    await other.until("100 records", (lines) => Number(lines.at(-1)) >= 100);
    await Promise.all([writer.kill(), other.kill()]);
    const ends = await broker.positions(groupOf(topic), topic);
    const count = ends.reduce((sum, { end }) => sum + Number(end), 0);
    expect(count).toBeGreaterThanOrEqual(200);
    await reader.until("all records", (lines) => reads(lines).length >= count);
    const expected = ends.flatMap(({ partition, end }) =>
      Array.from({ length: Number(end) }, (_, offset) => `read ${partition} ${offset}`),
    );
    expect(reads(reader.lines).toSorted()).toEqual(expected.toSorted());
  });

  test("a writer killed at any moment: all acknowledged records are there, and none in part", async () => {
    await using broker = await open(stage);
    for (let kill = 0; kill < writerKills; kill++) {
      const topic = await newTopic(broker, 4);
      await using writer = new Child("writer.ts", stage.engine().address, topic);
      await writer.until("some records", (lines) => lines.length > kill);
      await writer.kill();
      const safe = Number(writer.lines.at(-1));
      const count = await endOf(broker.positions(groupOf(topic), topic));
      expect(count).toBeGreaterThanOrEqual(safe);
      if (stage.setUp.publishesWhole) {
        expect(count % recordsPerCall).toBe(0);
      }
      await using subscription = await broker.subscribe(groupOf(topic), [topic]);
      const records = await read(subscription, count);
      expect(await subscription.next({ recordsMax: 10, waitMs: 50 })).toEqual([]);
      expectWithoutGaps(records, safe);
    }
  });

  test("a reader killed at any moment: its successor gets all that was not committed, and little twice", async () => {
    await using broker = await open(stage);
    const topic = await newTopic(broker, 2);
    await using writer = new Child("writer.ts", stage.engine().address, topic);
    await writer.until("300 records", (lines) => Number(lines.at(-1)) >= 300);
    await writer.kill();
    const count = await endOf(broker.positions(groupOf(topic), topic));
    const reader = new Child("reader.ts", stage.engine().address, topic, groupOf(topic));
    await reader.until("50 records", (lines) => reads(lines).length >= 50);
    await reader.kill();
    const before = new Set(reads(reader.lines));
    await using successor = new Child("reader.ts", stage.engine().address, topic, groupOf(topic));
    const all = (lines: readonly string[]) => new Set([...before, ...reads(lines)]).size === count;
    await successor.until("the rest", all);
    const uncommitted = uncommittedOf(reader.lines);
    const twice = reads(successor.lines).filter((line) => before.has(line));
    expect(twice.filter((line) => !uncommitted.has(line))).toEqual([]);
  });
}

function reads(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith("read "));
}

/** What a reader had read after the last commit it knew of, as lines. */
function uncommittedOf(lines: readonly string[]): Set<string> {
  const done = new Map<string, bigint>();
  for (const [word, partition = "", next = "0"] of lines.map((line) => line.split(" "))) {
    if (word === "committed") {
      done.set(partition, BigInt(next));
    }
  }
  const isOpen = (line: string) => {
    const [, partition = "", offset = "0"] = line.split(" ");
    return BigInt(offset) >= (done.get(partition) ?? 0n);
  };
  return new Set(reads(lines).filter(isOpen));
}

async function endOf(positions: Promise<readonly { readonly end: bigint }[]>): Promise<number> {
  return (await positions).reduce((sum, { end }) => sum + Number(end), 0);
}

/** Each key's numbers rise by ten from the key's own; together they are all below `safe`, and none twice. */
function expectWithoutGaps(records: readonly IncomingRecord[], safe: number): void {
  const numbers = records.map((record) => Number(textOf(record)));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.filter((number) => number < safe).length).toBe(safe);
  for (let index = 0; index < recordsPerCall; index++) {
    const own = records.filter((record) => record.key === `key ${index}`).map((one) => Number(textOf(one)));
    expect(own).toEqual(own.map((_, turn) => index + turn * recordsPerCall));
  }
}
