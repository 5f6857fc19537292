/** The output of `vantage context`: sets, and the context of addresses in one of them. */
import { grouped } from "../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import type { AddressContext } from "../../../lib/measuring/context/context-set.ts";
import type { Manifest } from "../../../lib/measuring/context/disk/context-folder.ts";

interface LookupRow {
  readonly address: string;
  /** The day of the set that was used. */
  readonly date: string;
  readonly context: AddressContext;
}

export const lookupColumns: readonly Column<LookupRow>[] = [
  { name: "address", head: "address", value: ({ address }) => address },
  {
    name: "asn",
    head: "AS",
    value: ({ context }) => context.asn,
    cell: ({ context }) => [context.asn ?? "?", ...context.otherAsns.map((asn) => `(${asn})`)].join(" "),
  },
  { name: "as_name", head: "name", value: ({ context }) => context.asName?.name ?? null },
  { name: "asn_source", head: null, value: ({ context }) => context.asnSource },
  {
    name: "other_asns",
    head: null,
    value: ({ context }) => context.otherAsns,
    text: ({ context }) => context.otherAsns.join(" "),
  },
  { name: "prefix", head: "prefix", value: ({ context }) => context.prefix },
  { name: "rpki", head: "RPKI", value: ({ context }) => context.rpki },
  {
    name: "ixp",
    head: "exchange",
    value: ({ context }) => context.exchange && { id: context.exchange.id, name: context.exchange.name },
    text: ({ context }) => context.exchange?.name ?? "",
  },
  {
    name: "country",
    head: "place",
    value: ({ context }) => context.place?.country ?? null,
    cell: ({ context }) => [context.place?.country, context.place?.city].filter(Boolean).join(" "),
  },
  { name: "city", head: null, value: ({ context }) => context.place?.city ?? null },
  { name: "latitude", head: null, value: ({ context }) => context.place?.latitude ?? null },
  { name: "longitude", head: null, value: ({ context }) => context.place?.longitude ?? null },
  { name: "radius_km", head: null, value: ({ context }) => context.place?.radiusKm ?? null },
  { name: "registry", head: "registry", value: ({ context }) => context.registration?.registry ?? null },
  { name: "registry_country", head: null, value: ({ context }) => context.registration?.country ?? null },
  { name: "set_date", head: null, value: ({ date }) => date },
];

interface SourceRow {
  readonly manifest: Manifest;
  readonly source: Manifest["sources"][number];
}

export const statusColumns: readonly Column<SourceRow>[] = [
  { name: "date", head: "day", value: ({ manifest }) => manifest.date },
  { name: "file", head: "file", value: ({ source }) => source.file },
  { name: "kind", head: "kind", value: ({ source }) => source.kind },
  {
    name: "records",
    head: "records",
    value: ({ source }) => source.records,
    cell: ({ source }) => grouped(source.records),
    align: "right",
  },
  {
    name: "modified_at",
    head: "of",
    value: ({ source }) => source.modified_at,
    cell: ({ source }) => source.modified_at.slice(0, 16),
  },
  { name: "bytes", head: null, value: ({ source }) => source.bytes },
  {
    name: "sha256",
    head: "SHA-256",
    value: ({ source }) => source.sha256,
    cell: ({ source }) => source.sha256.slice(0, 12),
  },
  { name: "made_at", head: null, value: ({ manifest }) => manifest.made_at },
];
