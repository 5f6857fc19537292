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
import { briefKind, jsonKind, type KeyKind, KeyPlaces } from "./context-places.ts";
import { ContextTexts } from "./context-texts.ts";
import type { LineForm, Page } from "./view.ts";

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
  const places = new KeyPlaces();
  let kind: KeyKind | null = null;
  let texts: ContextTexts | null = null;
  for await (const { bytes, rows } of pages) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (whole.length === 0) {
      continue;
    }
    kind ??= kindOf(whole, form);
    texts ??= new ContextTexts(writer(book, kind));
    texts.tidy();
    places.find(whole, kind, texts, book.fields.includes("name"));
    if (book.names !== null) {
      await book.names.find(texts.unwritten.flatMap(keysIn).map(addressOf));
    }
    texts.write();
    yield { bytes: places.replaced(whole, texts), rows };
  }
}

function kindOf(bytes: Buffer, form: LineForm): KeyKind {
  return form === "csv" ? "csv" : form === "brief" ? briefKind(bytes) : jsonKind(bytes);
}

/** `2026-11-22 `. */
const dayLetters = 11;

/** The address in a key. */
export function addressOf(key: string): string {
  return key.slice(dayLetters);
}

/** What a key stands for. */
export function knownOf(book: AddressBook, key: string): Known {
  return book.lookUp(addressOf(key), key.slice(0, dayLetters - 1));
}

/** One, or a list as JSON has it. */
function keysIn(text: string): string[] {
  return text.startsWith('"') ? (JSON.parse(`[${text}]`) as string[]) : [text];
}

function writer(book: AddressBook, kind: KeyKind): (keys: string) => string {
  const json = (key: string) => {
    // Owners stand in the row already (path-pages.ts).
    const { owner_asn: _, ...own } = contextJson(knownOf(book, key), book.fields);
    return own;
  };
  return (keys) => {
    switch (kind) {
      case "csv":
        return csvLine(csvColumns(book).map(({ value }) => String(value(knownOf(book, keys)) ?? "")));
      case "tabs":
        return contextDrawn(book.fields)
          .map((column) => tabCell(column.text(json(keys))))
          .join("\t");
      case "row":
      case "members":
        return JSON.stringify(json(keys)).slice(1, -1);
      case "routers": {
        const known = keysIn(keys).filter((key) => key !== "");
        return `"routers":${JSON.stringify(Object.fromEntries(known.map((key) => [addressOf(key), json(key)])))}`;
      }
    }
  };
}

/** As ClickHouse writes TabSeparated. */
function tabCell(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n");
}

function csvColumns({ fields }: AddressBook): readonly Column<Known>[] {
  return contextColumns<Known>(fields, "csv", (known) => known);
}
