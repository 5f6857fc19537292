/**
 * The style of pictures: one style sheet, for pages (which link it) and for files (which embed it).
 *
 * Every colour is defined twice: plain, for programs without dark mode, and as `light-dark()`. Tones are those of Okabe
 * and Ito, distinguishable with any colour vision, darkened to 3:1 on white and lightened to 3:1 on black; each has a
 * pattern too, so that no meaning depends on colour alone.
 */
import { element, type Markup } from "./markup.ts";

/** Light, and dark. */
type Colour = readonly [light: string, dark: string];

const tones: readonly Colour[] = [
  ["#0072b2", "#56a8dd"],
  ["#a85800", "#e69f00"],
  ["#00795a", "#2fbf95"],
  ["#b3447f", "#e08fbb"],
  ["#c1440e", "#f0845a"],
  ["#2f7fb5", "#8ccbee"],
  ["#7a6a00", "#e0d24a"],
  ["#5a5a5a", "#b0b0b0"],
];
/** Further ones share the last tone; their names distinguish them. */
export const tonesMax = tones.length;

/** From few to many: lightness falls (rises in dark mode), so it is readable without colour. */
const heat: readonly Colour[] = [
  ["#c6dcf0", "#173a5e"],
  ["#8fbbe0", "#235f96"],
  ["#4f92cc", "#3d8bcb"],
  ["#1f67a8", "#7fbdea"],
  ["#0b3a6b", "#d6ecff"],
];

const rules: readonly (readonly [selector: string, property: string, colour: Colour])[] = [
  ["ground", "fill", ["#ffffff", "#14181d"]],
  ["ink", "fill", ["#1a2129", "#e8ebee"]],
  ["quiet", "fill", ["#505a65", "#a6b0ba"]],
  ["bad", "fill", ["#a8200d", "#ff9b8a"]],
  ["box", "fill", ["#f4f6f8", "#20262d"]],
  ["box", "stroke", ["#77828d", "#7d8894"]],
  ["target", "stroke", ["#1a2129", "#e8ebee"]],
  ["link", "stroke", ["#6f7b87", "#8793a0"]],
  ["land", "fill", ["#d9dfd3", "#39413a"]],
  ["spot", "stroke", ["#1a2129", "#e8ebee"]],
  ["halo", "stroke", ["#ffffff", "#14181d"]],
  ["axis", "stroke", ["#8a949e", "#76818c"]],
  // Orange is as far from the blue cells below it as a colour can be, for all kinds of colour vision.
  ["line", "stroke", ["#d95f02", "#ffb454"]],
  ["loss", "fill", ["#c1440e", "#f0845a"]],
  ...tones.map((tone, i) => [`tone-${i}`, "fill", tone] as const),
  ...heat.map((colour, i) => [`heat-${i}`, "fill", colour] as const),
  ["on-tone", "stroke", ["#ffffff", "#14181d"]],
];

const shapes = [
  ".picture{color-scheme:light dark;font:11px ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace}",
  ".picture .link,.picture .line{fill:none}",
  ".picture .link{stroke-opacity:.75}",
  ".picture .line{stroke-width:1.6}.picture .thin{stroke-width:.8}",
  ".picture .silent{stroke-dasharray:4 4}",
  ".picture .target{stroke-width:2.5}",
  ".picture .node:focus{outline:none}",
  ".picture .node:focus .box,.picture .node[aria-current] .box{stroke-width:3}",
  ".picture .halo{paint-order:stroke;stroke-width:3;stroke-linejoin:round}",
  ".picture .on-tone{stroke-width:2;fill:none}",
];

/** For `<style>` in a file, or as a file of a page. */
export const pictureStyle = [
  ...shapes,
  ...rules.map(
    ([name, property, [light, dark]]) =>
      `.picture .${name}{${property}:${light};${property}:light-dark(${light},${dark})}`,
  ),
].join("");

/** Marks in a tile of 6 by 6 pixels, one for each tone. */
const patterns: readonly string[] = [
  "",
  "M0 6L6 0",
  "M0 3H6",
  "M3 0V6",
  "M0 0L6 6",
  "M0 3H6M3 0V6",
  "M2 3H4",
  "M0 0L6 6M0 6L6 0",
];

/** Fills called `${prefix}0` and so on: a tone with its pattern. */
export function tonePatterns(prefix: string, count: number): Markup {
  const tiles = patterns
    .slice(0, count)
    .map((marks, i) =>
      element(
        "pattern",
        { id: `${prefix}${i}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        element("rect", { width: 6, height: 6, class: `tone-${i}` }),
        ...(marks === "" ? [] : [element("path", { d: marks, class: "on-tone" })]),
      ),
    );
  return element("defs", {}, ...tiles);
}

export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Its content, in a sentence. */
  readonly sentence: string;
  readonly content: readonly Markup[];
}

/** For a page that has the style sheet. */
export function pictureElement({ widthPx, heightPx, sentence, content }: Picture): Markup {
  return element(
    "svg",
    { class: "picture", role: "group", "aria-label": sentence, ...sizeOf(widthPx, heightPx) },
    ...content,
  );
}

function sizeOf(width: number, height: number) {
  return { width, height, viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}` };
}

/** A standalone file, with its style and background. */
export function pictureFile(picture: Picture): string {
  const { widthPx, heightPx, sentence, content } = picture;
  const whole = element(
    "svg",
    {
      ...{ xmlns: "http://www.w3.org/2000/svg", class: "picture", role: "group", "aria-label": sentence },
      ...sizeOf(widthPx, heightPx),
    },
    element("title", {}, sentence),
    element("style", {}, pictureStyle),
    element("rect", { width: "100%", height: "100%", class: "ground" }),
    ...content,
  );
  return `${whole.text}\n`;
}

/** A tone for each AS: those with most routers first, then by number. */
export function tonesOfAsns(asns: Iterable<number | null | undefined>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const asn of asns) {
    if (asn !== null && asn !== undefined) {
      counts.set(asn, (counts.get(asn) ?? 0) + 1);
    }
  }
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || a - b);
  return new Map(sorted.map(([asn], i) => [asn, Math.min(i, tonesMax - 1)]));
}
