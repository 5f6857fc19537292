import { expect, test } from "bun:test";
import { PassedOver } from "../../../../lib/base/list/passed-over.ts";
import { ArrayItems } from "./array-items.ts";

/** The items of a text, in chunks of so many bytes, and the skipped ones. */
function itemsOf(text: string, size: number, bytesMax = 1000) {
  const passedOver = new PassedOver();
  const cutter = new ArrayItems({ bytesMax, note: (odd) => passedOver.note(odd) });
  const bytes = Buffer.from(text);
  const found: { text: string; place: string }[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    found.push(...cutter.push(bytes.subarray(at, at + size)));
  }
  found.push(...cutter.end());
  return { found, lines: passedOver.lines(), isEmptyList: cutter.isEmptyList };
}

const items = [{ a: ["]", "[", '"', "\\"] }, "é ] , [", [1, [2, {}]], -1.5e3, null, {}];
const sizes = [1, 2, 3, 7, 10_000];

test.each([
  ["on one line", JSON.stringify(items)],
  ["over many lines", `\n ${JSON.stringify(items, null, 2)}\n`],
])("items of an array %s, in chunks of any size", (_, text) => {
  for (const size of sizes) {
    const { found, lines } = itemsOf(text, size);
    expect(found.map((one) => JSON.parse(one.text))).toEqual(items);
    expect(lines).toEqual([]);
    const [first, second] = found;
    expect(first?.place).toBe(`byte ${text.indexOf("{")}`);
    expect(second?.place).toBe(`byte ${text.indexOf('"é')}`);
  }
});

test("several arrays, and an empty one", () => {
  for (const size of sizes) {
    expect(itemsOf("[1,2]\n[]\n[3]", size).found.map(({ text }) => text)).toEqual(["1", "2", "3"]);
    expect(itemsOf(" [ ] ", size)).toMatchObject({ found: [], lines: [], isEmptyList: true });
  }
});

test("an item that is too long is passed over; so is one that does not end", () => {
  for (const size of sizes) {
    const long = itemsOf(`[{"a":1},"${"x".repeat(50)}",2]`, size, 20);
    expect(long.found.map(({ text }) => text)).toEqual(['{"a":1}', "2"]);
    expect(long.lines).toEqual(["1 skipped: result that is too long (first: byte 9: 52 bytes)"]);
    const cut = itemsOf('[{"a":1},{"b', size);
    expect(cut.found).toHaveLength(1);
    expect(cut.lines).toEqual(["1 skipped: array that does not end (first: byte 12: is the file whole?)"]);
  }
});
