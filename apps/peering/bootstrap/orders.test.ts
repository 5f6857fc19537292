import { expect, test } from "bun:test";
import { plainAttributes } from "../../../lib/base/api/announcements.ts";
import { type Orders, orderFor, withOrder } from "./orders.ts";

const prefix = "2001:db8:1::/48";
const order = (exchange: string | null, announce: boolean, prepend = 0) => ({
  prefix,
  exchange,
  announce,
  prepend,
});

test("without orders a prefix is announced as it is", () => {
  expect(orderFor([], prefix, "fra")).toEqual({ announce: true, prepend: 0, attributes: plainAttributes });
});

test("an order for one exchange goes before one for all", () => {
  const orders: Orders = [order(null, false), order("fra", true, 3)];
  expect(orderFor(orders, prefix, "fra")).toMatchObject({ announce: true, prepend: 3 });
  expect(orderFor(orders, prefix, "ams")).toMatchObject({ announce: false });
});

test("the last word counts, and one for all ends those for single ones", () => {
  const first = withOrder([order("fra", false)], order("fra", true, 1));
  expect(first).toEqual([order("fra", true, 1)]);
  expect(withOrder(first, order(null, false))).toEqual([order(null, false)]);
});
