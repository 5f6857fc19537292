/**
 * The shape of probes as JSON, in headers of records and in answers of the API:
 * `{"size_bytes", "dont_fragment", "traffic_class", "flow_label", "dns"}`, each absent where probes are as without it.
 */
import { type DnsQuestion, dnsQuestions } from "../packet/dns-question.ts";
import { type ProbeShape, sizeBytesMax, sizeBytesMin } from "../packet/probe.ts";

export type ShapeJson = {
  readonly size_bytes?: number;
  readonly dont_fragment?: boolean;
  readonly traffic_class?: number;
  readonly flow_label?: number;
  readonly dns?: DnsQuestion;
};

/** The least and the most of each number; both families take a size of IPv6's least. */
export const shapeLimits = {
  size_bytes: [sizeBytesMin[6], sizeBytesMax],
  traffic_class: [0, 255],
  flow_label: [1, 0xf_ffff],
} as const satisfies Readonly<Partial<Record<keyof ShapeJson, readonly [number, number]>>>;

export function shapeJson({ sizeBytes, dontFragment, trafficClass, flowLabel, dns }: ProbeShape): ShapeJson {
  return {
    ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }),
    ...(dontFragment === true ? { dont_fragment: true } : {}),
    ...(trafficClass === undefined ? {} : { traffic_class: trafficClass }),
    ...(flowLabel === undefined ? {} : { flow_label: flowLabel }),
    ...(dns === undefined ? {} : { dns }),
  };
}

/** Null for anything else; unknown members are ignored. */
export function shapeOfJson(value: unknown): ProbeShape | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return null;
  }
  const given = value as Readonly<Record<string, unknown>>;
  const { dont_fragment: dontFragment = false } = given;
  const isWithin = (name: keyof typeof shapeLimits) => {
    const [low, high] = shapeLimits[name];
    const number = given[name] ?? low;
    return typeof number === "number" && Number.isInteger(number) && number >= low && number <= high;
  };
  if (typeof dontFragment !== "boolean" || !isWithin("size_bytes") || !isWithin("traffic_class")) {
    return null;
  }
  if (!isWithin("flow_label")) {
    return null;
  }
  const { dns = null } = given;
  const isQuestion = dns === null || dnsQuestions.some((question) => question === dns);
  if (!isQuestion || (dns !== null && given.size_bytes != null)) {
    return null;
  }
  const { size_bytes: sizeBytes, traffic_class: trafficClass, flow_label: flowLabel } = given as ShapeJson;
  const question = dnsQuestions.find((one) => one === dns);
  return {
    ...(sizeBytes == null ? {} : { sizeBytes }),
    ...(dontFragment ? { dontFragment } : {}),
    ...(trafficClass == null ? {} : { trafficClass }),
    ...(flowLabel == null ? {} : { flowLabel }),
    ...(question === undefined ? {} : { dns: question }),
  };
}
