import { expect, test } from "bun:test";
import fc from "fast-check";
import { address } from "../ip/address.ts";
import { formatPrefix, type Prefix, prefixContains, prefixOf } from "../ip/prefix.ts";
import { mappedBits } from "../ip/words.ts";
import { PrefixTrie } from "./prefix-trie.ts";

/** Few bits, so that prefixes nest and meet. */
const prefixes = fc
  .tuple(fc.boolean(), fc.nat(255), fc.nat(15), fc.nat(16))
  .map(([isIpv4, first, second, bits]) =>
    isIpv4
      ? prefixOf(address(`${first}.${second}.0.0`), bits === 16 ? 32 : bits)
      : prefixOf(address(`${first.toString(16)}00:${second}::`), bits === 16 ? 128 : bits),
  );

const holds = (outer: Prefix, inner: Prefix) =>
  outer.family === inner.family && outer.length <= inner.length && prefixContains(outer, inner.base);

const inOrder = (x: Prefix, y: Prefix) => Buffer.compare(x.base, y.base) || mappedBits(x) - mappedBits(y);

test("finds what a list of the same prefixes finds, whatever came and went", () => {
  const steps = fc.array(fc.tuple(fc.boolean(), prefixes), { maxLength: 60 });
  fc.assert(
    fc.property(steps, prefixes, (all, asked) => {
      const trie = new PrefixTrie();
      const kept = new Map<string, Prefix>();
      for (const [isAdded, prefix] of all) {
        const node = isAdded ? trie.insert(prefix) : trie.find(prefix);
        if (node !== 0) {
          trie.setValue(node, isAdded ? 7 : 0);
        }
        isAdded ? kept.set(formatPrefix(prefix), prefix) : kept.delete(formatPrefix(prefix));
      }
      const textAt = (node: number) => formatPrefix(trie.prefixAt(node));
      const around = [...kept.values()].filter((one) => holds(one, asked)).sort(inOrder);
      const within = [...kept.values()].filter((one) => holds(asked, one)).sort(inOrder);
      expect(trie.around(asked).map(textAt)).toEqual(around.map(formatPrefix));
      expect([...trie.within(asked)].map(textAt)).toEqual(within.map(formatPrefix));
      const holding = [...kept.values()].filter((one) => prefixContains(one, asked.base)).sort(inOrder);
      const longest = trie.longest(asked.base);
      expect(longest === 0 ? undefined : textAt(longest)).toEqual(holding.map(formatPrefix).at(-1));
      expect(trie.valueOf(trie.find(asked)) === 7).toBe(kept.has(formatPrefix(asked)));
    }),
  );
});

test("places of prefixes that are taken out are used again", () => {
  const trie = new PrefixTrie();
  for (let round = 0; round < 5; round++) {
    const nodes = Array.from({ length: 2000 }, (_, i) => {
      const node = trie.insert(prefixOf(address(`10.${i >> 8}.${i & 255}.0`), 24));
      trie.setValue(node, 1);
      return node;
    });
    expect(trie.last).toBeLessThan(4005);
    for (const node of nodes) {
      trie.setValue(node, 0);
    }
  }
});
