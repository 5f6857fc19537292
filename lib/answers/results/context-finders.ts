/**
 * Finds, in the bytes of rows, where context is inserted (context-pages.ts): in place of keys, or at the end of rows
 * that contain day and address themselves.
 */
import type { ContextPlaces } from "./context-places.ts";
import type { ContextTexts } from "./context-texts.ts";
import type { LineForm, RowAddress } from "./view.ts";

/** The JSON member, or name of the last column, that contains a key. */
export const contextKey = "context_key";

/** Adds the places of a page. */
export type Find = (bytes: Buffer, places: ContextPlaces, texts: ContextTexts) => void;

const [tab, newline, quote, comma, bracket] = [9, 10, 34, 44, 93];
const keyBegin = Buffer.from(`"${contextKey}":"`);
const keysBegin = Buffer.from(`"${contextKey}s":[`);
const noName = Buffer.from('"name":null,');

/** Lines of cells: the last one is the key. Its quotes are removed too. */
export function findCells(form: "csv" | "brief"): Find {
  const separator = form === "csv" ? comma : tab;
  return (bytes, places, texts) => {
    for (let to = bytes.indexOf(newline); to >= 0; to = bytes.indexOf(newline, to + 1)) {
      const isQuoted = separator === comma && bytes[to - 1] === quote;
      const [end, stop] = isQuoted ? [to - 1, quote] : [to, separator];
      let key = end;
      while (key > 0 && bytes[key - 1] !== stop) {
        key--;
      }
      places.add(isQuoted ? key - 1 : key, to, texts.numberOf(bytes, key, end));
    }
  };
}

/** JSON members, anywhere. If names are requested, one replaces the name before the key. */
export function findMembers(isNamed: boolean): Find {
  return (bytes, places, texts) => {
    for (
      let from = bytes.indexOf(keyBegin);
      from >= 0;
      from = bytes.indexOf(keyBegin, from + keyBegin.length)
    ) {
      const key = from + keyBegin.length;
      const to = bytes.indexOf(quote, key);
      places.add(isNamed ? beforeName(bytes, from) : from, to + 1, texts.numberOf(bytes, key, to));
    }
  };
}

/** A path's router always has a name, which would otherwise be duplicated. */
function beforeName(bytes: Buffer, from: number): number {
  const before = Math.max(0, from - noName.length);
  return noName.equals(bytes.subarray(before, from)) ? before : from;
}

/** The key lists of paths that are drawn. */
export function findLists(bytes: Buffer, places: ContextPlaces, texts: ContextTexts): void {
  for (
    let from = bytes.indexOf(keysBegin);
    from >= 0;
    from = bytes.indexOf(keysBegin, from + keysBegin.length)
  ) {
    const key = from + keysBegin.length;
    const to = bytes.indexOf(bracket, key);
    places.add(from, to + 1, texts.numberOf(bytes, key, to));
  }
}

/** Ends of rows whose first value is a time, and another value the address. */
export function findRows(form: LineForm, { member, cells }: RowAddress): Find {
  return form === "ndjson" ? jsonRows(member) : cellRows(form === "csv" ? comma : tab, cells[form]);
}

function jsonRows(member: string): Find {
  const begin = Buffer.from(`"${member}":"`);
  const dayAt = '{"time_received":"'.length;
  // It is mostly at the same offset as in the previous row. Nothing else can match: quotes in texts are escaped.
  let usual = 0;
  return (bytes, places, texts) => {
    for (let row = 0; row < bytes.length; ) {
      if (!isAt(begin, bytes, row + usual)) {
        usual = bytes.indexOf(begin, row) - row;
      }
      if (usual < 0) {
        throw new RangeError(`A row has no "${member}"`);
      }
      const address = row + usual + begin.length;
      const to = endOf(bytes, address, quote);
      const end = lineEnd(bytes, to);
      places.add(end - 1, end - 1, texts.numberOf(bytes, address, to, texts.dayOf(bytes, row + dayAt)));
      row = end + 1;
    }
  };
}

function cellRows(separator: number, cells: number): Find {
  const isCsv = separator === comma;
  return (bytes, places, texts) => {
    for (let row = 0; row < bytes.length; ) {
      let at = row;
      for (let left = cells; left > 0; left--) {
        at = (isCsv && bytes[at] === quote ? endOfQuoted(bytes, at) : endOf(bytes, at, separator)) + 1;
      }
      const isQuoted = isCsv && bytes[at] === quote;
      const address = isQuoted ? at + 1 : at;
      const to = endOf(bytes, address, isQuoted ? quote : separator);
      const end = lineEnd(bytes, to);
      const day = texts.dayOf(bytes, isCsv && bytes[row] === quote ? row + 1 : row);
      places.add(end, end, texts.numberOf(bytes, address, to, day));
      row = end + 1;
    }
  };
}

function lineEnd(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(newline, from);
  return end < 0 ? bytes.length : end;
}

/** The offset of this byte; the end of the page without one. */
function endOf(bytes: Buffer, from: number, stop: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== stop) {
    at++;
  }
  return at;
}

/** The offset after a quoted cell of CSV, in which quotes are doubled. */
function endOfQuoted(bytes: Buffer, from: number): number {
  let at = endOf(bytes, from + 1, quote) + 1;
  while (bytes[at] === quote) {
    at = endOf(bytes, at + 1, quote) + 1;
  }
  return at;
}

function isAt(part: Buffer, bytes: Buffer, from: number): boolean {
  for (let i = 0; i < part.length; i++) {
    if (part[i] !== bytes[from + i]) {
      return false;
    }
  }
  return true;
}
