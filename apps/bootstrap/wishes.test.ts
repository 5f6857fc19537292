import { expect, test } from "bun:test";
import { plainAttributes } from "../../lib/api/announcements.ts";
import { allPrefixes, noWishes, ordersWith } from "./wishes.ts";

const prefix = "2001:db8:1::/48";
const wish = (server: string, announce: boolean, prepend = 0, until: string | null = null) => ({
  ...{ prefix, server, announce, prepend, until, ...plainAttributes },
});
const order = (exchange: string | null, announce: boolean) => ({ prefix, exchange, announce, prepend: 0 });
const wishes = (...all: ReturnType<typeof wish>[]) => ({ ...noWishes, version: 1, wishes: all });

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
