/** What the probes of a submission look like: parameters of its query. */
import * as v from "valibot";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { dnsPort, dnsQuestions } from "../../../../lib/net/packet/dns-question.ts";
import type { ProbeShape } from "../../../../lib/net/packet/probe.ts";
import { shapeFrom } from "../../../../lib/net/packet/shape-given.ts";
import { dscpForm, dscpOf, ecnNames } from "../../../../lib/net/packet/traffic-class.ts";
import { shapeLimits } from "../../../../lib/net/wire/probe-shape.ts";
import { flagInput } from "../measurements/list-query.ts";

const within = (name: keyof typeof shapeLimits) => {
  const [low, high] = shapeLimits[name];
  return v.pipe(v.number(), v.safeInteger(), v.minValue(low), v.maxValue(high));
};

/** As in an answer. */
export const shapeSchema = v.object({
  size_bytes: v.optional(within("size_bytes")),
  dont_fragment: v.optional(v.boolean()),
  traffic_class: v.optional(within("traffic_class")),
  flow_label: v.optional(within("flow_label")),
  dns: v.optional(v.picklist(dnsQuestions)),
});

const digits = v.pipe(v.string(), v.regex(/^[0-9]{1,7}$/, "must be a whole number"), v.transform(Number));

export const shapeQuery = {
  size: v.pipe(
    v.optional(v.pipe(digits, within("size_bytes"))),
    v.description("IP length of each probe in bytes; UDP and ICMP. Default: as short as its TTL allows"),
  ),
  df: v.pipe(v.optional(flagInput, ""), v.description("true: no router may divide IPv4 probes")),
  dscp: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.check((text) => dscpOf(text) !== null, `must be ${dscpForm}`),
        v.transform((text) => dscpOf(text) ?? 0),
      ),
    ),
    v.description("DSCP of the probes; default 0"),
  ),
  ecn: v.pipe(v.optional(v.picklist(ecnNames)), v.description("ECN of the probes; default not-ect")),
  flow_label: v.pipe(
    v.optional(v.pipe(digits, within("flow_label"))),
    v.description("IPv6 flow label of all flows; default: one for each, from its ports"),
  ),
  dns: v.pipe(
    v.optional(v.picklist(dnsQuestions)),
    v.description("What UDP probes to port 53 ask name servers, whose sites then name themselves"),
  ),
};

type ShapeGiven = {
  readonly [Name in keyof typeof shapeQuery]?: v.InferOutput<(typeof shapeQuery)[Name]>;
};

export function shapeOfQuery({ flow_label: flowLabel, ...given }: ShapeGiven): ProbeShape {
  return shapeFrom({ ...given, flowLabel });
}

interface ShapedProbes {
  readonly hasTcp: boolean;
  /** All are UDP to port 53. */
  readonly areQueries: boolean;
}

/** Throws Problem 400. */
export function checkShape({ sizeBytes, dns }: ProbeShape, { hasTcp, areQueries }: ShapedProbes): void {
  if (dns !== undefined && sizeBytes !== undefined) {
    throw problem(400, "invalid_probe", "A DNS probe is as long as its question: leave out size or dns");
  }
  if (dns !== undefined && !areQueries) {
    throw problem(400, "invalid_probe", `DNS probes are UDP to port ${dnsPort}, and no others`);
  }
  if (sizeBytes !== undefined && hasTcp) {
    throw problem(400, "invalid_probe", "A TCP SYN carries no data: size is for UDP and ICMP probes");
  }
}
