/** Bars of shares by site, each site with a pattern of its own, and a legend above. Pure. */
import { counted, grouped } from "../counts.ts";
import { type Picture, tonePatterns, tonesMax } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import { barPicture, barsMax } from "./bar-rows.ts";

interface Share {
  /** The bar that it is part of. */
  readonly bar: string;
  readonly site: string;
  readonly count: number;
}

interface Words {
  readonly sentence: string;
  /** What is counted, in the singular: `answer`. */
  readonly noun: string;
  /** Word between the names of a bar and a site, for screen readers. */
  readonly relation: string;
}

/** Draws the first bars that fit; a share is relative to its bar. */
export function shareBars(shares: readonly Share[], { sentence, noun, relation }: Words): Picture {
  const sites = sitesByCount(shares);
  const fillOf = (site: string) => `url(#site${Math.min(sites.indexOf(site), tonesMax - 1)})`;
  const bars = [...Map.groupBy(shares, ({ bar }) => bar)].slice(0, barsMax).map(([name, own]) => {
    const all = sumOf(own);
    return {
      name,
      parts: own.map(({ site, count }) => ({
        share: count / Math.max(1, all),
        fill: fillOf(site),
        title: `${name}, ${relation} ${site}: ${counted(count, noun)} (${percentOf(count, all)} %)`,
        text: `${clipped(site, 16)} ${percentOf(count, all)} %`,
      })),
      figures: counted(all, noun),
    };
  });
  return barPicture(bars, sentence, legend(sites, shares));
}

/** Sites by count, most first. */
export function sitesByCount(shares: readonly Pick<Share, "site" | "count">[]): string[] {
  const sums = new Map<string, number>();
  for (const { site, count } of shares) {
    sums.set(site, (sums.get(site) ?? 0) + count);
  }
  return [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([site]) => site);
}

/** Each site with its share of the total, as narrow parts of a bar have no room for it. */
function legend(
  sites: readonly string[],
  shares: readonly Share[],
): { content: readonly Markup[]; heightPx: number; widthPx: number } {
  let x = 12;
  const shown = sites.slice(0, tonesMax).map((site, i) => {
    const isRest = i === tonesMax - 1 && sites.length > tonesMax;
    const own = new Set(isRest ? sites.slice(i) : [site]);
    const name = isRest ? `${sites.length - i} others` : clipped(site, 24);
    const count = sumOf(shares.filter((share) => own.has(share.site)));
    const text = `${name} ${grouped(count)} (${percentOf(count, sumOf(shares))} %)`;
    const at = x;
    x += 24 + text.length * 6.7 + 14;
    return [
      element("rect", { fill: `url(#site${i})`, x: at, y: 8, width: 18, height: 12 }),
      element("text", { class: "ink", x: at + 24, y: 18 }, text),
    ];
  });
  return {
    content: [tonePatterns("site", Math.min(tonesMax, sites.length)), ...shown.flat()],
    heightPx: 22,
    widthPx: x,
  };
}

function sumOf(shares: readonly Share[]): number {
  return shares.reduce((all, { count }) => all + count, 0);
}

/** Percent, to two decimals. */
function percentOf(count: number, all: number): number {
  return Number(((100 * count) / Math.max(1, all)).toFixed(2));
}
