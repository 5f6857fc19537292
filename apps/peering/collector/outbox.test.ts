/** The way to the broker while that is away, and the kept file as the next start reads it. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Broker, OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import { decodeUpdates } from "../../../lib/net/wire/update-codec.ts";
import { routeUpdate } from "../../../tests/contract/store/samples.ts";
import { awayBroker } from "../../../tests/run/away-broker.ts";
import { until } from "../../../tests/run/until.ts";
import { KeptEntries } from "./kept-entries.ts";
import { KeptRoutes } from "./kept-routes.ts";
import { batchBytes, pendingBytesMax, recordBytes, runBytes } from "./limits.ts";
import { Outbox } from "./outbox.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vantage-collector-outbox-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Numbered by the peer's AS, and as long as its path. */
const numbered = (number: number, ases = 1) => ({
  ...routeUpdate,
  peerAsn: number,
  asPath: Array.from({ length: ases }, (_, i) => i),
});

function numbersIn(bytes: Uint8Array): (number | string)[] {
  return [...decodeUpdates(bytes)].map((one) => (one.ok ? one.update.peerAsn : one.reason));
}

const numbersOf = (records: readonly OutgoingRecord[]) => records.flatMap(({ value }) => numbersIn(value));

/** The file as it says what is with the broker: numbers, and "published". */
function keptIn(kept: KeptRoutes): (number | string)[] {
  return [...kept.read()].flatMap((entry) =>
    entry.kind === "updates" ? numbersIn(entry.messages) : [entry.kind],
  );
}

function outboxWith(broker: Broker) {
  const kept = new KeptRoutes(folder);
  kept.rewrite([], 0n);
  const told: (string | null)[] = [];
  const tell = (trouble: string | null) => told.push(trouble);
  const outbox = new Outbox({ broker, kept, standing: () => [], tell, nowUs: () => 1n });
  return { kept, outbox, told };
}

test("a stop while the broker is away ends at once; all is kept unmarked, and goes out at the next start", async () => {
  const { broker, published, state } = awayBroker();
  const { kept, outbox, told } = outboxWith(broker);
  const stopping = new AbortController();
  const running = outbox.run(stopping.signal);
  outbox.add("192.0.2.1", null, numbered(1));
  await until(() => outbox.counts.failures > 0);
  outbox.add("192.0.2.1", null, numbered(2));
  outbox.note({ file: "/var/log/bird.mrt", inode: 7, offset: 9 });
  stopping.abort();
  await running;
  expect([published, outbox.counts.published, outbox.pending]).toEqual([[], 0, 0]);
  expect(told).toEqual([expect.stringContaining("away")]);
  expect(keptIn(kept)).toEqual([1, 2, "position"]);

  state.isAway = false;
  const entries = new KeptEntries();
  for (const entry of kept.read()) {
    if (entry.kind === "updates") {
      entries.addMessages("192.0.2.1", entry.pathId, entry.messages, numbersIn(entry.messages).length);
    }
  }
  const next = outboxWith(broker).outbox;
  await next.again(entries, new AbortController().signal);
  expect([numbersOf(published), next.counts.published]).toEqual([[1, 2], 2]);
});

test("above the limit nobody may add until the broker has taken some, and then all are there, in order", async () => {
  const { broker, published, state } = awayBroker();
  const { kept, outbox, told } = outboxWith(broker);
  const ases = 10_000;
  let added = 0;
  const fillTo = (bytes: number) => {
    for (; added * 4 * ases < bytes; added++) {
      outbox.add("192.0.2.1", null, numbered(added, ases));
    }
  };
  fillTo(pendingBytesMax - 2 * batchBytes);
  await outbox.room();
  fillTo(pendingBytesMax + 2 * batchBytes);
  let hasRoom = false;
  const room = outbox.room().then(() => {
    hasRoom = true;
  });
  const stopping = new AbortController();
  const running = outbox.run(stopping.signal);
  await until(() => outbox.counts.failures > 0);
  expect([hasRoom, outbox.pending]).toEqual([false, added]);
  state.isAway = false;
  await room;
  await until(() => outbox.pending === 0);
  stopping.abort();
  await running;
  expect(numbersOf(published)).toEqual(Array.from({ length: added }, (_, i) => i));
  expect(Math.max(...published.map(({ value }) => value.length))).toBeLessThanOrEqual(recordBytes);
  expect(told).toEqual([expect.stringContaining("away"), null]);
  expect([keptIn(kept).at(-1), outbox.counts.published]).toEqual(["published", added]);
});

test("updates of a router share an entry up to a limit; a path id, or what is between, begins another", () => {
  const entries = new KeptEntries();
  entries.addUpdate("a", null, numbered(1));
  entries.addUpdate("a", null, numbered(2));
  entries.addUpdate("b", null, numbered(3));
  entries.addUpdate("b", 5, numbered(4));
  entries.addUpdate("b", null, numbered(5));
  entries.addPublished();
  entries.addUpdate("b", null, numbered(6));
  const parts = entries.runs.map(({ key, start, end }) => [
    key,
    ...numbersIn(entries.bytes.slice(start, end)),
  ]);
  expect(parts).toEqual([
    ["a", 1, 2],
    ["b", 3],
    ["b", 4],
    ["b", 5],
    ["b", 6],
  ]);
  expect(entries.updates).toBe(6);
  entries.clear();
  expect([entries.length, entries.updates, entries.runs]).toEqual([0, 0, []]);
  for (let number = 0; entries.runs.length < 3; number++) {
    entries.addUpdate("a", null, numbered(number, 1000));
  }
  const [first] = entries.runs;
  expect((first?.end ?? 0) - (first?.start ?? 0)).toBeLessThan(runBytes + 5000);
});

test("what was written is read again, whatever the names of files; an entry that is cut off is left out", () => {
  using kept = new KeptRoutes(folder);
  const entries = new KeptEntries();
  const files = ["/a", "/ab", "/abc", "/abcd", "/größe.mrt"];
  for (const [i, file] of files.entries()) {
    entries.addPosition({ file, inode: i, offset: 10 ** i });
    entries.addUpdate("a", i % 2 === 0 ? i : null, numbered(i, i));
  }
  kept.rewrite([entries], 1n);
  const expected = files.flatMap((file, i) => [
    { kind: "position", file, inode: i, offset: 10 ** i },
    { kind: "updates", pathId: i % 2 === 0 ? i : null, numbers: [i] },
  ]);
  const read = () =>
    [...kept.read()].map((entry) =>
      entry.kind === "updates"
        ? { kind: entry.kind, pathId: entry.pathId, numbers: numbersIn(entry.messages) }
        : entry,
    );
  expect(read() as unknown).toEqual(expected);
  const path = join(folder, "routes.log");
  writeFileSync(path, readFileSync(path).subarray(0, -1));
  expect(read() as unknown).toEqual(expected.slice(0, -1));
});
