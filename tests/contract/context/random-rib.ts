/** A random table of routes, as collectors see one: nested prefixes, several peers, some leaks and some MOAS. */
import { addressOfWords, firstWords, type Words } from "../../../lib/ip/words.ts";
import type { RibRoute } from "./mrt-dump.ts";

interface RandomRib {
  readonly routes: readonly RibRoute[];
  /** Texts of prefixes whose first entry is not of the origin that most peers see. */
  readonly disputed: ReadonlySet<string>;
}

export const peers = 12;

/** @param random 0 up to 1, as Math.random */
export function randomRib(count: number, random: () => number): RandomRib {
  const routes = new Map<string, RibRoute>();
  const disputed = new Set<string>();
  const upTo = (limit: number) => Math.floor(random() * limit);
  while (routes.size < count) {
    const isIpv4 = random() < 0.7;
    const bits = isIpv4 ? 96 + 10 + upTo(15) : 24 + upTo(25);
    const words: Words = isIpv4
      ? [0, 0, 0xffff, (0x14000000 + upTo(0x04000000)) >>> 0]
      : [(0x2a000000 + upTo(0x00400000)) >>> 0, upTo(2 ** 32), 0, 0];
    const base = addressOfWords(firstWords(words, bits));
    const prefix = isIpv4
      ? { base, length: bits - 96, family: 4 as const }
      : { base, length: bits, family: 6 as const };
    const text = `${Buffer.from(base).toString("hex")}/${bits}`;
    const origin = 100 + upTo(20000);
    const isDisputed = random() < 0.0005;
    if (!routes.has(text)) {
      const originOf = (peer: number) => (isDisputed && peer === 0 ? origin + 1 : origin);
      const paths = Array.from({ length: peers }, (_, peer) => ({
        peer,
        segments: [[2, [1000 + peer, 3356, originOf(peer)]]] as const,
      }));
      routes.set(text, { prefix, paths });
      if (isDisputed) {
        disputed.add(text);
      }
    }
  }
  return { routes: [...routes.values()], disputed };
}
