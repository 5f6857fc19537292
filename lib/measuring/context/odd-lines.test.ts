/** Odd lines and items of data files cost themselves alone, and are counted by reason. */
import { expect, test } from "bun:test";
import { made } from "../../../tests/contract/context/made-set.ts";
import { CutShort } from "../../base/list/cut-short.ts";
import { ContextBuilder } from "./context-builder.ts";
import { readSource } from "./read-source.ts";

const text = (...lines: readonly string[]) => Buffer.from(lines.join("\n"));
const place = (file: string, line: number) => `file0, line ${line}${file}`;

const oddLines: readonly (readonly [string, readonly string[], number, readonly string[]])[] = [
  [
    "pyasn",
    [
      "9.9.9.9 7",
      "8.8.8.0/24\t15169",
      "8.8.4.0/33\t1",
      "8.8.5.0/24\tASX",
      "9.9.9.1/24\t7",
      "8.8.6.0/24",
      "<html>",
    ],
    1,
    [
      `3 skipped: line with another number of columns (first: ${place(": 1 columns", 1)}`,
      `2 skipped: line without a prefix that can be read (first: ${place(': "8.8.4.0/33"', 3)}`,
      `1 skipped: line without an AS number that can be read (first: ${place(': "ASX"', 4)}`,
    ],
  ],
  [
    "prefix2as",
    ["8.8.8.0\t24\t15169", "8.8.8.9\t24\t15169", "8.8.9.0\t24", "8.8.10.0\t24\t1_x"],
    1,
    [
      "1 skipped: line without a prefix",
      "1 skipped: line with another number",
      "1 skipped: line without an AS",
    ],
  ],
  [
    "IPinfo as CSV",
    [
      ...["# made today", "a title", "network,country_code,asn", "8.8.8.0/24,US,AS15169", "8.8.9.0/24,US"],
      ...['8.8.10.0/24,US,"AS1', "8.8.11.0/99,US,AS1", "8.8.12.0/24,US,ASX", ",US,AS1"],
    ],
    2,
    [
      `1 skipped: line before the head line (first: ${place(": ", 2)}`,
      `1 skipped: line with another number of values (first: ${place(": 2 values", 5)}`,
      `1 skipped: line whose quotes do not fit (first: ${place(": ", 6)}`,
      `2 skipped: line without a network that can be read (first: ${place(': "8.8.11.0/99"', 7)}`,
      `1 left out: AS number of a network that cannot be read (first: ${place(': "ASX"', 8)}`,
    ],
  ],
  [
    "IPinfo as JSON lines",
    ['{"network":"8.8.8.0/24","asn":"AS15169"}', '{"network":', "[]", '{"country":"US"}'],
    1,
    ["2 skipped: line that is not a JSON object", "1 skipped: line without a network"],
  ],
  [
    "delegated",
    [
      ...[
        "2|ripencc|1|3|19830705|20231114|+0100",
        "ripencc|*|ipv4|*|1|summary",
        "ripencc|NO|asn|7|1|2010|allocated",
      ],
      ...["ripencc|NO|ipv4|8.8.8.0|256|2010|allocated|x", "ripencc|NO|ipv4|8.8.9.0|256", "<html>"],
      ...["ripencc|NO|ipv4|8.8.8.300|256|2010|allocated|x", "ripencc|NO|ipv4|8.8.9.0|many|2010|allocated|x"],
      ...["ripencc|NO|ipv4|::|8|2010|allocated|x", "ripencc|NO|ipv6|8.8.8.8|32|2010|allocated|x"],
      ...[
        "ripencc|NO|ipv4|255.255.255.0|512|2010|allocated|x",
        "ripencc|NO|ipv5|8.8.8.8|32|2010|allocated|x",
      ],
    ],
    1,
    [
      `3 skipped: line that is neither a block nor a summary (first: ${place(": ", 5)}`,
      `5 skipped: line whose block cannot be read (first: ${place(': "8.8.8.300|256"', 7)}`,
    ],
  ],
  ["AS relationships", ["# x", "1|2|-1", "1|2|5", "1||0"], 1, ["2 skipped: line that is not a relationship"]],
];

test.each(oddLines)("%s: an odd line costs itself, counted by reason", async (_, lines, count, reasons) => {
  const found = await made(text(...lines, ""));
  expect([found.counts, found.hasDamage, found.lines]).toEqual([
    [count],
    true,
    reasons.map((reason) => expect.stringContaining(reason)),
  ]);
  const clean = await made(
    text(
      ...lines.filter((line) =>
        /^(2\||8\.8\.8\.0|network|1\|2\|-1|\{.*AS15169|.*(summary|8\.8\.8\.0\|))/.test(line),
      ),
    ),
  );
  expect([clean.hasDamage, clean.lines]).toEqual([false, []]);
});

test("a line that is too long costs itself, however it arrives", async () => {
  const { counts, lines } = await made(text("8.8.8.0/24\t1", "x".repeat(2_000_000), "8.8.9.0/24\t1", ""));
  expect([counts, lines]).toEqual([
    [2],
    [expect.stringContaining("1 skipped: line with another number of columns (first: file0, line 2")],
  ]);
  async function* pieces() {
    yield* [
      text("8.8.8.0/24\t1", "x"),
      ...Array(30).fill(Buffer.from("x".repeat(100_000))),
      text("", "8.8.9.0/24\t1"),
    ];
  }
  const builder = new ContextBuilder(true);
  expect((await readSource(pieces(), builder)).count).toBe(2);
  expect(builder.passedOver.lines()).toEqual([
    "1 skipped: line that is too long (first: , line 2: it has more than 1048576 characters)",
  ]);
});

test("VRPs: an odd payload costs itself", async () => {
  const roa = (prefix: string, maxLength: unknown, asn: unknown = "AS7") => ({
    asn,
    prefix,
    maxLength,
    ta: "x",
  });
  const roas = [roa("8.8.8.0/24", 24), roa("8.8.9.0/24", 20), roa("x", 24), roa("8.8.9.0/24", "24"), 5, null];
  const { counts, lines, hasDamage } = await made({ metadata: {}, roas });
  expect([counts, hasDamage, lines]).toEqual([
    [1],
    true,
    [
      expect.stringContaining(
        "1 skipped: ROA payload whose maxLength does not fit its prefix (first: file0, roas[1]: ",
      ),
      expect.stringContaining("4 skipped: ROA payload that cannot be read (first: file0, roas[2]: "),
    ],
  ]);
  expect((await made({ roas: [] })).counts).toEqual([0]);
});

test("a file that is cut gives its whole lines, and not the last one", async () => {
  async function* cut() {
    yield text("8.8.8.0/24\t15169", "8.8.9.0/24\t15");
    throw new CutShort("the packed file: unexpected end");
  }
  const builder = new ContextBuilder(true);
  expect((await readSource(cut(), builder)).count).toBe(1);
  expect(builder.passedOver.lines()).toEqual([
    "1 skipped: rest of a file that is cut or damaged (first: , line 2: the packed file: unexpected end)",
  ]);
});
