/** The shape of probes from what people give: marks by their names; null or absent = not given. */
import type { DnsQuestion } from "./dns-question.ts";
import type { ProbeShape } from "./probe.ts";
import { type EcnName, trafficClassOf } from "./traffic-class.ts";

interface GivenShape {
  readonly size?: number | null | undefined;
  readonly df?: boolean | undefined;
  /** 0–63. */
  readonly dscp?: number | null | undefined;
  readonly ecn?: EcnName | null | undefined;
  readonly flowLabel?: number | null | undefined;
  readonly dns?: DnsQuestion | null | undefined;
}

export function shapeFrom({ size, df = false, dscp, ecn, flowLabel, dns }: GivenShape): ProbeShape {
  const isMarked = dscp != null || ecn != null;
  return {
    ...(size == null ? {} : { sizeBytes: size }),
    ...(df ? { dontFragment: true } : {}),
    ...(isMarked ? { trafficClass: trafficClassOf(dscp ?? 0, ecn ?? "not-ect") } : {}),
    ...(flowLabel == null ? {} : { flowLabel }),
    ...(dns == null ? {} : { dns }),
  };
}
