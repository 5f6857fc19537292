import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ForeignWrites } from "./foreign-writes.ts";

test("a write by another process wakes the reader once; then it is deaf for a while", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-writes-test-"));
  try {
    const file = join(folder, "log");
    writeFileSync(file, "");
    const heard = Promise.withResolvers<void>();
    let wakes = 0;
    using writes = new ForeignWrites([file], () => {
      wakes++;
      heard.resolve();
    });
    expect(writes.listen()).toBe(true);
    const append = () => Bun.spawnSync(["sh", "-c", `echo more >> "${file}"; echo more >> "${file}"`]);
    append();
    await heard.promise;
    expect(writes.listen()).toBe(false);
    append();
    await Bun.sleep(20);
    expect(wakes).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file that cannot be watched leaves the reader to its polls", () => {
  using writes = new ForeignWrites(["/no/such/file"], () => undefined);
  expect(writes.listen()).toBe(false);
});
