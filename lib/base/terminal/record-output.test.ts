import { expect, test } from "bun:test";
import { printRecord } from "./record-output.ts";
import type { Column, Format } from "./rows-output.ts";

const columns: readonly Column<{ name: string; size: number | null }>[] = [
  { name: "name", head: "who", value: ({ name }) => name },
  { name: "size", head: "how much", value: ({ size }) => size, cell: ({ size }) => `${size} m` },
  { name: "hidden", head: null, value: () => [1] },
];

function shown(format: Format): string {
  const printed: string[] = [];
  const order = {
    columns,
    format,
    print: (text: string) => printed.push(text),
    dim: (text: string) => `<${text}>`,
  };
  printRecord({ name: "a,b", size: 7 }, order);
  return printed.join("\n");
}

test("one thing is lines for people, an object for programs", () => {
  expect(shown("table")).toBe("<who     >  a,b\n<how much>  7 m");
  expect(JSON.parse(shown("json"))).toEqual({ name: "a,b", size: 7, hidden: [1] });
  expect(shown("ndjson")).toBe('{"name":"a,b","size":7,"hidden":[1]}');
  expect(shown("csv")).toBe('name,size,hidden\n"a,b",7,1');
});
