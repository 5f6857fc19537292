/**
 * Finds the keys of a page (context-pages.ts) as bytes. Rows are not read: a key at the end of a row is found from the
 * end of its line backwards, whatever the row's length.
 */
import type { ContextTexts } from "./context-texts.ts";

/** The member of JSON, or name of the last column, that holds a key. */
export const contextKey = "context_key";

/**
 * What a key stands for: cells of CSV, or between tabs; members of JSON, at the end of a row or anywhere in it; or
 * routers by address.
 */
export type KeyKind = "csv" | "tabs" | "row" | "members" | "routers";

const [tab, newline, quote, comma, bracket, brace] = [9, 10, 34, 44, 93, 123];
const keyBegin = Buffer.from(`"${contextKey}":"`);
const keysBegin = Buffer.from(`"${contextKey}s":[`);
const noName = Buffer.from('"name":null,');

/** The kind of keys in JSON lines. */
export function jsonKind(bytes: Buffer): KeyKind {
  const end = bytes.indexOf(newline) - '"}'.length;
  const key = bytes.lastIndexOf(keyBegin, end);
  return key >= 0 && bytes.indexOf(quote, key + keyBegin.length) === end ? "row" : "members";
}

/** Brief rows are lines of cells, or each a path in JSON. */
export function briefKind(bytes: Buffer): KeyKind {
  return bytes[0] === brace ? "routers" : "tabs";
}

export class KeyPlaces {
  count = 0;
  /** For each place its first byte, the one behind its last, and the number of its text. */
  #places = new Int32Array(3 * 1024);

  /** Finds those of another page. `isNamed`: what stands in place of a key has the name of the address. */
  find(bytes: Buffer, kind: KeyKind, texts: ContextTexts, isNamed: boolean): void {
    this.count = 0;
    switch (kind) {
      case "csv":
        this.#atEnds(bytes, comma, texts);
        break;
      case "tabs":
        this.#atEnds(bytes, tab, texts);
        break;
      case "row":
        this.#atEnds(bytes, brace, texts);
        break;
      case "members":
        this.#within(bytes, { begin: keyBegin, end: quote, isNamed }, texts);
        break;
      case "routers":
        this.#within(bytes, { begin: keysBegin, end: bracket, isNamed: false }, texts);
        break;
    }
  }

  /** The page with a text in each place. */
  replaced(bytes: Buffer, texts: ContextTexts): Buffer {
    const places = this.#places;
    let length = bytes.length;
    for (let i = 0; i < 3 * this.count; i += 3) {
      length += texts.length(places[i + 2] ?? 0) - ((places[i + 1] ?? 0) - (places[i] ?? 0));
    }
    const whole = Buffer.allocUnsafe(length);
    let [at, start] = [0, 0];
    for (let i = 0; i < 3 * this.count; i += 3) {
      at += bytes.copy(whole, at, start, places[i] ?? 0);
      at += texts.copy(places[i + 2] ?? 0, whole, at);
      start = places[i + 1] ?? 0;
    }
    bytes.copy(whole, at, start);
    return whole;
  }

  /** What is the last of each line, behind a separator: a cell, or, where that is a brace, a member of JSON. */
  #atEnds(bytes: Buffer, separator: number, texts: ContextTexts): void {
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, end + 1)) {
      const to = separator === brace ? end - 1 : end;
      const isQuoted = separator !== tab && bytes[to - 1] === quote;
      const [keyEnd, stop] = isQuoted ? [to - 1, quote] : [to, separator];
      let key = keyEnd;
      while (key > 0 && bytes[key - 1] !== stop) {
        key--;
      }
      const from = separator === brace ? key - keyBegin.length : isQuoted ? key - 1 : key;
      this.#add(from, to, texts.numberOf(bytes, key, keyEnd));
    }
  }

  #within(bytes: Buffer, { begin, end, isNamed }: Mark, texts: ContextTexts): void {
    for (let from = bytes.indexOf(begin); from >= 0; from = bytes.indexOf(begin, from + begin.length)) {
      const key = from + begin.length;
      const to = bytes.indexOf(end, key);
      this.#add(isNamed ? beforeName(bytes, from) : from, to + 1, texts.numberOf(bytes, key, to));
    }
  }

  #add(from: number, to: number, text: number): void {
    const i = 3 * this.count++;
    if (i === this.#places.length) {
      const larger = new Int32Array(2 * i);
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places[i] = from;
    this.#places[i + 1] = to;
    this.#places[i + 2] = text;
  }
}

interface Mark {
  readonly begin: Buffer;
  /** A byte that no key holds. */
  readonly end: number;
  readonly isNamed: boolean;
}

/** A router of a path has a name in any case, which is then said twice. */
function beforeName(bytes: Buffer, from: number): number {
  const before = Math.max(0, from - noName.length);
  return noName.equals(bytes.subarray(before, from)) ? before : from;
}
