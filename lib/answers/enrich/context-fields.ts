/**
 * Context of shown addresses: the fields that a reader can request, and their form in JSON, in CSV and in tables. Null
 * in each member: unknown.
 */
import * as v from "valibot";
import type { Column, Format } from "../../base/terminal/rows-output.ts";
import type { AddressContext } from "../../measuring/context/context-set.ts";
import type { ExchangeCrossing } from "../../measuring/context/exchange-crossing.ts";
import { isReserved } from "../../measuring/probing/is-reserved.ts";
import type { Address } from "../../net/ip/address.ts";

/** Facts about an address by itself, in the order in which they are shown. */
export const addressFields = ["asn", "ixp", "geo", "rpki", "name"] as const;
/** Facts that require the address's path: the router's owner, and the AS path. */
export const contextFields = [...addressFields, "path"] as const;
export type ContextField = (typeof contextFields)[number];

/** The day of the set that was used, and the days of its files. */
interface SetDates {
  readonly set: string;
  /** The last of its files with origins, and of those with places. */
  readonly bgp: string | null;
  readonly geo: string | null;
}

export interface Known {
  /** Null: no reply. */
  readonly address: Address | null;
  /** Null: no set. */
  readonly context: AddressContext | null;
  readonly dates: SetDates | null;
  /** By reverse DNS. */
  readonly name: string | null;
  /** AS of the router with the address, by its path. */
  readonly ownerAsn?: number | null;
  /** By its path, on the LAN of an exchange; absent without a path. */
  readonly crossing?: ExchangeCrossing | null;
}

export const nothingKnown: Known = { address: null, context: null, dates: null, name: null };

interface Member {
  readonly name: string;
  /** Shown when one of these was requested. */
  readonly of: readonly ContextField[];
  readonly value: (known: Known) => unknown;
  readonly schema: v.GenericSchema;
  readonly meaning: string;
  /** Columns of CSV, where a value has parts. */
  readonly parts?: readonly string[];
  /** Only in JSON of traced paths: an address by itself does not have it. */
  readonly isOfPath?: boolean;
}

const text = v.nullable(v.string());
const number = v.nullable(v.number());
const fromSet = ["asn", "ixp", "geo", "rpki", "path"] as const;

const members: readonly Member[] = [
  {
    ...{ name: "asn", of: ["asn"], schema: v.nullable(v.pipe(v.number(), v.integer())) },
    meaning: "the member at an exchange, else the origin in BGP, else of a database",
    value: ({ context }) => context?.asn ?? null,
  },
  {
    ...{ name: "as_name", of: ["asn"], schema: text, meaning: "of asn" },
    value: ({ context }) => context?.asName?.name ?? null,
  },
  {
    ...{ name: "asn_source", of: ["asn"] },
    schema: v.nullable(v.picklist(["exchange", "bgp", "database", "private"])),
    meaning: "where asn is from; private: an address of no public network",
    value: (known) => known.context?.asnSource ?? (isPrivate(known) ? "private" : null),
  },
  {
    ...{ name: "ixp", of: ["ixp"], meaning: "exchange on whose LAN the address is" },
    schema: v.nullable(v.object({ id: v.number(), name: v.string() })),
    parts: ["id", "name"],
    value: ({ context }) => exchangeOf(context),
  },
  {
    ...{ name: "ixp_crossing", of: ["ixp"], isOfPath: true },
    meaning: "whether the path crosses the exchange here, and between whom; null elsewhere",
    schema: v.nullable(
      v.object({ level: v.picklist(["strong", "medium", "weak"]), from_asn: number, to_asn: number }),
    ),
    value: ({ crossing }) => crossingOf(crossing),
  },
  {
    ...{ name: "geo", of: ["geo"], meaning: "a database's guess" },
    schema: v.nullable(v.object({ country: text, city: text, lat: number, lon: number, radius_km: number })),
    parts: ["country", "city", "lat", "lon", "radius_km"],
    value: ({ context }) => placeOf(context),
  },
  {
    ...{ name: "rpki", of: ["rpki"], schema: v.nullable(v.picklist(["valid", "invalid", "unknown"])) },
    meaning: "state of the announced prefix and its origin",
    value: ({ context }) => context?.rpki ?? null,
  },
  {
    ...{ name: "name", of: ["name"], schema: text, meaning: "by reverse DNS" },
    value: ({ name }) => name,
  },
  {
    ...{ name: "owner_asn", of: ["path"], schema: v.nullable(v.pipe(v.number(), v.integer())) },
    meaning: "AS of the router with this address, by its path; it need not be the origin of the address",
    value: ({ ownerAsn }) => ownerAsn ?? null,
  },
  {
    ...{ name: "source", of: fromSet, meaning: "days of the set, and of its files" },
    schema: v.nullable(v.object({ set: v.string(), bgp: text, geo: text })),
    parts: ["set", "bgp", "geo"],
    value: ({ dates }) => dates,
  },
];

function membersOf(fields: readonly ContextField[]): Member[] {
  return members.filter(({ of }) => of.some((field) => fields.includes(field)));
}

/** Members of a row in JSON. */
export function contextJson(known: Known, fields: readonly ContextField[]): Record<string, unknown> {
  return Object.fromEntries(
    membersOf(fields).flatMap(({ name, value, isOfPath }) =>
      isOfPath === true && known.crossing === undefined ? [] : [[name, value(known)]],
    ),
  );
}

/** Columns for rows, without a place in tables; in CSV each part of a value has one. */
export function contextColumns<Row>(
  fields: readonly ContextField[],
  format: Format,
  knownOf: (row: Row) => Known,
): readonly Column<Row>[] {
  const alone = membersOf(fields).filter(({ isOfPath }) => isOfPath !== true);
  return alone.flatMap(({ name, value, parts }): Column<Row>[] =>
    format !== "csv" || parts === undefined
      ? [{ name, head: null, value: (row) => value(knownOf(row)) }]
      : parts.map((part) => ({
          ...{ name: `${name}_${part}`, head: null },
          value: (row) => (value(knownOf(row)) as Readonly<Record<string, unknown>> | null)?.[part],
        })),
  );
}

/** Entries of a row's schema; a row has those that were requested. */
export const contextEntries: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries(
  members
    .filter(({ isOfPath }) => isOfPath !== true)
    .map(({ name, schema, meaning }) => [name, v.optional(v.pipe(schema, v.description(meaning)))]),
);

interface ContextText {
  readonly field: ContextField;
  readonly head: string;
  readonly text: (json: Readonly<Record<string, unknown>>) => string;
}

/** A field in a table: its head, and its text; a name stands where its address does. */
export const contextTexts: readonly ContextText[] = [
  { field: "asn", head: "AS", text: asText },
  { field: "path", head: "owner", text: ownerText },
  { field: "ixp", head: "exchange", text: exchangeText },
  {
    field: "geo",
    head: "place",
    text: ({ geo }) => `${partOf(geo, "country")} ${partOf(geo, "city")}`.trim(),
  },
  { field: "rpki", head: "RPKI", text: ({ rpki }) => String(rpki ?? "") },
];

/** Columns of tables for values with the JSON members. */
export function contextDrawn(fields: readonly ContextField[]): ContextText[] {
  const name: ContextText = { field: "name", head: "name", text: ({ name: known }) => String(known ?? "") };
  return [...contextTexts, name].filter(({ field }) => fields.includes(field));
}

/** Longer names of networks would leave no room for the figures. */
const asNameMax = 24;

/** `AS64500 EXAMPLE-NET`, `private`, `?`. */
function asText({ asn, as_name: name, asn_source: source }: Readonly<Record<string, unknown>>): string {
  if (typeof asn !== "number") {
    return source === "private" ? "private" : "?";
  }
  const letters = [...(typeof name === "string" ? name : "")];
  const shown =
    letters.length > asNameMax ? `${letters.slice(0, asNameMax - 1).join("")}…` : letters.join("");
  return `AS${asn} ${shown}`.trim();
}

/** `AMS-IX`, and on a traced path the confidence in the crossing: `AMS-IX, strong`. */
function exchangeText({ ixp, ixp_crossing: crossing }: Readonly<Record<string, unknown>>): string {
  return [partOf(ixp, "name"), partOf(crossing, "level")].filter((part) => part !== "").join(", ");
}

/** Empty if it is the origin, which has its own column. */
function ownerText({ asn, owner_asn: owner }: Readonly<Record<string, unknown>>): string {
  return typeof owner !== "number" || owner === asn ? "" : `AS${owner}`;
}

function partOf(value: unknown, part: string): string {
  return String((value as Readonly<Record<string, unknown>> | null | undefined)?.[part] ?? "");
}

function crossingOf(crossing: Known["crossing"]): unknown {
  return crossing == null
    ? null
    : { level: crossing.level, from_asn: crossing.fromAsn, to_asn: crossing.toAsn };
}

function exchangeOf(context: AddressContext | null): unknown {
  const exchange = context?.exchange ?? null;
  return exchange && { id: exchange.id, name: exchange.name };
}

function placeOf(context: AddressContext | null): unknown {
  const place = context?.place ?? null;
  return (
    place && {
      ...{ country: place.country, city: place.city },
      ...{ lat: place.latitude, lon: place.longitude, radius_km: place.radiusKm },
    }
  );
}

function isPrivate({ address, context }: Known): boolean {
  return address !== null && context?.exchange == null && isReserved(address);
}
