/** A stack is backed up while replies keep arriving: after a restore each is stored once, and none is missing. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { repliesTopic, replyHeaders } from "../../../lib/net/wire/target-header.ts";
import { until } from "../../exchange/until.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { startPlatform } from "../../upgrade/platform-contents.ts";
import { untilRead } from "../store/processes.ts";
import { sampleReply } from "../store/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-backup-"));
const stack = join(folder, "stack");

interface Stored {
  readonly rows: number;
  readonly different: number;
  readonly last: number;
}

async function storedIn(directory: string): Promise<Stored> {
  await using store = await openStore(`chdb:${directory}/store`);
  const query = `SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(sequence)) AS different,
    toUInt32(max(sequence)) AS last FROM measure.replies`;
  const result = await store.client.query({ query, format: "JSONEachRow" });
  const [row] = await result.json<Stored>();
  return row ?? { rows: 0, different: 0, last: 0 };
}

/** Numbered, as an agent's; each resolves when the broker has it. */
async function publish(first: number, count: number): Promise<void> {
  await using broker = await openBroker(`embedded:${stack}/broker`);
  const records = Array.from({ length: count }, (_, i) => ({
    key: "west",
    value: encodeReply(sampleReply(first + i)),
    headers: { [replyHeaders.producer]: "west.1", [replyHeaders.sequence]: String(first + i) },
  }));
  await broker.publish(repliesTopic, records);
}

test("replies that arrive meanwhile", async () => {
  try {
    let published = 0;
    {
      await using _stack = await startPlatform(stack);
      const stopping = new AbortController();
      const publishing = (async () => {
        while (!stopping.signal.aborted) {
          await publish(published + 1, 20);
          published += 20;
        }
      })();
      await until("rows", async () => (await storedIn(stack)).rows > 0);
      const before = published;
      const made = await runToEnd([...vantageCommand, "backup", "--stack", stack, join(folder, "backup")]);
      expect({ exitCode: made.exitCode, stderr: made.stderr }).toMatchObject({ exitCode: 0 });
      expect(published).toBeGreaterThan(before);
      stopping.abort();
      await publishing;
      published = before;
    }
    const restored = join(folder, "restored");
    const done = await runToEnd([...vantageCommand, "restore", "--stack", restored, join(folder, "backup")]);
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
    const inStore = await startedRows(restored);
    expect(inStore.different).toBe(inStore.rows);
    expect(inStore.last).toBe(inStore.rows);
    expect(inStore.last).toBeGreaterThanOrEqual(published);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What a stack has stored once its ingester has read all of the log. */
async function startedRows(directory: string): Promise<Stored> {
  await using _stack = await startPlatform(directory);
  await using broker = await openBroker(`embedded:${directory}/broker`);
  await untilRead(broker);
  return await storedIn(directory);
}
