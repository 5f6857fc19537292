/**
 * Inserts context of addresses into outgoing rows, which pass as bytes without being parsed. A reply contains day and
 * address, and gets members or cells at its end. Other views end each row, or each reply or router in it, with a key,
 * `2026-11-22 192.0.2.1`, which is replaced.
 *
 * In JSON a key is the member `context_key`; foreign text cannot imitate it, as quotes in texts are escaped. In CSV,
 * and between tabs, it is the last cell of a line, and contains no separator. A path that is drawn ends with the keys
 * of its routers, `context_keys`, which are replaced by `routers`: their members by address.
 */
import { type Column, csvLine } from "../../base/terminal/rows-output.ts";
import type { AddressContext } from "../enrich/address-context.ts";
import { contextColumns, contextDrawn, contextJson, type Known } from "../enrich/context-fields.ts";
import { type Find, findCells, findLists, findMembers, findRows } from "./context-finders.ts";
import { ContextPlaces } from "./context-places.ts";
import { ContextTexts } from "./context-texts.ts";
import { inParts } from "./in-parts.ts";
import type { LineForm, Page, RowAddress } from "./view.ts";

/** A key in SQL. */
export function contextKeySql(time: string, addressText: string): string {
  return `concat(substring(toString(${time}), 1, 10), ' ', ${addressText})`;
}

/** Names of the CSV columns that replace the key. */
export function contextNames(addressContext: AddressContext): string[] {
  return csvColumns(addressContext).map(({ name }) => name);
}

interface Rows {
  readonly form: LineForm;
  /** Where rows have their address; absent = rows have keys. */
  readonly rowAddress?: RowAddress | undefined;
  /** Whether a page's memory may be reused for the next one. */
  readonly isPassing: boolean;
}

/** The pages with context; names are looked up a page at a time. */
export async function* contextPages(
  pages: AsyncIterable<Page>,
  { form, rowAddress, isPassing }: Rows,
  addressContext: AddressContext,
): AsyncGenerator<Page, void, undefined> {
  const places = new ContextPlaces();
  let work: Work | null = null;
  for await (const { bytes, rows } of pages) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (whole.length === 0) {
      continue;
    }
    work ??=
      rowAddress === undefined
        ? byKeys(whole, form, addressContext)
        : byRows(form, rowAddress, addressContext);
    const { find, texts } = work;
    texts.tidy();
    places.clear();
    find(whole, places, texts);
    if (addressContext.names !== null) {
      await addressContext.names.find(texts.unwritten.flatMap(keysIn).map(addressOf));
    }
    await inParts(texts.writing());
    yield { bytes: places.filled(whole, texts, isPassing), rows };
  }
}

interface Work {
  readonly find: Find;
  readonly texts: ContextTexts;
}

function byRows(form: LineForm, rowAddress: RowAddress, addressContext: AddressContext): Work {
  const write = { ndjson: membersOf, csv: cellsOf, brief: drawnOf }[form](addressContext);
  const before = form === "brief" ? "\t" : ",";
  return { find: findRows(form, rowAddress), texts: new ContextTexts((key) => before + write(key)) };
}

function byKeys(bytes: Buffer, form: LineForm, addressContext: AddressContext): Work {
  if (form === "ndjson") {
    return {
      find: findMembers(addressContext.fields.includes("name")),
      texts: new ContextTexts(membersOf(addressContext)),
    };
  }
  if (form === "brief" && bytes[0] === brace) {
    return { find: findLists, texts: new ContextTexts(routersOf(addressContext)) };
  }
  return {
    find: findCells(form),
    texts: new ContextTexts((form === "csv" ? cellsOf : drawnOf)(addressContext)),
  };
}

const brace = 123;

/** `2026-11-22 `. */
const dayLetters = 11;

/** The address in a key. */
export function addressOf(key: string): string {
  return key.slice(dayLetters);
}

/** The context of a key. */
export function knownOf(addressContext: AddressContext, key: string): Known {
  return addressContext.lookUp(addressOf(key), key.slice(0, dayLetters - 1));
}

/** One key, or a JSON list of keys. */
function keysIn(text: string): string[] {
  return text.startsWith('"') ? (JSON.parse(`[${text}]`) as string[]) : [text];
}

type Write = (key: string) => string;

function jsonOf(addressContext: AddressContext, key: string): Record<string, unknown> {
  // Owners are already in the row (path-pages.ts).
  const { owner_asn: _, ...own } = contextJson(knownOf(addressContext, key), addressContext.fields);
  return own;
}

function membersOf(addressContext: AddressContext): Write {
  return (key) => JSON.stringify(jsonOf(addressContext, key)).slice(1, -1);
}

function cellsOf(addressContext: AddressContext): Write {
  const columns = csvColumns(addressContext);
  return (key) => {
    const known = knownOf(addressContext, key);
    return csvLine(columns.map(({ value }) => String(value(known) ?? "")));
  };
}

function drawnOf(addressContext: AddressContext): Write {
  const columns = contextDrawn(addressContext.fields);
  return (key) => {
    const json = jsonOf(addressContext, key);
    return columns.map(({ text }) => tabCell(text(json))).join("\t");
  };
}

function routersOf(addressContext: AddressContext): Write {
  return (keys) => {
    const known = keysIn(keys).filter((key) => key !== "");
    const json = known.map((key) => [addressOf(key), jsonOf(addressContext, key)]);
    return `"routers":${JSON.stringify(Object.fromEntries(json))}`;
  };
}

/** As ClickHouse writes TabSeparated. */
function tabCell(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n");
}

function csvColumns({ fields }: AddressContext): readonly Column<Known>[] {
  return contextColumns<Known>(fields, "csv", (known) => known);
}
