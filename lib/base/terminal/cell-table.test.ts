import { expect, test } from "bun:test";
import { CellTable } from "./cell-table.ts";
import { paletteFor } from "./colour.ts";
import { printed } from "./foreign-text.ts";

const columns = [
  { head: "time", align: "left", lettersMax: 4 },
  { head: "who", align: "left" },
  { head: "size", align: "right" },
  { head: "", align: "left" },
] as const;

function tableOf(...pages: readonly string[]): (string | null)[] {
  const table = new CellTable(columns, (line) => `<${line}>`);
  return pages.map((page) => {
    const drawn = table.draw(Buffer.from(page));
    return drawn === null ? null : Buffer.from(drawn).toString();
  });
}

test("cells are padded to their columns, which grow from page to page, below one head", () => {
  expect(tableOf("12345\ta\t7\t\n1\tabcd\t12345\tx y\n", "\t\t\t\n2\tb\t123456\tz\n")).toEqual([
    "<time  who    size>\n1234  a         7\n1     abcd  12345  x y\n",
    "\n2     b     123456  z\n",
  ]);
});

test("a page that is drawn as text is drawn as one of bytes is", () => {
  const page = "12345\ta\t7\t\n1\tabcd\t12345\tx y\n";
  const [bytes] = tableOf(page);
  expect(tableOf(page.replace("abcd", "\\abcd"))).toEqual([bytes ?? ""]);
  expect(tableOf("1\té日\t7\t\n2\tx\t8\t\n")).toEqual([
    "<time  who  size>\n1     é日     7\n2     x       8\n",
  ]);
});

test("foreign text stays in its cell, and controls nothing", () => {
  const own = paletteFor(true, undefined).bad("red");
  const [drawn] = tableOf("1\ta\\tb\\nc\\\\d\t7\t\x1b[31m\u202e\n", `1\t${own}\t\t\n`);
  expect(drawn).toBe("<time  who        size>\n1     a\\tb\\nc\\d     7  \\u001b[31m\\u202e\n");
  const [, second = ""] = tableOf("1\tx\t7\t\n", `1\t${own}\t\t\n`);
  expect(second).toContain("\\u001b[31;");
  expect(printed(second ?? "")).toBe(second ?? "");
});

test("one long cell sticks out of its column and widens no other line beyond a limit", () => {
  const [drawn = ""] = tableOf(`1\t${"x".repeat(100_000)}\t7\t\n2\ty\t8\t\n`);
  const lines = drawn?.split("\n").map((line) => line.length);
  expect(lines).toEqual([6 + 256 + 2 + 4 + 2, 6 + 100_000 + 2 + 4, 6 + 256 + 2 + 4, 0]);
});

test("a line with another number of cells is none of ours", () => {
  expect(tableOf("1\t2\t3\n")).toEqual([null]);
  expect(tableOf("1\t2\t3\t4\t5\n")).toEqual([null]);
  expect(tableOf("1\té\t3\n")).toEqual([null]);
});
