import { expect, test } from "bun:test";
import { deltaParts, deltaWithout, roaDelta, roasAfter } from "./roa.ts";

const roa = (prefix: string, maxLength = 48) => ({ asn: 64_500, prefix, maxLength });
const ours = (prefix: string, maxLength = 48) => ({ ...roa(prefix, maxLength), isOurs: true });
const foreign = (prefix: string) => ({ ...roa(prefix), isOurs: false });
const [a, b, c] = ["2001:db8:a::/48", "2001:db8:b::/48", "2001:db8:c::/48"] as const;

test("the difference adds what is wanted and removes what is ours and not wanted", () => {
  expect(roaDelta([roa(a), roa(b)], [ours(b), ours(c), foreign("2001:db8:d::/48")])).toEqual({
    added: [roa(a)],
    removed: [ours(c)],
  });
});

test("another AS or length is another ROA; one that others have made counts as there", () => {
  const there = [ours(a, 56), { ...ours(a), asn: 64_501 }, foreign(b)];
  expect(roaDelta([roa(a), roa(b)], there)).toEqual({ added: [roa(a)], removed: there.slice(0, 2) });
});

test("after the difference there is none", () => {
  const [wanted, there] = [
    [roa(a), roa(b)],
    [ours(c), foreign(b)],
  ];
  const after = roasAfter(there, roaDelta(wanted, there));
  expect(after).toEqual([foreign(b), ours(a)]);
  expect(roaDelta(wanted, after)).toEqual({ added: [], removed: [] });
});

test("parts hold so many, removals come first, and nothing has no parts", () => {
  const delta = { added: [roa(a), roa(b), roa(c)], removed: [roa("2001:db8:d::/48")] };
  expect(
    deltaParts(delta, { added: 2, removed: 1000 }).map(({ added, removed }) => [
      added.length,
      removed.length,
    ]),
  ).toEqual([
    [0, 1],
    [2, 0],
    [1, 0],
  ]);
  expect(deltaParts({ added: [], removed: [] }, { added: 2, removed: 2 })).toEqual([]);
  expect(deltaWithout(delta, [roa(b)])).toEqual({ ...delta, added: [roa(a), roa(c)] });
});
