import { expect, test } from "bun:test";
import { address, mapped } from "../ip/address.ts";
import { formatPrefix, type Prefix, prefixOf } from "../ip/prefix.ts";
import { originValidation, type Vrp } from "./origin-validation.ts";
import { VrpTable } from "./vrp-table.ts";

/** The same numbers each time: a Lehmer generator. */
function numbers(): (below: number) => number {
  let state = 20_261_123;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Prefixes close to each other, of both families, so that many hold others. */
function somePrefix(next: (below: number) => number): Prefix {
  const isIpv4 = next(2) === 0;
  const bits = next(6);
  const byte = next(256);
  return isIpv4
    ? prefixOf(mapped([10, byte, 0, 0]), 8 + bits)
    : prefixOf(address(`2001:db8:${(byte << 8).toString(16)}::`), 32 + bits);
}

const bitsOf = ({ base, family }: Prefix) =>
  [...base.subarray(family === 4 ? 12 : 0)].map((byte) => byte.toString(2).padStart(8, "0")).join("");

/** RFC 6811 s.2 word by word, over texts of bits. */
function plainly(vrps: readonly Vrp[], prefix: Prefix, origin: number | null) {
  const bits = bitsOf(prefix);
  const covering = vrps.filter(
    (vrp) =>
      vrp.prefix.family === prefix.family &&
      vrp.prefix.length <= prefix.length &&
      bits.startsWith(bitsOf(vrp.prefix).slice(0, vrp.prefix.length)),
  );
  const matched = covering.filter(
    (one) => prefix.length <= one.maxLength && one.asn === origin && origin !== 0,
  );
  const state = covering.length === 0 ? "not-found" : matched.length > 0 ? "valid" : "invalid";
  const mayShorter = origin !== 0 && covering.some(({ asn }) => asn === origin);
  return { state, cause: state !== "invalid" ? null : mayShorter ? "length" : "origin", covering };
}

const textOf = ({ prefix, maxLength, asn }: Vrp) => `${formatPrefix(prefix)}-${maxLength} AS${asn}`;

test("says what RFC 6811 says, read word by word, whatever VRPs came and went", () => {
  const next = numbers();
  const table = new VrpTable();
  const held = new Map<string, Vrp>();
  const seen = new Set<string>();
  for (let round = 0; round < 3000; round++) {
    const prefix = somePrefix(next);
    const vrp = { prefix, maxLength: prefix.length + next(4), asn: next(4) };
    if (next(3) > 0) {
      expect(table.add(vrp)).toBe(!held.has(textOf(vrp)));
      held.set(textOf(vrp), vrp);
    } else {
      expect(table.remove(vrp)).toBe(held.delete(textOf(vrp)));
    }
    const route = { prefix: somePrefix(next), origin: next(5) === 4 ? null : next(5) };
    const said = originValidation(table.covering(route.prefix), route);
    const plain = plainly([...held.values()], route.prefix, route.origin);
    expect(`${said.state} ${said.cause}`).toBe(`${plain.state} ${plain.cause}`);
    expect(said.covering.map(textOf).sort()).toEqual(plain.covering.map(textOf).sort());
    seen.add(`${said.state} ${said.cause}`);
  }
  expect(table.count).toBe(held.size);
  expect([...seen].sort()).toEqual(["invalid length", "invalid origin", "not-found null", "valid null"]);
});
