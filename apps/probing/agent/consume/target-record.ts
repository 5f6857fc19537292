/** One record of `measure-probes`, parsed for one agent: valid, or the reason why not. */
import { type IncomingRecord, recordBytesMax } from "../../../../lib/engines/broker/broker.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { dnsPort } from "../../../../lib/net/packet/dns-question.ts";
import { ProbeCursor } from "../../../../lib/net/wire/probe-codec.ts";
import {
  decodeTargetHeader,
  replyHeaders,
  type TargetHeader,
} from "../../../../lib/net/wire/target-header.ts";
import { measurementIdBytesMax } from "../limits.ts";
import type { SourceRules, Sources } from "./source-rules.ts";

export interface TargetRecord {
  readonly header: TargetHeader;
  readonly sources: Sources;
  readonly value: Uint8Array;
  readonly probeCount: number;
}

export type TargetRecordResult =
  | { readonly kind: "ours"; readonly record: TargetRecord }
  /** It has no header for this agent. */
  | { readonly kind: "foreign" }
  /** Unreadable; `measurementId` is null when it is unreadable too. */
  | ({ readonly kind: "bad" } & Fault)
  /** Readable, but cannot be sent from here. */
  | ({ readonly kind: "refused" } & Fault);

interface Fault {
  readonly reason: string;
  readonly measurementId: string | null;
  /** Absent or null = none. */
  readonly requestId?: string | null;
}

interface RecordRules {
  readonly sources: SourceRules;
  /** DNS probes may be sent from here. */
  readonly allowsDns: boolean;
}

/** Never throws. Reads every probe, so that no probe is sent of a record with an error further on. */
export function readTargetRecord(
  record: IncomingRecord,
  agentId: string,
  rules: RecordRules,
): TargetRecordResult {
  const text = Object.hasOwn(record.headers, agentId) ? record.headers[agentId] : undefined;
  if (text === undefined) {
    return { kind: "foreign" };
  }
  const decoded = decodeTargetHeader(text);
  if (!decoded.ok) {
    return { kind: "bad", reason: decoded.reason, measurementId: null };
  }
  const header = withPlainHeader(decoded.header, record);
  const { measurementId, requestId = null } = header;
  if (new TextEncoder().encode(measurementId ?? "").length > measurementIdBytesMax) {
    const reason = `measurement_id has more than ${measurementIdBytesMax} bytes`;
    return { kind: "bad", reason, measurementId: null };
  }
  const requested = header.srcIp === "" ? null : parseAddress(header.srcIp);
  if (requested === null && header.srcIp !== "") {
    return {
      kind: "bad",
      reason: `src_ip "${header.srcIp.slice(0, 64)}" is not an IP address`,
      ...{ measurementId, requestId },
    };
  }
  const isDns = header.shape?.dns !== undefined;
  const { probeCount, reason } = readProbes(record.value, isDns);
  if (reason !== null) {
    return { kind: "bad", reason, measurementId, requestId };
  }
  if (isDns && !rules.allowsDns) {
    return { kind: "refused", reason: dnsRefusal, measurementId, requestId };
  }
  const sources = rules.sources.sourcesFor(requested);
  const where = `source ${header.srcIp} lies in no prefix of this agent`;
  return sources === null
    ? { kind: "refused", reason: where, measurementId, requestId }
    : { kind: "ours", record: { header, sources, value: record.value, probeCount } };
}

/** An existing client puts its measurement into a separate header. */
function withPlainHeader(header: TargetHeader, record: IncomingRecord): TargetHeader {
  const plain = record.headers[replyHeaders.measurementId];
  return header.measurementId === null && plain !== undefined && plain !== ""
    ? { ...header, measurementId: plain }
    : header;
}

const dnsRefusal = "this agent's operator does not allow DNS probes (agent.dns_probes)";

function readProbes(
  value: Uint8Array,
  isDns: boolean,
): { readonly probeCount: number; readonly reason: string | null } {
  if (value.length > recordBytesMax) {
    return { probeCount: 0, reason: `has ${value.length} bytes of at most ${recordBytesMax}` };
  }
  const cursor = new ProbeCursor(value);
  let probeCount = 0;
  while (cursor.next < value.length) {
    const at = cursor.next;
    cursor.advance();
    if (cursor.reason !== null) {
      return { probeCount, reason: `probe ${probeCount}, at byte ${at}: ${cursor.reason}` };
    }
    if (isDns && (cursor.protocol !== "udp" || cursor.dstPort !== dnsPort)) {
      return {
        probeCount,
        reason: `probe ${probeCount}, at byte ${at}: a DNS probe is UDP to port ${dnsPort}`,
      };
    }
    probeCount++;
  }
  return { probeCount, reason: null };
}

/** For the log: what an operator can look up by `vantage admin trace`. */
export function namesOf(about: Omit<Fault, "reason">): string[] {
  return [
    ...(about.measurementId === null ? [] : [`measurement ${about.measurementId}`]),
    ...(about.requestId ? [`request ${about.requestId}`] : []),
  ];
}
