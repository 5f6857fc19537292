/**
 * A table of routes of the Internet's size, made by seed: 1.2 million prefixes of both families.
 *
 * Lengths are spread as in the tables of route collectors in 2026 (CIDR report, bgp.potaroo.net): 1 million IPv4
 * prefixes, of which 60 % are /24, and 0.2 million of IPv6, of which half are /48. Half of the prefixes lie inside
 * another one, as more specific routes do. 75,000 ASes, a few of which announce most.
 */
import { addressOfWords, firstWords, type Words } from "../../../lib/net/ip/words.ts";

/** Length to share in thousandths, longest first. */
type Shares = readonly (readonly [length: number, share: number])[];

const ipv4Shares: Shares = [
  ...([
    [24, 602],
    [23, 98],
    [22, 108],
    [21, 51],
    [20, 45],
    [19, 26],
    [18, 15],
    [17, 9],
  ] as const),
  ...([
    [16, 35],
    [15, 3],
    [14, 3],
    [13, 2],
    [12, 1],
    [11, 1],
    [10, 1],
  ] as const),
];
const ipv6Shares: Shares = [
  ...([
    [48, 478],
    [47, 30],
    [46, 34],
    [45, 20],
    [44, 108],
    [42, 20],
    [40, 92],
    [36, 50],
  ] as const),
  ...([
    [33, 14],
    [32, 112],
    [30, 6],
    [29, 33],
    [28, 2],
    [24, 1],
  ] as const),
];

const ipv6Share = 1 / 6;
const asns = 75_000;

export interface TableRoute {
  readonly base: Words;
  /** Length in the 128 bits of the mapped form. */
  readonly bits: number;
  readonly asn: number;
}

/** @param random 0 up to 1, as Math.random */
export function internetTable(count: number, random: () => number): TableRoute[] {
  const routes = new Map<string, TableRoute>();
  let before: TableRoute | null = null;
  while (routes.size < count) {
    const isIpv6 = random() < ipv6Share;
    const bits = drawn(isIpv6 ? ipv6Shares : ipv4Shares, random) + (isIpv6 ? 0 : 96);
    const isInside: boolean =
      before !== null && before.bits < bits && isIpv4(before.base) !== isIpv6 && random() < 0.5;
    const words: Words =
      isInside && before !== null ? insideOf(before, random) : isIpv6 ? ipv6(random) : ipv4(random);
    const route: TableRoute = { base: firstWords(words, bits), bits, asn: asnOf(random) };
    routes.set(`${route.base.join()}/${bits}`, route);
    before = isInside ? before : route;
  }
  return [...routes.values()];
}

/** An address inside a route of the table, most of them of long prefixes, as there are most of these. */
export function addressInside({ base, bits }: TableRoute, random: () => number): Uint8Array {
  return addressOfWords(insideOf({ base, bits }, random));
}

function insideOf({ base, bits }: Pick<TableRoute, "base" | "bits">, random: () => number): Words {
  const host: Words = [word(random), word(random), word(random), word(random)];
  const network = firstWords(host, bits);
  const at = (i: 0 | 1 | 2 | 3) => (base[i] | (host[i] ^ network[i])) >>> 0;
  return [at(0), at(1), at(2), at(3)];
}

/** Small numbers far more often: 1 % of the ASes announce a third of the prefixes. */
function asnOf(random: () => number): number {
  return 1 + Math.floor(asns * random() ** 4);
}

function ipv4(random: () => number): Words {
  return [0, 0, 0xffff, (0x01000000 + Math.floor(random() * 0xdf000000)) >>> 0];
}

/** In 2000::/4, whose blocks of /12 the registries fill from below. */
function ipv6(random: () => number): Words {
  const block =
    [0x20010000, 0x24000000, 0x26000000, 0x28000000, 0x2a000000, 0x2c000000][Math.floor(random() * 6)] ?? 0;
  return [(block + Math.floor(random() * 0x00100000)) >>> 0, word(random), 0, 0];
}

function isIpv4(words: Words): boolean {
  return words[0] === 0;
}

function drawn(shares: Shares, random: () => number): number {
  let left = random() * shares.reduce((sum, [, share]) => sum + share, 0);
  for (const [length, share] of shares) {
    left -= share;
    if (left < 0) {
      return length;
    }
  }
  return shares[0]?.[0] ?? 24;
}

function word(random: () => number): number {
  return Math.floor(random() * 2 ** 32);
}
