import { expect, test } from "bun:test";
import { plainAttributes } from "../../../lib/base/api/announcements.ts";
import { type Orders, orderFor } from "./orders.ts";
import { allPrefixes, noWishes, ordersWith as ordersAt, type Wishes } from "./wishes.ts";

const prefix = "2001:db8:1::/48";
const wish = (server: string, announce: boolean, prepend = 0, until: string | null = null) => ({
  ...{ prefix, server, announce, prepend, until, ...plainAttributes },
});
const order = (exchange: string | null, announce: boolean) => ({ prefix, exchange, announce, prepend: 0 });
const wishes = (...all: ReturnType<typeof wish>[]) => ({ ...noWishes, version: 1, wishes: all });

const ordersWith = (orders: Orders, all: Wishes, atMs: number) =>
  ordersAt(orders, all, { atMs, own: [prefix] });

test("without wishes orders stay as they are", () => {
  const orders = [order(null, false), order("fra", true)];
  expect(ordersWith(orders, noWishes, 0)).toEqual(orders);
});

test("a wish for all overrules every order of the prefix, one for a single exchange those for it", () => {
  const orders = [order(null, false), order("fra", false)];
  expect(ordersWith(orders, wishes(wish("*", true, 2)), 0)).toEqual([
    { ...order(null, true), prepend: 2, attributes: plainAttributes },
  ]);
  expect(ordersWith(orders, wishes(wish("fra", true)), 0)).toMatchObject([
    order(null, false),
    order("fra", true),
  ]);
  const other = { ...order(null, false), prefix: "2001:db8:2::/48" };
  expect(ordersWith([other], wishes(wish("*", true)), 0)).toContainEqual(other);
});

test("a wish ends in its last moment, also where nobody is left to say so", () => {
  const ending = wishes(wish("*", true, 0, "1970-01-01T00:00:01.000Z"));
  expect(ordersWith([], ending, 999)).toMatchObject([order(null, true)]);
  expect(ordersWith([], ending, 1000)).toMatchObject([order(null, false)]);
});

test("what is wished for is announced, whether the environment names it or not", () => {
  expect(allPrefixes(["2001:db8:2::/48"], wishes(wish("*", true), wish("fra", true)))).toEqual([
    prefix,
    "2001:db8:2::/48",
  ]);
});

test("a prefix that only a wish for one exchange names is announced there, and at no other", () => {
  const at = (own: readonly string[], ...all: ReturnType<typeof wish>[]) => {
    const orders = ordersAt([], wishes(...all), { atMs: 0, own });
    return ["fra", "ams"].map((exchange) => orderFor(orders, prefix, exchange).announce);
  };
  expect(at([], wish("fra", true))).toEqual([true, false]);
  expect(at([], wish("fra", false), wish("*", true))).toEqual([false, true]);
  expect(at([prefix], wish("fra", true))).toEqual([true, true]);
});
