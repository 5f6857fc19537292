/**
 * Checks byte by byte, before parsing, whether a JSON text may be parsed in one go.
 *
 * Parsing can cost more than the size suggests: a million open brackets in 2 MB took 250 ms and 145 MB, and
 * 180,000 short members 140 ms. So depth and number of values are bounded, besides the bytes.
 */
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from "./json-bytes.ts";
import { jsonDepthMax, jsonValuesMax } from "./limits.ts";

interface JsonBounds {
  /** Depth of nested arrays and objects. */
  readonly depthMax: number;
  /** Items, members, arrays and objects. */
  readonly valuesMax: number;
}

type JsonExcess = "depth" | "values";

const bounds: JsonBounds = { depthMax: jsonDepthMax, valuesMax: jsonValuesMax };

/** The error text of each. */
export const jsonExcessText: Readonly<Record<JsonExcess, string>> = {
  depth: `Cannot read the JSON: more than ${jsonDepthMax} arrays and objects are nested in one another`,
  values: `Cannot read the JSON: it has more than ${jsonValuesMax} values`,
};

/**
 * The bound that the text exceeds; null = none. Invalid JSON may pass: its parser stops at the error, and
 * reads strings the same way until then.
 */
export function jsonExcess(
  text: Uint8Array,
  { depthMax, valuesMax }: JsonBounds = bounds,
): JsonExcess | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case quote:
        at = stringEnd(text, at + 1);
        break;
      case openBracket:
      case openBrace:
        values++;
        if (++depth > depthMax) {
          return "depth";
        }
        break;
      case closeBracket:
      case closeBrace:
        depth--;
        break;
      case comma:
        values++;
    }
    if (values > valuesMax) {
      return "values";
    }
  }
  return null;
}

/** Where the string's closing quote is. */
function stringEnd(text: Uint8Array, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== quote) {
    at += text[at] === backslash ? 2 : 1;
  }
  return at;
}
