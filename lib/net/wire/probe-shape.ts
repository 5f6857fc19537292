/**
 * The shape of probes as JSON, in headers of records and in answers of the API:
 * `{"size_bytes", "dont_fragment", "traffic_class", "flow_label"}`, each absent where probes are as without it.
 */
import * as v from "valibot";
import { type ProbeShape, sizeBytesMax, sizeBytesMin } from "../packet/probe.ts";

const whole = (low: number, high: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(low), v.maxValue(high));

/** Both families take a size of IPv6's least. */
export const sizeBytesSchema = whole(sizeBytesMin[6], sizeBytesMax);
export const flowLabelSchema = whole(1, 0xf_ffff);

export const shapeSchema = v.object({
  size_bytes: v.optional(sizeBytesSchema),
  dont_fragment: v.optional(v.boolean()),
  traffic_class: v.optional(whole(0, 255)),
  flow_label: v.optional(flowLabelSchema),
});
export type ShapeJson = v.InferOutput<typeof shapeSchema>;

export function shapeJson({ sizeBytes, dontFragment, trafficClass, flowLabel }: ProbeShape): ShapeJson {
  return {
    ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }),
    ...(dontFragment === true ? { dont_fragment: true } : {}),
    ...(trafficClass === undefined ? {} : { traffic_class: trafficClass }),
    ...(flowLabel === undefined ? {} : { flow_label: flowLabel }),
  };
}

/** Null for anything else. */
export function shapeOfJson(value: unknown): ProbeShape | null {
  const read = v.safeParse(shapeSchema, value);
  if (!read.success) {
    return null;
  }
  const {
    size_bytes: sizeBytes,
    dont_fragment,
    traffic_class: trafficClass,
    flow_label: flowLabel,
  } = read.output;
  return {
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(dont_fragment === true ? { dontFragment: true } : {}),
    ...(trafficClass === undefined ? {} : { trafficClass }),
    ...(flowLabel === undefined ? {} : { flowLabel }),
  };
}
