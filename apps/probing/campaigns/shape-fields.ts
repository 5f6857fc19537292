/**
 * What a campaign's own probes look like, as in the query of a submission: the same in each run. Pings that follow a
 * run, and what alerts start, are without it.
 *
 *   size: 1400     df: true     dscp: EF     ecn: ect0     flow_label: 5     dns: id.server
 */
import * as v from "valibot";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { dnsPort, dnsQuestions } from "../../../lib/net/packet/dns-question.ts";
import type { ProbeShape } from "../../../lib/net/packet/probe.ts";
import { shapeFrom } from "../../../lib/net/packet/shape-given.ts";
import { dscpForm, dscpOf, ecnNames } from "../../../lib/net/packet/traffic-class.ts";
import { shapeLimits } from "../../../lib/net/wire/probe-shape.ts";

const dscpMessage = `must be ${dscpForm}`;

export const shapeFields = {
  size: v.optional(wholeNumber(...shapeLimits.size_bytes)),
  df: v.optional(v.boolean("must be true or false")),
  dscp: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], dscpMessage),
      v.check((given) => dscpOf(String(given)) !== null, dscpMessage),
    ),
  ),
  ecn: v.optional(v.picklist(ecnNames, `must be one of ${ecnNames.join(", ")}`)),
  flow_label: v.optional(wholeNumber(...shapeLimits.flow_label)),
  dns: v.optional(v.picklist(dnsQuestions, `must be one of ${dnsQuestions.join(", ")}`)),
} as const;

export const shapeFieldNames = ["size", "df", "dscp", "ecn", "flow_label", "dns"] as const;

export type ShapeFields = v.InferOutput<v.StrictObjectSchema<typeof shapeFields, undefined>>;

export function shapeOfFields({ dscp, flow_label: flowLabel, ...given }: ShapeFields): ProbeShape {
  return shapeFrom({ ...given, flowLabel, dscp: dscp === undefined ? null : dscpOf(String(dscp)) });
}

interface ShapedProbes {
  readonly hasTcp: boolean;
  /** All are UDP to port 53. */
  readonly areQueries: boolean;
}

/** Why these probes cannot have it: the field, and the reason; null = they can. */
export function shapeFault(
  { size, dns }: ShapeFields,
  { hasTcp, areQueries }: ShapedProbes,
): readonly [field: "size" | "dns", reason: string] | null {
  if (dns !== undefined && !areQueries) {
    return ["dns", `is for UDP probes to port ${dnsPort}: set "dst_port: ${dnsPort}"`];
  }
  return size !== undefined && hasTcp ? ["size", "is for UDP and ICMP: a TCP SYN carries no data"] : null;
}
