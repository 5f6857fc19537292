/**
 * Measured figures out of docs/internals/benchmarks.md, by heading, row and column; a figure that is not there is an
 * error.
 */

/** Where a figure stands: `part` is its place in a cell of several, `1 / 2`; the first without it. */
export interface FigurePlace {
  readonly heading: string;
  readonly row: string;
  readonly column: string;
  readonly part?: number;
}

/** The first number of the cell, `236,872` as 236872: the median where a range follows it. */
export function measured(page: string, place: FigurePlace): number {
  const lines = sectionOf(page, place);
  const at = lines.findIndex((line) => cellsOf(line)[0] === place.row);
  if (at < 0) {
    throw missing(place, "row");
  }
  // The header of a table stands above its line of dashes.
  const dashes = lines.findLastIndex((line, index) => index < at && line.startsWith("|---"));
  const across = cellsOf(lines[dashes - 1] ?? "").indexOf(place.column);
  if (across < 1) {
    throw missing(place, "column");
  }
  const part = cellsOf(lines[at] ?? "")[across]?.split(" / ")[place.part ?? 0] ?? "";
  const number = /^[\d,]+(\.\d+)?/.exec(part.trim())?.[0].replaceAll(",", "");
  if (number === undefined || !(Number(number) > 0)) {
    throw missing(place, "number");
  }
  return Number(number);
}

/** Lines from the heading to the next one of any depth. */
function sectionOf(page: string, place: FigurePlace): string[] {
  const lines = page.split("\n");
  const from = lines.findIndex((line) => line.replace(/^#+ /, "") === place.heading && line.startsWith("#"));
  if (from < 0) {
    throw missing(place, "heading");
  }
  const length = lines.slice(from + 1).findIndex((line) => /^#+ /.test(line));
  return length < 0 ? lines.slice(from + 1) : lines.slice(from + 1, from + 1 + length);
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((text) => text.trim());
}

function missing({ heading, row, column }: FigurePlace, what: string): Error {
  const place = `"${heading}", row "${row}", column "${column}"`;
  return new Error(
    `Cannot find the ${what} of ${place} in docs/internals/benchmarks.md: name it as it is called there now`,
  );
}
