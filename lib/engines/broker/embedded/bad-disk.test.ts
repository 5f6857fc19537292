/** Disks that are read-only or full, made by mounting small ones: as root nothing less stops a write. */
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { SmallDisk } from "../../../../tests/contract/broker/small-disk.ts";
import { EmbeddedBroker } from "./embedded-broker.ts";

const asRoot = test.skipIf(process.getuid?.() !== 0);
const recordOf = (bytes: number) => ({ key: "k", value: new Uint8Array(bytes), headers: {} });
const topicOf = (name: string) => ({ name, partitions: 1, retentionMs: 3_600_000 });
const unavailable = {
  code: "unavailable",
  message: expect.stringMatching(/^Cannot .*: \S.* \(SQLITE_\w+\)$/),
};

asRoot("a read-only folder is unavailable, and the same broker works when it is writable again", async () => {
  await using disk = await SmallDisk.mount(32);
  {
    await using broker = new EmbeddedBroker(disk.folder, {});
    await broker.ensureTopic(topicOf("t"));
    await broker.publish("t", [recordOf(1)]);
  }
  await disk.remount("ro");
  await using broker = new EmbeddedBroker(disk.folder, {});
  await expect(broker.publish("t", [recordOf(1)])).rejects.toMatchObject(unavailable);
  await expect(broker.subscribe("g", ["t"])).rejects.toMatchObject(unavailable);
  await expect(broker.ensureTopic(topicOf("u"))).rejects.toMatchObject(unavailable);
  await disk.remount("rw");
  expect(await broker.publish("t", [recordOf(1)])).toEqual([{ partition: 0, offset: 1n }]);
  await using subscription = await broker.subscribe("g", ["t"]);
  expect((await subscription.next({ recordsMax: 10, waitMs: 0 })).length).toBe(2);
});

asRoot("who has only read a read-only log can write to it as soon as that is allowed", async () => {
  await using disk = await SmallDisk.mount(32);
  {
    await using broker = new EmbeddedBroker(disk.folder, {});
    await broker.ensureTopic(topicOf("t"));
    await broker.publish("t", [recordOf(1)]);
    // A log whose writer was killed: only such a one can be read without being written to.
    for (const end of ["", "-wal", "-shm"]) {
      copyFileSync(join(disk.folder, `t.log${end}`), join(disk.folder, `killed.log${end}`));
    }
  }
  await disk.remount("ro");
  await using broker = new EmbeddedBroker(disk.folder, {});
  expect(await broker.positions("g", "killed")).toEqual([{ partition: 0, committed: 0n, end: 1n }]);
  await disk.remount("rw");
  expect(await broker.publish("killed", [recordOf(1)])).toEqual([{ partition: 0, offset: 1n }]);
});

asRoot("a log that cannot even be read for a time: readers wait, say so once, and go on", async () => {
  await using disk = await SmallDisk.mount(8);
  const said: string[] = [];
  await using broker = new EmbeddedBroker(disk.folder, { log: (line) => said.push(line) });
  await broker.ensureTopic(topicOf("t"));
  await using subscription = await broker.subscribe("g", ["t"]);
  await disk.fill();
  await expect(broker.publish("t", [recordOf(500_000)])).rejects.toMatchObject(unavailable);
  // The failed write has closed the file, which gave space back: without it the file cannot be opened again.
  await disk.fill();
  expect(await subscription.next({ recordsMax: 10, waitMs: 0 })).toEqual([]);
  expect(await subscription.next({ recordsMax: 10, waitMs: 0 })).toEqual([]);
  expect(said).toEqual([expect.stringMatching(/^Cannot read "t": /)]);
  disk.empty();
  await broker.publish("t", [recordOf(1)]);
  expect((await subscription.next({ recordsMax: 10, waitMs: 5000 })).length).toBe(1);
  expect(said.slice(1)).toEqual(["The broker's log can be read again"]);
});
