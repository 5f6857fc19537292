/** Parts that are not files of columns are refused; tests/contract/formats/columns.test.ts has the values. */
import { expect, test } from "bun:test";
import { columnForms, partsJoin } from "./forms.ts";

test.each([...columnForms])("%s: other bytes are refused, and nothing gives nothing", (form) => {
  const join = partsJoin(form);
  for (const text of ["PAR1", "PAR1 and what follows is not a footer PAR1", "no file of columns"]) {
    expect(() => join.add(Buffer.from(text))).toThrow(RangeError);
  }
  expect(partsJoin(form).end()).toHaveLength(0);
});
