import { expect, test } from "bun:test";
import { Hono } from "hono";
import { parsePrefix } from "../../net/ip/prefix.ts";
import type { HttpEnv } from "./app.ts";
import { callerAddress, callerNetwork, toolOf } from "./caller.ts";

const trusted = ["127.0.0.0/8", "192.0.2.0/24"].flatMap((text) => parsePrefix(text) ?? []);
const behindProxies = () =>
  new Hono<HttpEnv>().use(async (c, next) => {
    c.set("proxies", trusted);
    await next();
  });
const app = behindProxies().get("/", (c) => c.text(String(callerAddress(c))));

test.each([
  ["a connection alone", "198.51.100.7", undefined, "198.51.100.7"],
  ["a header of somebody who is not a proxy", "198.51.100.7", "203.0.113.1", "198.51.100.7"],
  ["a proxy's word", "127.0.0.1", "203.0.113.1", "203.0.113.1"],
  ["what stands before the last stranger", "127.0.0.1", "203.0.113.9, 203.0.113.1, 192.0.2.5", "203.0.113.1"],
  ["nothing but proxies", "127.0.0.1", "192.0.2.4, 192.0.2.5", "192.0.2.4"],
  ["no address in the header", "127.0.0.1", "unknown", "127.0.0.1"],
  ["an IPv6 address in a spelling of its own", "2001:DB8::0:1", undefined, "2001:db8::1"],
  ["a header without end", "127.0.0.1", `203.0.113.1, ${"192.0.2.1,".repeat(1000)}`, "127.0.0.1"],
])("%s", async (_name, remoteAddress, header, expected) => {
  const headers = header === undefined ? {} : { "x-forwarded-for": header };
  expect(await (await app.request("/", { headers }, { remoteAddress })).text()).toBe(expected);
});

test("without a connection there is none", async () => {
  expect(await (await app.request("/")).text()).toBe("null");
});

test.each([
  ["vantage/1.2 (linux)", "vantage"],
  ["Mozilla/5.0 (X11) Gecko/2010", "mozilla"],
  ["curl", "curl"],
  ["a b", "a"],
  ["x".repeat(100), "x".repeat(40)],
  ["\u001b[31mred", "none"],
  ["=1+1", "none"],
  ["", "none"],
  [null, "none"],
])("the tool of %p is %s", (given, expected) => {
  expect(toolOf(given)).toBe(expected);
});

test("callers of one /24 or /64 are of one network", async () => {
  const networks = behindProxies().get("/", (c) => c.text(String(callerNetwork(c))));
  const networkOf = async (remoteAddress: string) =>
    (await networks.request("/", {}, { remoteAddress })).text();
  expect(await Promise.all(["198.51.100.7", "198.51.100.200", "2001:db8::1:2:3:4"].map(networkOf))).toEqual([
    ...["198.51.100.0/24", "198.51.100.0/24", "2001:db8::/64"],
  ]);
  expect(await (await networks.request("/")).text()).toBe("null");
});
