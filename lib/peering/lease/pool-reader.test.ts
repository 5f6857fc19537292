import { expect, test } from "bun:test";
import { PoolReader } from "./pool-reader.ts";
import { blocksOf, formatLeasePrefix } from "./prefix-number.ts";

function read(text: string): string[] {
  const reader = new PoolReader();
  for (const line of text.split("\n")) {
    reader.push(line);
  }
  return reader.finish().map(({ first, last }) => `${formatLeasePrefix(first)} ${last - first + 1}`);
}

test("blocks of any length are runs of /48s, in the order of the lines", () => {
  const text = "# ours\n2001:db8:f::/48\n\n  2001:db8:100::/40 # the large one\r\n3fff::/47";
  expect(read(text)).toEqual(["2001:db8:f::/48 1", "2001:db8:100::/48 256", "3fff::/48 2"]);
});

test("lines that follow one another are one run", () => {
  const lines = Array.from({ length: 4096 }, (_, i) => `2001:db8:${i.toString(16)}::/48`);
  expect(read(lines.join("\n"))).toEqual(["2001:db8::/48 4096"]);
});

test.each([
  ["2001:db8::/48\n192.0.2.0/24", 'line 2: "192.0.2.0/24" is not an IPv6 prefix of at most 48 bits'],
  ["2001:db8::/49", "line 1: "],
  ["2001:db8::1/48", "line 1: "],
  ["2001:db8::", "line 1: "],
  ["# one\n\nnonsense\u001b[2J", 'line 3: "nonsense?[2J"'],
  ["2001:db8::/48\n3fff::/32\n2001:db8::/40", "line 3: overlaps the prefixes from line 1 on"],
  ["2001:db8::/48\n2001:db8::/48", "line 2: overlaps"],
  ["# nothing\n", "it holds no prefix"],
])("%j is refused: %s", (text, reason) => {
  expect(() => read(text)).toThrow(reason);
});

test("runs become the fewest blocks", () => {
  const at = 0x2001_0db8_0000;
  expect([...blocksOf([{ first: at, last: at + 255 }])]).toEqual(["2001:db8::/40"]);
  expect([...blocksOf([{ first: at + 1, last: at + 4 }])]).toEqual([
    "2001:db8:1::/48",
    "2001:db8:2::/47",
    "2001:db8:4::/48",
  ]);
  const touching = [
    { first: at, last: at },
    { first: at + 1, last: at + 1 },
    { first: at + 9, last: at + 9 },
  ];
  expect([...blocksOf(touching)]).toEqual(["2001:db8::/47", "2001:db8:9::/48"]);
  expect([...blocksOf([{ first: 0, last: 2 ** 48 - 1 }])]).toEqual(["::/0"]);
});
