/** Our readers of addresses and ipaddr.js agree on every text, right or wrong. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { addressOfText, formatAddress, mapped, parseAddress } from "../../lib/net/ip/address.ts";
import { inTier } from "../run/tier.ts";
import { arbitraryAddress } from "./arbitrary.ts";

const read = (text: string) => addressOfText(new TextEncoder().encode(text));

/** Without zones and mapped text, which are not addresses here. */
function byIpaddr(text: string): Uint8Array | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return mapped(ipaddr.IPv4.parse(text).toByteArray());
  }
  // It takes `::1.2.3.4` for a mapped address, against RFC 4291, section 2.2.
  const written = /^::\d+\./.test(text) ? `0${text}` : text;
  const address = ipaddr.IPv6.isValid(text) && !text.includes("%") ? ipaddr.IPv6.parse(written) : null;
  return address === null || address.isIPv4MappedAddress() ? null : Uint8Array.from(address.toByteArray());
}

function expectSame(text: string): void {
  const expected = byIpaddr(text);
  expect([text, read(text), parseAddress(text)]).toEqual([text, expected, expected]);
}

test("an address that was written is read back", () => {
  fc.assert(
    fc.property(arbitraryAddress, (address) => expect(read(formatAddress(address))).toEqual(address)),
  );
});

test("texts of the letters of addresses are read as ipaddr.js reads them", () => {
  const group = fc.oneof(
    fc.stringMatching(/^[0-9a-fA-F]{0,5}$/),
    fc.constantFrom("", "0", "ffff", "1.2.3.4"),
  );
  const colons = fc.array(group, { minLength: 1, maxLength: 10 }).map((groups) => groups.join(":"));
  const compressed = fc.tuple(colons, colons).map((halves) => halves.join("::"));
  const part = fc.oneof(fc.nat(300).map(String), fc.constantFrom("", "0", "00", "01", "x"));
  const dots = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("."));
  const noise = fc.stringMatching(/^[0-9a-f:.]{0,24}$/);
  fc.assert(
    fc.property(fc.oneof(colons, compressed, dots, noise), (text) => {
      expectSame(text);
    }),
    { numRuns: inTier({ usual: 5000, long: 20_000 }) },
  );
});

test.each([
  "::",
  "::1",
  "1::",
  "1::2",
  "1:2:3:4:5:6:7::",
  "::2:3:4:5:6:7:8",
  "1:2:3:4:5:6:7:8",
  "::ffff:102:304",
  "1:2:3:4:5:6:192.0.2.1",
  "::ffff:192.0.2.1",
  "FE80::A",
  "fe80::1%eth0",
  "::0001",
  "2001:db8:\u0660::1",
  "0000:0000:0000:0000:0000:0000:0000:00001",
])("%s is read as ipaddr.js reads it", expectSame);

test.each([
  "",
  ":",
  ":::",
  "1:",
  ":1",
  "1::2::3",
  "1:2:3:4:5:6:7:8::",
  "1:2:3:4:5:6:7:8:9",
  "12345::",
  "1.2.3",
  "g::",
])('"%s" is not an address', (text) => {
  expect([read(text), parseAddress(text)]).toEqual([null, null]);
});
