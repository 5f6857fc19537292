/**
 * Rows of horizontal bars: a name, a bar of parts that fills at most the frame, and figures after it. Pure.
 */
import type { Picture } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";

interface BarRow {
  readonly name: string;
  readonly parts: readonly BarPart[];
  /** After the bar. */
  readonly figures: string;
}

interface BarPart {
  /** From 0 to 1, of the whole bar. */
  readonly share: number;
  /** A class of the style sheet, or a pattern: `url(#…)`. */
  readonly fill: string;
  readonly title: string;
  /** Shown in the bar where it fits. */
  readonly text: string;
}

/** Above this number, a table is better. */
export const barsMax = 40;

const [rowPx, barPx, characterPx, marginPx, frameWidthPx] = [26, 16, 6.7, 12, 640];
const nameCharactersMax = 48;

/** `above` is drawn before the bars: patterns, a legend of so many pixels. */
export function barPicture(
  rows: readonly BarRow[],
  sentence: string,
  above: { readonly content: readonly Markup[]; readonly heightPx: number; readonly widthPx: number },
): Picture {
  const names = rows.map(({ name }) => clipped(name, nameCharactersMax));
  const left = marginPx + Math.max(0, ...names.map(({ length }) => length)) * characterPx + 10;
  const figuresX = left + frameWidthPx + 10;
  const longest = Math.max(0, ...rows.map(({ figures }) => figures.length));
  const top = above.heightPx + marginPx;
  const bars = rows.map((row, i) => {
    const y = top + i * rowPx;
    return element(
      "g",
      { role: "listitem", "aria-label": `${row.name}: ${row.figures}` },
      element("text", { class: "ink", x: left - 10, y: y + 12, "text-anchor": "end" }, names[i] ?? ""),
      element("rect", { class: "box", x: left, y, width: frameWidthPx, height: barPx }),
      ...parts(row.parts, left, y),
      element("text", { class: "quiet", x: figuresX, y: y + 12 }, row.figures),
    );
  });
  return {
    widthPx: Math.max(above.widthPx, figuresX + longest * characterPx) + marginPx,
    heightPx: top + rows.length * rowPx + marginPx,
    sentence,
    content: [
      ...above.content,
      ...(bars.length === 0 ? [] : [element("g", { role: "list", "aria-label": "Bars" }, ...bars)]),
    ],
  };
}

function parts(own: readonly BarPart[], left: number, y: number): Markup[] {
  let x = left;
  return own.flatMap(({ share, fill, title, text }) => {
    const width = share * frameWidthPx;
    const at = x;
    x += width;
    const look = fill.startsWith("url(") ? { fill } : { class: fill };
    const rect = element("rect", { ...look, x: at, y, width, height: barPx }, element("title", {}, title));
    const hasRoom = text.length * characterPx + 14 < width;
    return hasRoom && text !== "" ? [rect, ...label(text, at + width / 2, y)] : [rect];
  });
}

/** On a plain background: a pattern behind characters makes them hard to read. */
function label(text: string, middle: number, y: number): Markup[] {
  const width = text.length * characterPx + 6;
  return [
    element("rect", { class: "ground", x: middle - width / 2, y: y + 2, width, height: barPx - 4, rx: 3 }),
    element("text", { class: "ink", x: middle, y: y + 12, "text-anchor": "middle" }, text),
  ];
}
