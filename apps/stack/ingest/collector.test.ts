import { expect, test } from "bun:test";
import type { IncomingRecord } from "../../../lib/engines/broker/broker.ts";
import { batchAgeMs, batchRowsMax, busyBatchAgeMs, busyBatchRows } from "../limits.ts";
import { Collector } from "./collector.ts";
import type { Feed } from "./feed.ts";

/** One row for each record: its place. */
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

function placesOf(collector: Collector, nowMs = 0): string {
  return new TextDecoder().decode(collector.take(nowMs).parts[0]?.block);
}

const batch = {
  token: "old",
  ranges: [
    { partition: 0, first: 5n, next: 7n },
    { partition: 1, first: 0n, next: 1n },
  ],
};

test("a batch says which records it holds, by partition", () => {
  const collector = new Collector(new Places());
  collector.add(records(0, 5, 2), 0);
  collector.add(records(1, 0, 1), 0);
  collector.add(records(0, 7, 1), 0);
  const { ranges, rows, token } = collector.take(0);
  expect(ranges).toEqual([
    { partition: 0, first: 5n, next: 8n },
    { partition: 1, first: 0n, next: 1n },
  ]);
  expect([rows, token.length]).toEqual([4, 36]);
  expect(collector.isEmpty).toBe(true);
});

test("it is full by rows, and grows old from its first record on", () => {
  const collector = new Collector(new Places());
  expect(collector.ageMs(1000)).toBe(0);
  collector.add(records(0, 0, 1), 1000);
  collector.add(records(0, 1, 1), 1500);
  expect([collector.ageMs(1700), collector.isFull]).toEqual([700, false]);
  collector.add(records(0, 2, batchRowsMax), 1600);
  expect(collector.isFull).toBe(true);
  collector.take(1800);
  expect([collector.ageMs(2000), collector.isFull]).toEqual([0, false]);
});

test("a batch of few rows is due soon, one of many later, a full one at once", () => {
  const collector = new Collector(new Places());
  expect(collector.restMs(5000)).toBe(batchAgeMs);
  collector.add(records(0, 0, busyBatchRows - 1), 1000);
  expect([1000, 1060, 1100, 1300].map((nowMs) => collector.restMs(nowMs))).toEqual([100, 40, 0, 0]);
  collector.add(records(0, busyBatchRows, 1), 1050);
  const busy = [1100, 1000 + busyBatchAgeMs].map((nowMs) => collector.restMs(nowMs));
  expect(busy).toEqual([busyBatchAgeMs - 100, 0]);
  collector.add(records(0, busyBatchRows + 1, batchRowsMax), 1100);
  expect(collector.restMs(1100)).toBe(0);
});

test("records that were in a batch already are left out when they come again", () => {
  const collector = new Collector(new Places());
  collector.add(records(0, 0, 3), 0);
  collector.add(records(0, 1, 3), 0);
  expect(placesOf(collector)).toBe("0/0 0/1 0/2 0/3");
  collector.add(records(0, 2, 3), 0);
  expect(placesOf(collector)).toBe("0/4");
});

test("records that are passed are committed without rows, whenever they come", () => {
  const collector = new Collector(new Places());
  collector.pass([{ partition: 2, first: 0n, next: 3n }]);
  expect(collector.take(0)).toMatchObject({ rows: 0, ranges: [{ partition: 2, first: 0n, next: 3n }] });
  collector.add(records(2, 0, 4), 0);
  expect(placesOf(collector)).toBe("2/3");
});

test("a batch is rebuilt exactly, under its token; what comes besides is the next one", () => {
  const collector = new Collector(new Places());
  collector.rebuild(batch, 0);
  collector.add(records(0, 5, 4), 0);
  collector.add(records(3, 0, 1), 0);
  expect([collector.isRebuilt, collector.held]).toEqual([false, 3]);
  collector.add(records(1, 0, 1), 0);
  expect(collector.isRebuilt).toBe(true);
  const rebuilt = collector.take(0);
  expect(rebuilt).toMatchObject(batch);
  expect(new TextDecoder().decode(rebuilt.parts[0]?.block)).toBe("0/5 0/6 1/0");
  expect([collector.isRebuilding, collector.held]).toEqual([false, 0]);
  expect(placesOf(collector)).toBe("0/7 0/8 3/0");
});

test("records that retention took are not waited for", () => {
  const collector = new Collector(new Places());
  collector.rebuild(batch, 0);
  collector.add(records(1, 4, 1), 0);
  collector.add(records(0, 5, 2), 0);
  expect(collector.isRebuilt).toBe(true);
  expect(collector.take(0).token).toBe("old");
  expect(placesOf(collector)).toBe("1/4");
});

test("a batch that cannot be completed loses its token, not its records", () => {
  const collector = new Collector(new Places());
  collector.rebuild(batch, 1000);
  collector.add(records(0, 5, 1), 1000);
  expect([collector.isRebuilt, collector.ageMs(3000)]).toEqual([false, 2000]);
  const taken = collector.take(3000);
  expect(taken.token).not.toBe("old");
  expect(taken.rows).toBe(1);
});
