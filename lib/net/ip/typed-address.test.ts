import { describe, expect, test } from "bun:test";
import { formatAddress } from "./address.ts";
import { formatPrefix } from "./prefix.ts";
import { readAddress, readPrefix } from "./typed-address.ts";
import { readHost } from "./typed-host.ts";

/** An address with its zone, a name, or why not. */
function shown(text: string): string {
  const host = readHost(text);
  switch (host.kind) {
    case "address":
      return host.zone === null
        ? formatAddress(host.address)
        : `${formatAddress(host.address)} zone ${host.zone}`;
    case "name":
      return `name ${host.name}`;
    case "bad":
      return host.port === undefined ? host.reason : `${host.reason} [${host.port}]`;
  }
}

const ipv4Form = "is not an IP address: write four numbers from 0 to 255 without leading zeros, as 192.0.2.1";

describe("accepted", () => {
  test.each([
    [" 203.0.113.2\t", "203.0.113.2"],
    ["\u00a0203.0.113.2\ufeff", "203.0.113.2"],
    ["2001:DB8:3::2", "2001:db8:3::2"],
    ["[2001:db8:3::2]", "2001:db8:3::2"],
    ["[203.0.113.2]", "203.0.113.2"],
    ["::ffff:203.0.113.2", "203.0.113.2"],
    ["::FFFF:cb00:7102", "203.0.113.2"],
    ["::203.0.113.2", "::cb00:7102"],
    ["[::ffff:203.0.113.2]", "203.0.113.2"],
    ["64:ff9b::203.0.113.2", "64:ff9b::cb00:7102"],
    ["fe80::1%eth0", "fe80::1 zone eth0"],
    ["[fe80::1%25eth0.7]", "fe80::1 zone eth0.7"],
    ["１９２.０.２.１", "192.0.2.1"],
    ["192。0。2。1", "192.0.2.1"],
    ["[２００１:db8::１]", "2001:db8::1"],
    ["Example.ORG", "name example.org"],
    ["example.org.", "name example.org."],
    ["my_host", "name my_host"],
    ["bücher.example", "name xn--bcher-kva.example"],
    ["BÜCHER.example", "name xn--bcher-kva.example"],
    ["例え.テスト", "name xn--r8jz45g.xn--zckzah"],
    ["xn--bcher-kva.example", "name xn--bcher-kva.example"],
  ])("%p", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

describe("told what to write", () => {
  test.each([
    ["", "is empty: write an address or a host name"],
    ["203.0.113.2:443", "has a port: write 203.0.113.2, and give port 443 by itself [443]"],
    ["[2001:db8::1]:0443", "has a port: write 2001:db8::1, and give port 443 by itself [443]"],
    ["bücher.example:80", "has a port: write xn--bcher-kva.example, and give port 80 by itself [80]"],
    ["https://user@example.org:8443/a?b", "is a URL: write its host, example.org [8443]"],
    ["http://[2001:db8::1]/", "is a URL: write its host, 2001:db8::1"],
    ["HTTPS://\u001b[31m/", "is a URL: write its host alone"],
    ["203.0.113.2\0", "is not an address or a host name"],
    ["example.org:http", "has a port: write example.org, and give the port by itself, as a number"],
    ["example.org/path", "has a path: write example.org"],
    ["root@192.0.2.1", "names a user: write 192.0.2.1"],
    ["192.0.2.0/24", "is a prefix: write an address of it, as 192.0.2.0"],
    ["192.0.2.1,192.0.2.2", "is more than one word: write one address or host name at a time"],
    ["192.0.2.1 192.0.2.2", "is more than one word: write one address or host name at a time"],
    ["192.0.2.1.", "has a dot at its end: write 192.0.2.1"],
    ["192.0.2", ipv4Form],
    ["192.0.2.256", ipv4Form],
    ["010.0.0.1", ipv4Form],
    ["0x7f.1", ipv4Form],
    ["3221225985", ipv4Form],
    ["2001:db8::1::2", "is not an IP address: write it as 2001:db8::1"],
    ["[2001:db8::1", "is not an IP address: write it as 2001:db8::1"],
    ["fe80::1%eth0/1", "is a prefix: write an address of it, as fe80::1"],
    ["a..b", "is not an address or a host name"],
    ["-", "is not an address or a host name"],
    ["ex\u001bample.org", "is not an address or a host name"],
    [`${"a".repeat(64)}.org`, "is not an address or a host name"],
    ["a".repeat(2000), "is too long for an address or a host name"],
  ])("%p", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

function address(text: string): string {
  const read = readAddress(text);
  return read.ok ? formatAddress(read.value) : read.reason;
}

function prefix(text: string): string {
  const read = readPrefix(text);
  return read.ok ? formatPrefix(read.value) : read.reason;
}

test("where only an address will do, names and zones are refused", () => {
  expect(address("[::ffff:192.0.2.1]")).toBe("192.0.2.1");
  expect(address("example.org")).toContain("names are not looked up here");
  expect(address("fe80::1%eth0")).toBe("has a zone, which only one machine knows: write fe80::1");
});

test.each([
  [" 192.0.2.0/24 ", "192.0.2.0/24"],
  ["2001:DB8::/48", "2001:db8::/48"],
  ["[2001:db8::]/48", "2001:db8::/48"],
  ["::ffff:192.0.2.0/120", "192.0.2.0/24"],
  ["192.0.2.0/255.255.255.0", "192.0.2.0/24"],
  ["[2001:db8::1]", "2001:db8::1/128"],
  ["192.0.2.1/24", "has bits behind its length: write 192.0.2.0/24, or 192.0.2.1 alone"],
  [
    "192.0.2.0/33",
    "is not a prefix, its length being from 0 to 32: write it as 192.0.2.0/24 or 2001:db8::/48",
  ],
  [
    "::ffff:192.0.2.0/24",
    "is not a prefix, its length being from 0 to 32: write it as 192.0.2.0/24 or 2001:db8::/48",
  ],
  [
    "192.0.2.0/255.0.255.0",
    "is not a prefix, its length being from 0 to 32: write it as 192.0.2.0/24 or 2001:db8::/48",
  ],
  ["192.0.2/24", "is not a prefix: write it as 192.0.2.0/24 or 2001:db8::/48"],
  ["192.0.2.1:443", "has a port: write 192.0.2.1, and give port 443 by itself"],
  ["https://192.0.2.1/", "is a URL: write its host, 192.0.2.1"],
])("prefix %p", (text, expected) => {
  expect(prefix(text)).toBe(expected);
});
