/** Thrift: what is read is written back byte by byte, and broken bytes are refused, never followed. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readThrift, writeThrift } from "./thrift-compact.ts";

/** By the specification: fields 1 (i32: -1), 20 (two booleans), 21 (true), 22 (binary), 23 (an empty structure). */
const known =
  "15" + "01" + "09" + "28" + "21" + "01" + "02" + "11" + "18" + "03" + "616263" + "1c" + "00" + "00";

test("a structure is read as the specification says, and written back the same", () => {
  const struct = readThrift(Buffer.from(known, "hex"));
  expect([...struct.fields].map(([id, { value }]) => [id, value])).toEqual([
    [1, -1n],
    [20, { elementType: 1, elements: [true, false] }],
    [21, true],
    [22, new Uint8Array(Buffer.from("abc"))],
    [23, { fields: new Map() }],
  ]);
  expect(Buffer.from(writeThrift(struct)).toString("hex")).toBe(known);
});

test("any bytes are a structure or a RangeError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        readThrift(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
    { numRuns: 2000 },
  );
});
