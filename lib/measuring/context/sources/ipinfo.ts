/**
 * IPinfo Lite, as CSV or as JSON lines: for each network its country, continent and AS (CC BY-SA 4.0).
 *
 * CSV has a head line that names the columns, in any order; values may stand in quotes, with quotes doubled inside.
 * A network is `network` (a prefix or one address), or `start_ip` and `end_ip`.
 */
import { isIpv4, parseAddress } from "../../../net/ip/address.ts";
import { type BitPrefix, prefixesOfRange } from "../../../net/ip/address-range.ts";
import { parsePrefix } from "../../../net/ip/prefix.ts";
import { mappedBits, wordsOf } from "../../../net/ip/words.ts";
import { parseAsn } from "../asn.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { badLine, type Line, readLines } from "./lines.ts";

type Row = Readonly<Record<string, string>>;

/** Returns the number of networks. */
export function readIpinfoCsv(chunks: AsyncIterable<Uint8Array>, builder: ContextBuilder): Promise<number> {
  let columns: readonly string[] | null = null;
  const take = (line: Line) => {
    const values = csvValues(line);
    if (columns === null) {
      columns = headOf(values, line);
      return false;
    }
    if (values.length !== columns.length) {
      const detail = `${values.length} values, where the head line names ${columns.length} columns`;
      throw badLine(line, "line with another number of values", detail);
    }
    addRow(Object.fromEntries(columns.map((name, i) => [name, values[i] ?? ""])), line, builder);
    return true;
  };
  return readLines(chunks, { builder, take });
}

function headOf(values: readonly string[], line: Line): readonly string[] {
  if (!values.includes("network") && !values.includes("start_ip")) {
    throw badLine(line, "line before the head line", "it names no column network or start_ip");
  }
  return values;
}

/** Returns the number of networks. */
export function readIpinfoJson(chunks: AsyncIterable<Uint8Array>, builder: ContextBuilder): Promise<number> {
  const take = (line: Line) => {
    addRow(rowOf(line), line, builder);
    return true;
  };
  return readLines(chunks, { builder, take });
}

const notJson = "line that is not a JSON object";

function rowOf(line: Line): Row {
  try {
    const value: unknown = JSON.parse(line.text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, String(field ?? "")]));
    }
  } catch (cause) {
    throw badLine(line, notJson, `not JSON: ${cause instanceof Error ? cause.message : cause}`);
  }
  throw badLine(line, notJson, "not a JSON object");
}

function addRow(row: Row, line: Line, builder: ContextBuilder): void {
  if (row.asn && parseAsn(row.asn) === null) {
    const [place, detail] = [`line ${line.number}`, `"${row.asn.slice(0, 60)}" is not an AS number`];
    const reason = "AS number of a network that cannot be read";
    builder.passOver({ reason, place, detail, isDamage: true, fate: "left out" });
  }
  addIpinfoNetworks(networksOf(row, line), row, builder);
}

/** Adds what a row says about its networks; columns that are not there are empty. */
export function addIpinfoNetworks(networks: readonly BitPrefix[], row: Row, builder: ContextBuilder): void {
  const asn = row.asn ? parseAsn(row.asn) : null;
  const place = placeOf(row);
  for (const { base, bits } of networks) {
    builder.places.add(base, bits, place);
    if (asn !== null && asn !== 0) {
      builder.databaseOrigins.add(base, bits, [asn]);
    }
  }
  if (asn !== null) {
    builder.nameAs(asn, row.as_name ?? "", row.as_domain || null);
  }
}

/** Lite has codes in `country_code` and names in `country`; older files have the code in `country`. */
function placeOf(row: Row) {
  return {
    country: codeOf(row.country_code) ?? codeOf(row.country),
    countryName: row.country_name || (codeOf(row.country) === null ? row.country : "") || null,
    continent: codeOf(row.continent_code) ?? codeOf(row.continent),
    continentName: row.continent_name || (codeOf(row.continent) === null ? row.continent : "") || null,
    city: row.city || null,
    latitude: degreesOf(row.lat ?? row.latitude),
    longitude: degreesOf(row.lng ?? row.longitude),
    radiusKm: degreesOf(row.radius),
  };
}

function networksOf(row: Row, line: Line): BitPrefix[] {
  const prefix = row.network ? parsePrefix(row.network) : null;
  if (prefix !== null) {
    return [{ base: wordsOf(prefix.base), bits: mappedBits(prefix) }];
  }
  const first = parseAddress(row.start_ip ?? "");
  const last = parseAddress(row.end_ip ?? "");
  const isRange = first !== null && last !== null && isIpv4(first) === isIpv4(last);
  const networks = isRange ? prefixesOfRange(first, last) : [];
  if (networks.length === 0) {
    const named = row.network ?? `${row.start_ip} - ${row.end_ip}`;
    const reason = "line without a network that can be read";
    throw badLine(line, reason, `"${named.slice(0, 80)}" is not a network`);
  }
  return networks;
}

function codeOf(text: string | undefined): string | null {
  return text !== undefined && /^[A-Z]{2}$/.test(text) ? text : null;
}

function degreesOf(text: string | undefined): number | null {
  const value = Number(text);
  return text === undefined || text === "" || !Number.isFinite(value) ? null : value;
}

/** The values of a line of CSV (RFC 4180); a value does not go over several lines. */
function csvValues(line: Line): string[] {
  const values: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let isMore = true; isMore; ) {
    const match = pattern.exec(line.text);
    if (match === null) {
      throw badLine(line, "line whose quotes do not fit", "a quote that opens does not close");
    }
    values.push(match[1] === undefined ? (match[2] ?? "") : match[1].replaceAll('""', '"'));
    isMore = match[3] === ",";
  }
  return values;
}
