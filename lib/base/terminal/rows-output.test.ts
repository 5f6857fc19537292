import { expect, test } from "bun:test";
import { type Column, type Format, RowsOutput, tableRows } from "./rows-output.ts";

interface Row {
  readonly name: string;
  readonly size: number | null;
}

const columns: Column<Row>[] = [
  { name: "name", head: "who", value: ({ name }) => name },
  { name: "hidden", head: null, value: () => 1 },
  {
    name: "size",
    head: "how much",
    align: "right",
    value: ({ size }) => size,
    text: ({ size }) => (size === null ? "?" : `${size} m`),
  },
];

function shown(format: Format, rows: readonly Row[]): string {
  const printed: string[] = [];
  const output = new RowsOutput({
    columns,
    format,
    print: (text) => printed.push(text),
    dim: (text) => `<${text}>`,
  });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
  return printed.join("\n");
}

const rows = [
  { name: 'a "b"', size: 7 },
  { name: "c,d\ne", size: null },
];

test("a table has heads, widths that fit, and no hidden columns", () => {
  expect(
    shown("table", [
      { name: "é日", size: 7 },
      { name: "x", size: null },
    ]),
  ).toBe(["<who  how much>", "é日       7 m", "x           ?"].join("\n"));
});

test("a long table is printed in parts, with one head", () => {
  const lines = shown(
    "table",
    Array.from({ length: 2 * tableRows + 1 }, (_, i) => ({ name: `n${i}`, size: i })),
  ).split("\n");
  expect(lines).toHaveLength(2 * tableRows + 2);
  expect(lines.filter((line) => line.startsWith("<"))).toHaveLength(1);
});

test("JSON is one array, NDJSON an object a line, both with every column", () => {
  const objects = [
    { name: 'a "b"', hidden: 1, size: 7 },
    { name: "c,d\ne", hidden: 1, size: null },
  ];
  expect(JSON.parse(shown("json", rows))).toEqual(objects);
  expect(
    shown("ndjson", rows)
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(objects);
});

test("CSV quotes what it must", () => {
  expect(shown("csv", rows)).toBe('name,hidden,size\n"a ""b""",1,7 m\n"c,d\\ne",1,?');
});

test("no rows are an empty array, a head, or nothing", () => {
  expect([shown("json", []), shown("ndjson", []), shown("csv", []), shown("table", [])]).toEqual([
    "[]",
    "",
    "name,hidden,size",
    "",
  ]);
});
