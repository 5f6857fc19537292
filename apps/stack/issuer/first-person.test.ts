import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FirstPerson, operatorRole } from "./first-person.ts";

test("who logs in first is the operator, also after a restart", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-first-"));
  try {
    const first = new FirstPerson(folder);
    expect(["alice", "bob", "alice"].map((name) => first.rolesOf(name))).toEqual([
      [operatorRole],
      [],
      [operatorRole],
    ]);
    expect(new FirstPerson(folder).rolesOf("bob")).toEqual([]);
    expect(new FirstPerson(folder).rolesOf("alice")).toEqual([operatorRole]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
