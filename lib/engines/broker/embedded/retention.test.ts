import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "./log-connection.ts";
import { TopicLog } from "./topic-log.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-retention-"));
afterAll(() => rmSync(folder, { recursive: true }));

const megabyte = 1024 * 1024;
const hourMs = 3_600_000;

function logOf(topic: string, retentionMs: number, logBytesMax: number, retentionEveryMs = hourMs): TopicLog {
  createLog(folder, { name: topic, partitions: 1, retentionMs });
  return new TopicLog(folder, topic, { logBytesMax, giveUpMs: 1000, retentionEveryMs });
}

async function publish(log: TopicLog, count: number, bytes: number): Promise<void> {
  const value = new Uint8Array(bytes);
  const records = Array.from({ length: count }, () => ({ key: "k", value, headers: {} }));
  await log.publish(records, count * bytes);
}

test("records older than the retention time go, in steps, and offsets go on", async () => {
  const log = logOf("time", 1, 100 * megabyte, 5);
  await publish(log, 1000, 10);
  for (let first = 0n; first < 1000n; first = (await log.positions("g"))[0]?.committed ?? 0n) {
    await Bun.sleep(5);
  }
  expect(await log.read({ partition: 0, nextOffset: 0 }, 10)).toEqual([]);
  await log.publish([{ key: "k", value: new Uint8Array(1), headers: {} }], 1);
  expect((await log.positions("g"))[0]?.end).toBe(1001n);
  await log.close();
});

test("young records stay, rounds or not", async () => {
  const log = logOf("young", hourMs, 100 * megabyte, 1);
  await publish(log, 10, 10);
  await Bun.sleep(50);
  expect((await log.read({ partition: 0, nextOffset: 0 }, 100)).length).toBe(10);
  await log.close();
});

test("a log full of what nobody has read refuses more, and says so", async () => {
  const log = logOf("full", hourMs, 2 * megabyte);
  await publish(log, 15, 100_000);
  await expect(publish(log, 10, 100_000)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(
      /^Cannot publish to "full": its log is full .* \d+ bytes, the limit is 2097152$/,
    ),
  });
  expect((await log.read({ partition: 0, nextOffset: 0 }, 100)).length).toBe(15);
  await log.close();
});

test("at the limit what every group has committed makes room, and nothing else", async () => {
  const log = logOf("room", hourMs, 2 * megabyte);
  await log.join("fast");
  await log.join("slow");
  await publish(log, 15, 100_000);
  await log.commit("fast", 0, 15n);
  await expect(publish(log, 10, 100_000)).rejects.toMatchObject({ code: "unavailable" });
  await log.commit("slow", 0, 12n);
  await publish(log, 10, 100_000);
  const offsets = (await log.read({ partition: 0, nextOffset: 0 }, 100)).map(({ offset }) => offset);
  expect(offsets).toEqual(Array.from({ length: 13 }, (_, index) => 12n + BigInt(index)));
  expect((await log.positions("slow"))[0]).toEqual({ partition: 0, committed: 12n, end: 25n });
  await log.close();
});

test("space that retention frees is used again: the file does not grow for ever", async () => {
  const log = logOf("reuse", hourMs, 2 * megabyte);
  await log.join("g");
  for (let round = 1; round <= 20; round++) {
    await publish(log, 10, 100_000);
    await log.commit("g", 0, BigInt(round * 10));
  }
  expect(Bun.file(join(folder, "reuse.log")).size).toBeLessThan(3 * megabyte);
  await log.close();
});
