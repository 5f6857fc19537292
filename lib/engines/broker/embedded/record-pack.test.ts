import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { OutgoingRecord } from "../broker.ts";
import { createLog } from "./log-connection.ts";
import { RecordPacker } from "./record-pack.ts";
import { TopicLog } from "./topic-log.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-pack-"));
afterAll(() => rmSync(folder, { recursive: true }));

const hourMs = 3_600_000;
const readMax = 10_000;

function logOf(topic: string): TopicLog {
  createLog(folder, { name: topic, partitions: 1, retentionMs: hourMs });
  return new TopicLog(folder, topic, { logBytesMax: 2 ** 30, giveUpMs: 1000, retentionEveryMs: hourMs });
}

/** Sizes of the packs that records make. */
function packed(records: readonly OutgoingRecord[]): number[] {
  const packer = new RecordPacker();
  const sizes: number[] = [];
  for (let at = 0, pack = packer.pack(records, at); pack !== null; pack = packer.pack(records, at)) {
    sizes.push(pack.records);
    at += pack.records;
  }
  return sizes;
}

function numbered(count: number, bytes: number, key = "k"): OutgoingRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ key, value: new Uint8Array(bytes).fill(i) },
    headers: { agent: "ä", sequence: String(i) },
  }));
}

test("small records alike go together, up to a size; others do not", () => {
  expect(packed([])).toEqual([]);
  expect(packed(numbered(100, 100))).toEqual([100]);
  expect(packed(numbered(40, 4000))).toEqual([16, 16, 8]);
  expect(packed(numbered(3, 5000))).toEqual([1, 1, 1]);
  expect(packed([...numbered(2, 1, "a"), ...numbered(3, 1, "b")])).toEqual([2, 3]);
  const [first, second] = numbered(2, 1);
  const other = { key: "k", value: new Uint8Array(1), headers: { sequence: "1", agent: "ä" } };
  expect(packed([first ?? other, other, second ?? other])).toEqual([1, 1, 1]);
  const long = { ...other, headers: { sequence: "x".repeat(70_000), agent: "" } };
  expect(packed([other, long])).toEqual([1, 1]);
  const odd = { ...other, headers: JSON.parse('{"__proto__": "1"}') };
  expect(packed([odd, odd])).toEqual([1, 1]);
});

test("records are read as they were written, in pieces of any size", async () => {
  const log = logOf("any");
  let end = 0;
  const text = fc.string({ unit: "grapheme", maxLength: 10 });
  const headers = fc.oneof(fc.dictionary(text, text), fc.record({ agent: text, sequence: text }));
  const key = fc.constantFrom("", "one", "other");
  const record = fc.record({ key, headers, value: fc.uint8Array({ maxLength: 5000 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      async (sent, piece) => {
        await log.publish(sent, 1);
        const found = [];
        for (let next = end; next < end + sent.length; next = Number(found.at(-1)?.offset) + 1) {
          const read = await log.read({ partition: 0, nextOffset: next }, piece);
          expect(read.length).toBeWithin(1, piece + 1);
          found.push(...read);
        }
        const offsets = sent.map((_, i) => BigInt(end + i));
        end += sent.length;
        expect(found.map(({ offset }) => offset)).toEqual(offsets);
        expect(found.map((one) => ({ key: one.key, headers: one.headers, value: one.value }))).toEqual(
          sent.map((one) => ({ ...one, headers: JSON.parse(JSON.stringify(one.headers)) })),
        );
      },
    ),
    { numRuns: 100 },
  );
  await log.close();
});

test("a group may have committed a part of a pack", async () => {
  const log = logOf("part");
  await log.publish(numbered(100, 10), 1000);
  await log.join("g");
  expect((await log.positions("g"))[0]).toEqual({ partition: 0, committed: 0n, end: 100n });
  await log.commit("g", 0, 40n);
  expect((await log.positions("g"))[0]).toEqual({ partition: 0, committed: 40n, end: 100n });
  const rest = await log.read({ partition: 0, nextOffset: 40 }, readMax);
  expect([rest.length, rest[0]?.headers.sequence, rest[0]?.value[0]]).toEqual([60, "40", 40]);
  await log.close();
});
