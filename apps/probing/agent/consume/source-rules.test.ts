import { expect, test } from "bun:test";
import { address, formatAddress } from "../../../../lib/net/ip/address.ts";
import { type Prefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { operatorAddress, SourceRules } from "./source-rules.ts";

const prefix = (text: string): Prefix => {
  const parsed = parsePrefix(text);
  if (parsed === null) {
    throw new TypeError(text);
  }
  return parsed;
};
const rules = new SourceRules([
  [prefix("2001:db8:a::/48")],
  [prefix("192.0.2.0/25"), prefix("2001:db8::/32")],
  [prefix("192.0.2.0/24")],
]);
const shown = (requested: string | null) => {
  const sources = rules.sourcesFor(requested === null ? null : address(requested));
  const show = (source: { instance: number; address: Uint8Array } | null) =>
    source === null ? null : `${source.instance} ${formatAddress(source.address)}`;
  return sources === null ? null : [show(sources.ipv4), show(sources.ipv6)];
};

test("without a source, each family leaves by the first instance that has it, from the operator's own address", () => {
  expect(shown(null)).toEqual(["1 192.0.2.1", "0 2001:db8:a::1"]);
});

test.each([
  ["2001:db8:a::99", [null, "0 2001:db8:a::99"]],
  ["2001:db8:b::99", [null, "1 2001:db8:b::99"]],
  ["192.0.2.1", ["1 192.0.2.1", null]],
  ["192.0.2.200", ["2 192.0.2.200", null]],
  ["192.0.3.1", null],
  ["2001:db9::1", null],
])(
  "source %s leaves by the first instance whose prefix holds it, in its own family only",
  (source, expected) => {
    expect(shown(source)).toEqual(expected);
  },
);

test("an agent without instances of a family sends nothing of it", () => {
  expect(new SourceRules([[prefix("192.0.2.0/24")]]).sourcesFor(null)?.ipv6).toBeNull();
});

test.each([
  ["2001:db8:a::/48", "2001:db8:a::1"],
  ["2001:db8:a::/127", "2001:db8:a::"],
  ["2001:db8:a::7/128", "2001:db8:a::7"],
  ["192.0.2.64/26", "192.0.2.65"],
  ["192.0.2.4/31", "192.0.2.4"],
])("the operator's address in %s is %s", (text, expected) => {
  expect(formatAddress(operatorAddress(prefix(text)))).toBe(expected);
});
