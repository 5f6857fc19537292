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
import { BadLine, Rows } from "./lines.ts";

const roaSchema = v.object({
  asn: v.union([v.string(), v.number()]),
  prefix: v.string(),
  maxLength: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(128)),
});

export function isVrpList(value: unknown): value is { readonly roas: readonly unknown[] } {
  return typeof value === "object" && value !== null && "roas" in value && Array.isArray(value.roas);
}

/** Returns the number of VRPs. @throws BadLine where there are items, of which none can be read */
export function readVrpList(
  { roas }: { readonly roas: readonly unknown[] },
  builder: ContextBuilder,
): number {
  const rows = new Rows(builder);
  for (const [index, value] of roas.entries()) {
    rows.take(() => {
      builder.vrps.add(vrpOf(value, index));
      return true;
    });
  }
  return rows.taken();
}

/** The item of the list at this index, from 0. Throws BadLine. */
export function vrpOf(value: unknown, index: number): Vrp {
  const place = `roas[${index}]`;
  const roa = v.safeParse(roaSchema, value);
  const asn = roa.success ? parseAsn(String(roa.output.asn)) : null;
  const prefix = roa.success ? parsePrefix(roa.output.prefix) : null;
  if (!roa.success || asn === null || prefix === null) {
    const detail = "not a ROA payload of asn, prefix and maxLength";
    throw new BadLine(place, "ROA payload that cannot be read", detail);
  }
  const { maxLength } = roa.output;
  if (maxLength < prefix.length || maxLength > (prefix.family === 4 ? 32 : 128)) {
    const detail = `a maxLength of ${maxLength} does not fit ${roa.output.prefix}`;
    throw new BadLine(place, "ROA payload whose maxLength does not fit its prefix", detail);
  }
  return { prefix, maxLength, asn };
}
