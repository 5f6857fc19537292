/**
 * Puts what is known of addresses into rows as they leave: a view ends each row, or each answer or router in it, with
 * a key, `2026-11-22 192.0.2.1`, which is replaced by members or cells. Rows are not parsed: they pass as bytes.
 *
 * In JSON a key is the member `context_key`; no foreign text looks like that, as quotes in texts are escaped. In CSV,
 * and between tabs, it is the last cell of a line, and holds no separator. A path that is drawn ends with the keys of
 * its routers, `context_keys`, in whose place comes `routers`: their members by address.
 */
import type { AddressBook } from "../enrich/address-book.ts";
import { contextColumns, contextDrawn, contextJson, type Known } from "../enrich/context-fields.ts";
import { type Column, csvLine } from "../terminal/rows-output.ts";
import { contextTextsMax } from "./limits.ts";
import type { LineForm, Page } from "./view.ts";

/** The member of JSON, or name of the last column, that holds a key. */
export const contextKey = "context_key";

/** A key in SQL. */
export function contextKeySql(time: string, addressText: string): string {
  return `concat(substring(toString(${time}), 1, 10), ' ', ${addressText})`;
}

/** Names of the columns in CSV in place of the key's. */
export function contextNames(book: AddressBook): string[] {
  return csvColumns(book).map(({ name }) => name);
}

/** The pages with keys replaced; names are looked up a page at a time. */
export async function* contextPages(
  pages: AsyncIterable<Page>,
  form: LineForm,
  book: AddressBook,
): AsyncGenerator<Page, void, undefined> {
  let texts: ContextTexts | null = null;
  for await (const { bytes, rows } of pages) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const kind = kindOf(whole, form);
    texts ??= new ContextTexts(book, kind);
    const places = placesIn(whole, kind, book);
    await book.names?.find(places.flatMap(({ keys }) => keys.map(addressOf)));
    yield { bytes: replaced(whole, places, texts), rows };
  }
}

/** `2026-11-22 `. */
const dayLetters = 11;

function addressOf(key: string): string {
  return key.slice(dayLetters);
}

interface Place {
  /** Bytes that are replaced. */
  readonly from: number;
  readonly to: number;
  readonly keys: readonly string[];
}

const [tab, newline, quote, comma, bracket, brace] = [9, 10, 34, 44, 93, 123];
const keyBegin = Buffer.from(`"${contextKey}":"`);
const keysBegin = Buffer.from(`"${contextKey}s":[`);

/** What a key stands for: cells of CSV, or between tabs; members of JSON; or routers by address. */
type Kind = "csv" | "tabs" | "members" | "routers";

function kindOf(bytes: Buffer, form: LineForm): Kind {
  if (form === "brief") {
    return bytes[0] === brace ? "routers" : "tabs";
  }
  return form === "csv" ? "csv" : "members";
}

function placesIn(bytes: Buffer, kind: Kind, { fields }: AddressBook): Place[] {
  switch (kind) {
    case "csv":
      return cellPlaces(bytes, comma);
    case "tabs":
      return cellPlaces(bytes, tab);
    case "members":
      return memberPlaces(bytes, keyBegin, quote).map((place) =>
        fields.includes("name") ? withEarlierName(bytes, place) : place,
      );
    case "routers":
      return memberPlaces(bytes, keysBegin, bracket);
  }
}

/** What begins so, up to a byte that no key holds. */
function memberPlaces(bytes: Buffer, begin: Buffer, end: number): Place[] {
  const places: Place[] = [];
  for (let from = bytes.indexOf(begin); from >= 0; from = bytes.indexOf(begin, from + begin.length)) {
    const start = from + begin.length;
    const to = bytes.indexOf(end, start);
    const text = bytes.toString("latin1", start, to);
    places.push({ from, to: to + 1, keys: end === quote ? [text] : JSON.parse(`[${text}]`) });
  }
  return places;
}

const noName = '"name":null,';

/** A router of a path has a name in any case, which is then said twice. */
function withEarlierName(bytes: Buffer, place: Place): Place {
  const from = Math.max(0, place.from - noName.length);
  return bytes.toString("latin1", from, place.from) === noName ? { ...place, from } : place;
}

/** The last cell of each line. */
function cellPlaces(bytes: Buffer, separator: number): Place[] {
  const places: Place[] = [];
  for (let to = bytes.indexOf(newline); to >= 0; to = bytes.indexOf(newline, to + 1)) {
    let from = to;
    while (from > 0 && bytes[from - 1] !== separator) {
      from--;
    }
    const isQuoted = bytes[from] === quote;
    const key = bytes.toString("latin1", isQuoted ? from + 1 : from, isQuoted ? to - 1 : to);
    places.push({ from, to, keys: [key] });
  }
  return places;
}

function replaced(bytes: Buffer, places: readonly Place[], texts: ContextTexts): Uint8Array {
  const written = places.map(({ keys }) => texts.of(keys));
  const change = places.reduce((sum, { from, to }, i) => sum + (written[i]?.length ?? 0) - (to - from), 0);
  const whole = Buffer.allocUnsafe(bytes.length + change);
  let [at, start] = [0, 0];
  for (const [i, { from, to }] of places.entries()) {
    at += bytes.copy(whole, at, start, from);
    at += written[i]?.copy(whole, at) ?? 0;
    start = to;
  }
  bytes.copy(whole, at, start);
  return whole;
}

/** What stands in place of keys, kept for the next row with the same address. */
class ContextTexts {
  readonly #write: (keys: readonly string[]) => string;
  #texts = new Map<string, Buffer>();

  constructor(book: AddressBook, kind: Kind) {
    this.#write = writer(book, kind);
  }

  of(keys: readonly string[]): Buffer {
    const key = keys.join();
    const known = this.#texts.get(key);
    if (known !== undefined) {
      return known;
    }
    const text = Buffer.from(this.#write(keys));
    this.#texts = this.#texts.size >= contextTextsMax ? new Map() : this.#texts;
    this.#texts.set(key, text);
    return text;
  }
}

function writer(book: AddressBook, kind: Kind): (keys: readonly string[]) => string {
  const knownOf = (key = "") => book.of(addressOf(key), key.slice(0, dayLetters - 1));
  const json = (key: string | undefined) => {
    // Owners stand in the row already (path-pages.ts).
    const { owner_asn: _, ...own } = contextJson(knownOf(key), book.fields);
    return own;
  };
  switch (kind) {
    case "csv": {
      const columns = csvColumns(book);
      return ([key]) => csvLine(columns.map(({ value }) => String(value(knownOf(key)) ?? "")));
    }
    case "tabs": {
      const columns = contextDrawn(book.fields);
      return ([key]) => columns.map(({ text }) => tabCell(text(json(key)))).join("\t");
    }
    case "members":
      return ([key]) => JSON.stringify(json(key)).slice(1, -1);
    case "routers":
      return (keys) => {
        const known = keys.filter((key) => key !== "").map((key) => [addressOf(key), json(key)] as const);
        return `"routers":${JSON.stringify(Object.fromEntries(known))}`;
      };
  }
}

/** As ClickHouse writes TabSeparated. */
function tabCell(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n");
}

function csvColumns({ fields }: AddressBook): readonly Column<Known>[] {
  return contextColumns<Known>(fields, "csv", (known) => known);
}
