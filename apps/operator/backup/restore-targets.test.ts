/** What is found to back up, and where it is restored to. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contents } from "./manifest.ts";
import { targetsOf } from "./restore-targets.ts";
import { sourcesOf } from "./sources.ts";

const stack = mkdtempSync(join(tmpdir(), "vantage-stack-"));
afterAll(() => rmSync(stack, { recursive: true }));

test("a stack beside Kafka is its store alone, without a log", () => {
  const named = { stack, probingGateway: null, peeringGateway: null, store: [], folder: [] };
  mkdirSync(join(stack, "store"));
  expect(sourcesOf(named, "back up").brokers).toEqual([]);
  mkdirSync(join(stack, "broker"));
  expect(sourcesOf(named, "back up").brokers).toEqual([join(stack, "broker")]);
});

const from = "postgres://probing@127.0.0.1:5432/probing";
const contents: Contents = {
  ...{ startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:01Z", stack: null, notIncluded: [] },
  databases: [{ name: "probing", from, schemaVersion: 1, tables: [], sequences: [] }],
  ...{ stores: [], brokers: [], folders: [] },
};
const nowhere = {
  stack: null,
  probingDatabase: null,
  peeringDatabase: null,
  store: [],
  broker: null,
  folder: [],
};

test("a backup holds no password of a database: the configuration here has it, if it is of the same one", () => {
  const addressOf = (configured: string | null, probingDatabase: string | null = null) => {
    const [target] = targetsOf(
      contents,
      { ...nowhere, probingDatabase },
      {
        ...{ database: () => configured, store: () => null },
      },
    );
    return target !== undefined && "address" in target ? target.address : null;
  };
  const here = "postgres://probing:secret@127.0.0.1:5432/probing";
  expect(addressOf(here)).toBe(here);
  expect(addressOf(null)).toBe(from);
  expect(addressOf("postgres://probing:secret@other.example/probing")).toBe(from);
  expect(addressOf(here, "pglite:elsewhere")).toBe("pglite:elsewhere");
});
