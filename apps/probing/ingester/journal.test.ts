import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "./journal.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vantage-journal-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("the last batch comes back as it was, from another process too", () => {
  const path = join(folder, "below", "a.journal");
  const journal = new Journal(path);
  expect(journal.read()).toBeNull();
  journal.write({ token: "one", ranges: [] });
  const batch = { token: "two", ranges: [{ partition: 15, first: 0n, next: 9_007_199_254_740_993n }] };
  journal.write(batch);
  expect(new Journal(path).read()).toEqual(batch);
  expect(readdirSync(join(folder, "below"))).toEqual(["a.journal"]);
});

test.each(["t\n1 2\n", "t\n1 2 x\n"])("an invalid file, as %p, is ignored", (text) => {
  const path = join(folder, "b.journal");
  writeFileSync(path, text);
  expect(new Journal(path).read()).toBeNull();
});
