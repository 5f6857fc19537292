import { expect, test } from "bun:test";
import type { IncomingRecord } from "../../../lib/engines/broker/broker.ts";
import { BatchBuilder } from "./batch-builder.ts";
import type { Feed } from "./feed.ts";
import { batchAgeMs, batchRowsMax, busyBatchAgeMs, busyBatchRows } from "./limits.ts";

/** One row for each record: its offset. */
class Places implements Feed {
  readonly rejected = new Map<string, number>();
  readonly repeated = 0;
  places: string[] = [];

  get rows(): number {
    return this.places.length;
  }

  get bytes(): number {
    return 0;
  }

  async isWanted(): Promise<boolean> {
    return true;
  }

  async learn(): Promise<void> {}

  add({ partition, offset }: IncomingRecord): void {
    this.places.push(`${partition}/${offset}`);
  }

  take() {
    const block = new TextEncoder().encode(this.places.join(" "));
    this.places = [];
    return [{ name: "p", table: "t", block }];
  }
}

function records(partition: number, first: number, count: number): IncomingRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ topic: "t", partition, offset: BigInt(first + i), timestampMs: 0 },
    ...{ key: "", value: new Uint8Array(0), headers: {} },
  }));
}

function placesOf(builder: BatchBuilder, nowMs = 0): string {
  return new TextDecoder().decode(builder.take(nowMs).parts[0]?.block);
}

const batch = {
  token: "old",
  ranges: [
    { partition: 0, first: 5n, next: 7n },
    { partition: 1, first: 0n, next: 1n },
  ],
};

test("a batch has the offsets of its records, by partition", () => {
  const builder = new BatchBuilder(new Places());
  builder.add(records(0, 5, 2), 0);
  builder.add(records(1, 0, 1), 0);
  builder.add(records(0, 7, 1), 0);
  const { ranges, rows, token } = builder.take(0);
  expect(ranges).toEqual([
    { partition: 0, first: 5n, next: 8n },
    { partition: 1, first: 0n, next: 1n },
  ]);
  expect([rows, token.length]).toEqual([4, 36]);
  expect(builder.isEmpty).toBe(true);
});

test("it is full by rows, and grows old from its first record on", () => {
  const builder = new BatchBuilder(new Places());
  expect(builder.ageMs(1000)).toBe(0);
  builder.add(records(0, 0, 1), 1000);
  builder.add(records(0, 1, 1), 1500);
  expect([builder.ageMs(1700), builder.isFull]).toEqual([700, false]);
  builder.add(records(0, 2, batchRowsMax), 1600);
  expect(builder.isFull).toBe(true);
  builder.take(1800);
  expect([builder.ageMs(2000), builder.isFull]).toEqual([0, false]);
});

test("a batch of few rows is due soon, one of many later, a full one at once", () => {
  const builder = new BatchBuilder(new Places());
  expect(builder.restMs(5000)).toBe(batchAgeMs);
  builder.add(records(0, 0, busyBatchRows - 1), 1000);
  expect([1000, 1060, 1100, 1300].map((nowMs) => builder.restMs(nowMs))).toEqual([100, 40, 0, 0]);
  builder.add(records(0, busyBatchRows, 1), 1050);
  const busy = [1100, 1000 + busyBatchAgeMs].map((nowMs) => builder.restMs(nowMs));
  expect(busy).toEqual([busyBatchAgeMs - 100, 0]);
  builder.add(records(0, busyBatchRows + 1, batchRowsMax), 1100);
  expect(builder.restMs(1100)).toBe(0);
});

test("records that were in a batch already are left out when they come again", () => {
  const builder = new BatchBuilder(new Places());
  builder.add(records(0, 0, 3), 0);
  builder.add(records(0, 1, 3), 0);
  expect(placesOf(builder)).toBe("0/0 0/1 0/2 0/3");
  builder.add(records(0, 2, 3), 0);
  expect(placesOf(builder)).toBe("0/4");
});

test("records that are passed are committed without rows, whenever they come", () => {
  const builder = new BatchBuilder(new Places());
  builder.pass([{ partition: 2, first: 0n, next: 3n }]);
  expect(builder.take(0)).toMatchObject({ rows: 0, ranges: [{ partition: 2, first: 0n, next: 3n }] });
  builder.add(records(2, 0, 4), 0);
  expect(placesOf(builder)).toBe("2/3");
});

test("a batch is rebuilt exactly, under its token; what comes besides is the next one", () => {
  const builder = new BatchBuilder(new Places());
  builder.rebuild(batch, 0);
  builder.add(records(0, 5, 4), 0);
  builder.add(records(3, 0, 1), 0);
  expect([builder.isRebuilt, builder.held]).toEqual([false, 3]);
  builder.add(records(1, 0, 1), 0);
  expect(builder.isRebuilt).toBe(true);
  const rebuilt = builder.take(0);
  expect(rebuilt).toMatchObject(batch);
  expect(new TextDecoder().decode(rebuilt.parts[0]?.block)).toBe("0/5 0/6 1/0");
  expect([builder.isRebuilding, builder.held]).toEqual([false, 0]);
  expect(placesOf(builder)).toBe("0/7 0/8 3/0");
});

test("records that retention took are not waited for", () => {
  const builder = new BatchBuilder(new Places());
  builder.rebuild(batch, 0);
  builder.add(records(1, 4, 1), 0);
  builder.add(records(0, 5, 2), 0);
  expect(builder.isRebuilt).toBe(true);
  expect(builder.take(0).token).toBe("old");
  expect(placesOf(builder)).toBe("1/4");
});

test("a batch that cannot be completed loses its token, not its records", () => {
  const builder = new BatchBuilder(new Places());
  builder.rebuild(batch, 1000);
  builder.add(records(0, 5, 1), 1000);
  expect([builder.isRebuilt, builder.ageMs(3000)]).toEqual([false, 2000]);
  const taken = builder.take(3000);
  expect(taken.token).not.toBe("old");
  expect(taken.rows).toBe(1);
});
