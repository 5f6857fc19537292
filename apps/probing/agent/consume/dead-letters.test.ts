import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeadLetters } from "./dead-letters.ts";

const record = {
  topic: "t",
  partition: 3,
  offset: 9n,
  timestampMs: 0,
  key: "k",
  value: new TextEncoder().encode("hello"),
  headers: { west: "{" },
};

test("a refused record can be looked at, and all of them take no more than twice the limit", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-letters-"));
  try {
    const letters = new DeadLetters(folder, 2000);
    for (let i = 0; i < 50; i++) {
      letters.add(record, `reason ${i}`);
    }
    const files = readdirSync(folder).sort();
    expect(files).toEqual(["refused-records.1.ndjson", "refused-records.ndjson"]);
    expect(Math.max(...files.map((name) => statSync(join(folder, name)).size))).toBeLessThanOrEqual(2000);
    expect(Math.min(...files.map((name) => statSync(join(folder, name)).size))).toBeGreaterThan(400);
    const last = readFileSync(join(folder, "refused-records.ndjson"), "utf8").trim().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toEqual({
      reason: "reason 49",
      topic: "t",
      partition: 3,
      offset: "9",
      published: "1970-01-01T00:00:00.000Z",
      key: "k",
      headers: { west: "{" },
      value_bytes: 5,
      value: "aGVsbG8=",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a folder that is not there does not stop the agent", () => {
  expect(new DeadLetters("/nonexistent/folder").add(record, "why")).toBe(false);
});
