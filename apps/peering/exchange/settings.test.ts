import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asnRangeOf } from "./asn-range.ts";
import { readSettings } from "./settings.ts";

const small = readFileSync(join(import.meta.dirname, "../../../tests/golden/exchange/small.yaml"), "utf8");

function read(text: string) {
  return readSettings({ name: "exchange.yaml", text }, {});
}

test.each([
  [
    "tunnel_address: 100.64.0.1",
    "tunnel_address: 10.0.0.1",
    "exchange.tunnel_address: must be an address of",
  ],
  ["2001:db8:1::/48", "2001:db8:1::1/48", "must be an IPv6 prefix without host bits"],
  ["2001:db8:1::/48", "2001:db8:1:1::/64", "platform.prefixes.0: must be a /48 or shorter"],
  ["name: transit", 'name: "a; } protocol bgp x {"', "neighbors.0.name: must be a word"],
  ["name: transit", "name: transit, password: 'a\"; b'", "neighbors.0.password: must be printable"],
  ["router_id: 192.0.2.1", "router_id: 192.0.2.1\n  policy_file: 'a\"; b'", "policy_file: must be printable"],
  ["host: 192.0.2.8", "host: 'a\"; b'", "rpki.host: must be"],
  [
    "rpki: {",
    "rpki: {aspa: true, ",
    "rpki.aspa: needs BIRD 2.16 or 3.1, and exchange.bird_version is 2.0.12",
  ],
  ["rpki:", "outside: {bogon_asns: ['2-1']}\nrpki:", "must be an ASN, or FIRST-LAST"],
])("%p made %p is refused", (from, to, said) => {
  expect(() => read(small.replace(from, to))).toThrow(said);
});

test("two neighbours of one role and name are refused", () => {
  const line = small.split("\n").find((text) => text.includes("name: transit"));
  expect(() => read(`${small}${line}\n`)).toThrow("neighbors.1.name: is taken");
});

test.each([
  ["0", { first: 0, last: 0 }],
  ["64512-65534", { first: 64_512, last: 65_534 }],
  ["4294967296", null],
  ["5-4", null],
  ["-4", null],
  ["x", null],
])("the AS range %p is %p", (text, range) => {
  expect(asnRangeOf(text)).toEqual(range);
});
