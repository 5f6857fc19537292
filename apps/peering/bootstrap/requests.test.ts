import { expect, test } from "bun:test";
import { plainAttributes } from "../../../lib/base/api/announcements.ts";
import { type Orders, orderFor } from "./orders.ts";
import { allPrefixes, type GatewayRequests, noRequests, ordersWith as ordersAt } from "./requests.ts";

const prefix = "2001:db8:1::/48";
const request = (server: string, announce: boolean, prepend = 0, until: string | null = null) => ({
  ...{ prefix, server, announce, prepend, until, ...plainAttributes },
});
const order = (exchange: string | null, announce: boolean) => ({ prefix, exchange, announce, prepend: 0 });
const requests = (...all: ReturnType<typeof request>[]) => ({ ...noRequests, version: 1, requests: all });

const ordersWith = (orders: Orders, all: GatewayRequests, atMs: number) =>
  ordersAt(orders, all, { atMs, own: [prefix] });

test("without requests orders stay as they are", () => {
  const orders = [order(null, false), order("fra", true)];
  expect(ordersWith(orders, noRequests, 0)).toEqual(orders);
});

test("a request for all overrules every order of the prefix, one for a single exchange those for it", () => {
  const orders = [order(null, false), order("fra", false)];
  expect(ordersWith(orders, requests(request("*", true, 2)), 0)).toEqual([
    { ...order(null, true), prepend: 2, attributes: plainAttributes },
  ]);
  expect(ordersWith(orders, requests(request("fra", true)), 0)).toMatchObject([
    order(null, false),
    order("fra", true),
  ]);
  const other = { ...order(null, false), prefix: "2001:db8:2::/48" };
  expect(ordersWith([other], requests(request("*", true)), 0)).toContainEqual(other);
});

test("a request ends in its last moment, also without a gateway", () => {
  const ending = requests(request("*", true, 0, "1970-01-01T00:00:01.000Z"));
  expect(ordersWith([], ending, 999)).toMatchObject([order(null, true)]);
  expect(ordersWith([], ending, 1000)).toMatchObject([order(null, false)]);
});

test("what is requested for is announced, whether the environment names it or not", () => {
  expect(allPrefixes(["2001:db8:2::/48"], requests(request("*", true), request("fra", true)))).toEqual([
    prefix,
    "2001:db8:2::/48",
  ]);
});

test("a prefix that only a request for one exchange names is announced there, and at no other", () => {
  const at = (own: readonly string[], ...all: ReturnType<typeof request>[]) => {
    const orders = ordersAt([], requests(...all), { atMs: 0, own });
    return ["fra", "ams"].map((exchange) => orderFor(orders, prefix, exchange).announce);
  };
  expect(at([], request("fra", true))).toEqual([true, false]);
  expect(at([], request("fra", false), request("*", true))).toEqual([false, true]);
  expect(at([prefix], request("fra", true))).toEqual([true, true]);
});
