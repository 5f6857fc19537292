import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivateFolder } from "./private-folder.ts";

test("others can pass what is above a private folder, even made by a service that keeps files private", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-private-"));
  const modeOf = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);
  const umask = process.umask(0o077);
  try {
    makePrivateFolder(join(folder, "lib/vantage/stack"));
    expect(process.umask()).toBe(0o077);
  } finally {
    process.umask(umask);
  }
  expect([modeOf("lib"), modeOf("lib/vantage"), modeOf("lib/vantage/stack")]).toEqual(["755", "755", "700"]);
  makePrivateFolder(join(folder, "lib/vantage"));
  expect(modeOf("lib/vantage")).toBe("755");
  rmSync(folder, { recursive: true });
});
