/** The fast reader of addresses in lines and lib/ip agree on every text, right or wrong. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatAddress, parseAddress } from "../../lib/ip/address.ts";
import { addressOfText } from "../../lib/wire/address-text.ts";
import { arbitraryAddress } from "./arbitrary.ts";

const read = (text: string) => addressOfText(new TextEncoder().encode(text));

test("an address that was written is read back", () => {
  fc.assert(
    fc.property(arbitraryAddress, (address) => expect(read(formatAddress(address))).toEqual(address)),
  );
});

test("texts of the letters of addresses are read as lib/ip reads them", () => {
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
      expect([text, read(text)]).toEqual([text, parseAddress(text)]);
    }),
    { numRuns: 20_000 },
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
])("%s is read as lib/ip reads it", (text) => {
  expect(read(text)).toEqual(parseAddress(text));
});

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
