/**
 * The one place where foreign text (names and messages from an agent, a router, a gateway, a daemon or a
 * file) is made safe for a terminal, JSON or CSV.
 *
 * Characters that control a terminal, or that make a line look different, are written as JSON escapes them,
 * `\u001b`: C0 and C1 controls, ESC, DEL, line and paragraph separators, marks of direction (Unicode UAX #9, so also
 * U+202A..202E and U+2066..2069), everything that is not drawn (zero-width, fillers, tags), and halves of pairs.
 * JSON so written is the same JSON: only strings can hold such characters.
 */
import { ownColour } from "./colour.ts";
import { surelyPlain } from "./text.ts";

const unsafeClass =
  "\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb";
const unsafe = new RegExp(`[${unsafeClass}]`, "gu");
const unsafeInJson = new RegExp(`[^\\P{Cc}\\n]|[${unsafeClass.replace("\\p{Cc}", "")}]`, "gu");
const colourOrUnsafe = new RegExp(`${ownColour}|[${unsafeClass}]`, "gu");

/** Foreign text on one line. */
export function visible(text: string): string {
  return surelyPlain.test(text) ? text : text.replace(unsafe, escaped);
}

/** A cell of a table: one line, which may hold our own colours. */
export function visibleCell(text: string): string {
  return surelyPlain.test(text)
    ? text
    : text.replace(colourOrUnsafe, (found, colour) => (colour === undefined ? escaped(found) : found));
}

/** Lines of ASCII, and the characters of our drawings: dashes, dots, lines, circles. */
const surelyDrawn = /^[\t\n -~\u2013\u2026\u2500-\u25ff]*$/;

/** Text for a terminal: line ends and tabs are kept, and our own colour codes become active. */
export function printed(text: string): string {
  return surelyDrawn.test(text)
    ? text
    : text.replace(colourOrUnsafe, (found, colour) => {
        if (colour !== undefined) {
          return `\x1b[${colour}m`;
        }
        return found === "\n" || found === "\t" ? found : escaped(found);
      });
}

/** JSON that can be written to a terminal; parsing it gives exactly `value`. */
export function jsonText(value: unknown, indent = 0): string {
  return visibleJson(JSON.stringify(value, null, indent));
}

/** The same JSON without characters that control a terminal. */
export function visibleJson(json: string): string {
  return surelyPlain.test(json) ? json : json.replace(unsafeInJson, unicodeEscaped);
}

/**
 * Any of these makes a spreadsheet evaluate the cell; the last four are full-width forms that some accept too.
 */
const formulaStart = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A cell of CSV (RFC 4180), in one line; a formula gets a leading apostrophe, which spreadsheets read as "text". */
export function csvCell(text: string): string {
  const isFormula = formulaStart.test(text) && !number.test(text);
  const shown = visible(isFormula ? `'${text}` : text);
  return /[",]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Foreign lines of CSV, each cell as `csvCell` would write it; a cell that spans lines is cut there. */
export function csvLines(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      cellsOf(line.endsWith("\r") ? line.slice(0, -1) : line)
        .map(csvCell)
        .join(","),
    )
    .join("\n");
}

function cellsOf(line: string): string[] {
  // Each cell begins with a comma, so that an empty first one is a match too.
  const found = `,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"([^,]*)|([^,]*))/g);
  return Array.from(found, ([, quoted, rest, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"') + (rest ?? ""),
  );
}

const shortForms: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function escaped(character: string): string {
  return shortForms[character] ?? unicodeEscaped(character);
}

/** A character beyond U+FFFF is a pair, as in JSON. */
function unicodeEscaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
