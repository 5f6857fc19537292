import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import { probeMessageBytes } from "../../../../lib/net/wire/probe-codec.ts";
import { spoolSlotsMax } from "../limits.ts";
import { readProgress, SpoolFolder, writeProgress } from "./spool-folder.ts";

const home = mkdtempSync(join(tmpdir(), "vantage-spool-folder-"));
afterAll(() => rmSync(home, { recursive: true }));
let made = 0;
const newPath = () => join(home, String(made++));

/** Probes whose bytes are all `mark`. */
async function keep(folder: SpoolFolder, id: string, probes: number, mark: number): Promise<ProbeSpool> {
  const spool = folder.create(id);
  spool.appendMessages(new Uint8Array(probes * probeMessageBytes).fill(mark));
  await folder.sync(id, spool);
  return spool;
}

function marksOf(spool: ProbeSpool | null, probes: number): number[] {
  const bytes = spool?.read(0, probes, new Uint8Array(probes * probeMessageBytes)) ?? [];
  return [bytes.length / probeMessageBytes, ...new Set(bytes)];
}

const filesIn = (path: string) => readdirSync(path).filter((name) => name.endsWith(".probes"));

test("a small submission has a slot and no file, a large one a file; both are found after a restart", async () => {
  const path = newPath();
  const before = new SpoolFolder(path, 1e9);
  writeProgress(await keep(before, "small", 3, 7), 2);
  writeProgress(await keep(before, "full", 1024, 8), 1000);
  writeProgress(await keep(before, "large", 1025, 9), 4);
  before[Symbol.dispose]();
  expect(filesIn(path)).toEqual(["large.probes"]);
  using after = new SpoolFolder(path, 1e9);
  expect(after.list().sort()).toEqual(["full", "large", "small"]);
  for (const [id, probes, mark, published] of [
    ["small", 3, 7, 2],
    ["full", 1024, 8, 1000],
    ["large", 1025, 9, 4],
  ] as const) {
    using spool = after.reopen(id, probes);
    expect(marksOf(spool, probes)).toEqual([probes, mark]);
    expect(spool && readProgress(spool)).toBe(published);
  }
  expect(after.reopen("other", 1)).toBeNull();
});

test("a slot that is used again has nothing of before, and what was removed is not found again", async () => {
  const path = newPath();
  const before = new SpoolFolder(path, 1e9);
  writeProgress(await keep(before, "first", 5, 1), 5);
  await before.remove("first");
  const second = await keep(before, "second", 2, 2);
  expect([marksOf(second, 2), readProgress(second)]).toEqual([[2, 2], 0]);
  await keep(before, "third", 2, 3);
  await before.remove("second");
  before[Symbol.dispose]();
  using after = new SpoolFolder(path, 1e9);
  expect(after.list()).toEqual(["third"]);
  expect(marksOf(after.reopen("third", 2), 2)).toEqual([2, 3]);
});

test("when all slots are taken, small ones have files", async () => {
  const path = newPath();
  using folder = new SpoolFolder(path, 1e9);
  const ids = Array.from({ length: spoolSlotsMax + 2 }, (_, i) => `m-${i}`);
  await Promise.all(ids.map((id, i) => keep(folder, id, 1, i % 251)));
  expect(filesIn(path)).toHaveLength(2);
  expect(ids.map((id) => marksOf(folder.reopen(id, 1), 1)[1])).toEqual(ids.map((_, i) => i % 251));
  await Promise.all(ids.map((id) => folder.remove(id)));
  expect([folder.list(), filesIn(path)]).toEqual([[], []]);
  await keep(folder, "next", 1, 1);
  expect(filesIn(path)).toEqual([]);
});

test("what was never kept leaves nothing", async () => {
  const path = newPath();
  using folder = new SpoolFolder(path, 1e9);
  const spool = folder.create("refused");
  spool.appendMessages(new Uint8Array(3 * probeMessageBytes));
  spool[Symbol.dispose]();
  await folder.remove("refused");
  expect([folder.list(), filesIn(path)]).toEqual([[], []]);
});
