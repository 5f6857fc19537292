/** What `vantage bootstrap status` prints of a status. */
import { expect, test } from "bun:test";
import type { PrefixBody } from "./bodies.ts";
import { statusColumns, statusRows } from "./status-rows.ts";

const exchange = {
  ...{ name: "ixp-1", address: "100.64.0.1", is_online: true, is_up: true, state: "Established" },
  ...{ since: null, last_error: null, received_routes: 3, accepted_routes: 3, remark: null, refused: [] },
};
const prefix: PrefixBody = {
  ...{ prefix: "2001:db8:1::/48", lease: "leased", end_time: null, seconds_left: null },
  exchanges: [
    {
      ...{ name: "ixp-1", verdict: "announced", prepend: 3, as_path: null, heard_by: [] },
      ...{ explanation: "", advice: "" },
    },
  ],
};

test("each announcement has its prepends, and an exchange without one has none", () => {
  const body = (prefixes: PrefixBody[]) => ({ exchanges: [exchange], prefixes });
  const prepends = (prefixes: PrefixBody[]) =>
    statusRows(body(prefixes)).map((row) => statusColumns.find(({ name }) => name === "prepend")?.value(row));
  expect(prepends([prefix])).toEqual([3]);
  expect(prepends([])).toEqual([null]);
});
