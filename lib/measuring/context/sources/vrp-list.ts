/**
 * VRPs as JSON, from routinator (`"asn": "AS64500"`) and from rpki-client (`"asn": 64500`).
 *
 *     {"metadata": {…}, "roas": [{"asn", "prefix", "maxLength", "ta"}]}
 */
import * as v from "valibot";
import { parsePrefix } from "../../../net/ip/prefix.ts";
import type { Vrp } from "../../../net/rpki/origin-validation.ts";
import { parseAsn } from "../asn.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { DataFileError } from "../data-file-error.ts";

const roaSchema = v.object({
  asn: v.union([v.string(), v.number()]),
  prefix: v.string(),
  maxLength: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(128)),
});

export function isVrpList(value: unknown): value is { readonly roas: readonly unknown[] } {
  return typeof value === "object" && value !== null && "roas" in value && Array.isArray(value.roas);
}

/** Returns the number of VRPs. */
export function readVrpList({ roas }: { readonly roas: readonly unknown[] }, book: ContextBuilder): number {
  for (const [index, value] of roas.entries()) {
    book.vrps.add(vrpOf(value, index));
  }
  return roas.length;
}

/** The item of the list at this index, from 0. Throws DataFileError. */
export function vrpOf(value: unknown, index: number): Vrp {
  const place = `roas[${index}]`;
  const roa = v.safeParse(roaSchema, value);
  const asn = roa.success ? parseAsn(String(roa.output.asn)) : null;
  const prefix = roa.success ? parsePrefix(roa.output.prefix) : null;
  if (!roa.success || asn === null || prefix === null) {
    throw new DataFileError(place, "not a ROA payload of asn, prefix and maxLength");
  }
  const { maxLength } = roa.output;
  if (maxLength < prefix.length || maxLength > (prefix.family === 4 ? 32 : 128)) {
    throw new DataFileError(place, `a maxLength of ${maxLength} does not fit ${roa.output.prefix}`);
  }
  return { prefix, maxLength, asn };
}
