import { expect, test } from "bun:test";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import { formatPrefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { SourceTable } from "./source-table.ts";

const prefixes = (...texts: string[]): Prefix[] => texts.flatMap((text) => parsePrefix(text) ?? []);

test("a reader in another thread finds what was set last, under another version", () => {
  const table = SourceTable.allocate(prefixes("192.0.2.0/24", "2001:db8::/48"));
  const reader = new SourceTable(table.buffer);
  const first = reader.version;
  expect(reader.read()?.map(formatPrefix)).toEqual(["192.0.2.0/24", "2001:db8::/48"]);
  table.set(prefixes("2001:db8:1::/48"));
  expect(reader.version).not.toBe(first);
  expect(reader.read()?.map(formatPrefix)).toEqual(["2001:db8:1::/48"]);
  expect(reader.read()?.[0]?.family).toBe(6);
});

test("a table that is being written is not read", () => {
  const table = SourceTable.allocate(prefixes("192.0.2.0/24"));
  new Int32Array(table.buffer)[0] = 0;
  expect(table.read()).toBeNull();
});

test("more prefixes than the hot path takes are refused", () => {
  const many = Array.from({ length: 129 }, (_, i) => prefixes(`10.${i}.0.0/16`)).flat();
  expect(() => SourceTable.allocate(many)).toThrow("Cannot use 129 source prefixes: at most 128");
});
