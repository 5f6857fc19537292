import { expect, test } from "bun:test";
import { downstreamRoutes } from "./downstream-routes.ts";

const nobody = "0".repeat(32);
/** From Linux 6.18: destination, length, source, its length, gateway, metric, users, uses, flags, device. */
const line = (to: string, length: string, flags: string, device: string) =>
  `${to.padEnd(32, "0")} ${length} ${nobody} 00 ${nobody} 00000400 00000001 00000000 ${flags} ${device.padStart(8)}\n`;

const leased = ["2001:db8:1::/48", "2001:db8::/48"];
const behind = (text: string) => downstreamRoutes(text, leased, "tailscale0");

test("a network of the prefix at another device is behind this machine", () => {
  expect(behind(line("20010db800010007", "40", "00000001", "lan0"))).toEqual(["2001:db8:1:7::/64 (lan0)"]);
  expect(behind(line("20010db80001", "30", "00000003", "lan0"))).toEqual(["2001:db8:1::/48 (lan0)"]);
});

test.each([
  ["a route into the tunnel", line("20010db800010007", "40", "00000001", "tailscale0")],
  ["a blackhole", line("20010db80001", "30", "00200200", "lo")],
  ["another prefix", line("20010db800020007", "40", "00000001", "lan0")],
  ["the default route", line("", "00", "00000003", "lan0")],
  ["a shorter one that begins alike", line("20010db80000", "20", "00000003", "lan0")],
  ["an anycast address of the machine", line("20010db80001", "80", "00300001", "lan0")],
  ["no route", "what is this\n\n"],
])("%s is not behind it", (_name, text) => {
  expect(behind(text)).toEqual([]);
});

test("the machine's own address, which has two routes, is not behind it; the next one is", () => {
  const address = "20010db8000100050000000000000001";
  const both = line(address, "80", "80200001", "lan0") + line(address, "80", "00000001", "lan0");
  expect(behind(both)).toEqual([]);
  const beside = line(address.replace(/1$/, "2"), "80", "00000001", "lan0");
  expect(behind(both + beside)).toEqual(["2001:db8:1:5::2/128 (lan0)"]);
});
