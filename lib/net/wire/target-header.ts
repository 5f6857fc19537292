/**
 * Headers of the broker's records. A record of `measure-probes` has one header for each agent it is meant for:
 * name = agent id, value = JSON `{"src_ip","measurement_id","end_of_measurement","first_probe","not_after","share",
 * "record_packets","request_id","shape"}`.
 *
 * The first three are what existing programs write and read; readers ignore keys they do not know.
 */
import { isPlainShape, type ProbeShape } from "../packet/probe.ts";
import { shapeJson, shapeOfJson } from "./probe-shape.ts";

export interface TargetHeader {
  /** Empty = the agent chooses. */
  readonly srcIp: string;
  /** Usually a UUID; null when the writer gave none. */
  readonly measurementId: string | null;
  readonly endOfMeasurement: boolean;
  /** Index of the record's first probe in the measurement; null when the writer does not count. */
  readonly firstProbe: number | null;
  /** Time after which the record must not be sent, in milliseconds since the epoch; null = no limit. */
  readonly notAfterMs: number | null;
  /**
   * How fast one destination may be probed for this measurement, by this agent; null or absent = the agent decides.
   */
  readonly share?: DestinationShare | null;
  /** Whether to keep the packets themselves; absent = no. */
  readonly recordsPackets?: boolean;
  /** The request that submitted the probes, for logs: see `isRequestId`; absent or null = none. */
  readonly requestId?: string | null;
  /** What the record's probes look like; absent = as short as they can be, and without marks. */
  readonly shape?: ProbeShape;
}

/** Packets/s to one destination; 0 = without limit. */
export interface DestinationShare {
  /** Groups measurements of one user, at this agent only: those with the same text count together. */
  readonly user: string;
  /** Packets/s to one address for this user: this agent's share. */
  readonly userAddress: number;
  /** To one address, for all users at all agents. */
  readonly address: number;
  /** To one /24 or /48, for all users at all agents. */
  readonly network: number;
  /**
   * Number of agents by which to divide `address` and `network` until the gateway has sent a number per
   * destination.
   */
  readonly agents: number;
  /** Numbers that the gateway sent before this time do not include the measurement: ms since the epoch. */
  readonly knownAtMs: number;
}

/** Ids of requests are safe in headers, logs and paths: 8 to 64 letters, digits, `_`, `.`, `-`. */
export function isRequestId(text: string): boolean {
  return /^[\w.-]{8,64}$/.test(text);
}

export const probesTopic = "measure-probes";
export const repliesTopic = "measure-replies";
/** Updates of routes from collectors: update.capnp. */
export const updatesTopic = "bmp-updates";

/** Partitions of both topics: enough that one long campaign does not block the others. */
export const topicPartitions = 16;
/** A day's retention: time to repair a consumer. */
export const topicRetentionMs = 24 * 3600 * 1000;

/** The consumer group of an agent, unless it is configured: each has its own, because each must see every record. */
export function agentGroup(agentId: string): string {
  return `vantage-agent-${agentId}`;
}

/**
 * Headers of a record of `measure-replies`. `producer` names the process that numbers its records, in 1 to 64
 * characters; `sequence` is the record's number in decimal, from 1, rising from record to record, so that a duplicate
 * is recognised.
 */
export const replyHeaders = {
  agent: "agent",
  measurementId: "measurement_id",
  probeAgent: "probe_agent",
  probeInstance: "probe_instance",
  producer: "producer",
  sequence: "sequence",
} as const;

/** A header is short; a longer one is not ours. */
const headerBytesMax = 4096;

type HeaderResult =
  | { readonly ok: true; readonly header: TargetHeader }
  | { readonly ok: false; readonly reason: string };

export function encodeTargetHeader(header: TargetHeader): string {
  return JSON.stringify({
    src_ip: header.srcIp,
    ...(header.measurementId === null ? {} : { measurement_id: header.measurementId }),
    end_of_measurement: header.endOfMeasurement,
    ...(header.firstProbe === null ? {} : { first_probe: header.firstProbe }),
    ...(header.notAfterMs === null ? {} : { not_after: new Date(header.notAfterMs).toISOString() }),
    ...(header.share ? { share: shareToWire(header.share) } : {}),
    ...(header.recordsPackets === true ? { record_packets: true } : {}),
    ...(header.requestId ? { request_id: header.requestId } : {}),
    ...(isPlainShape(header.shape ?? {}) ? {} : { shape: shapeJson(header.shape ?? {}) }),
  });
}

function shareToWire({ user, userAddress, address, network, agents, knownAtMs }: DestinationShare) {
  const rates = { user_address_rate: userAddress, address_rate: address, network_rate: network };
  return { user, ...rates, agents, known_at_ms: knownAtMs };
}

/** Null = missing or unreadable. */
function shareOf(value: unknown): DestinationShare | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const object = value as Readonly<Record<string, unknown>>;
  const { user, user_address_rate, address_rate, network_rate, agents = 1, known_at_ms = 0 } = object;
  if (typeof user !== "string" || !isRate(user_address_rate) || !isRate(address_rate)) {
    return null;
  }
  return isRate(network_rate) && isRate(agents) && isRate(known_at_ms)
    ? {
        ...{ user, userAddress: user_address_rate, address: address_rate, network: network_rate },
        ...{ agents: Math.max(1, agents), knownAtMs: known_at_ms },
      }
    : null;
}

/** An invalid id does not make the record invalid. */
function requestIdOf(value: unknown): Pick<TargetHeader, "requestId"> {
  return typeof value === "string" && isRequestId(value) ? { requestId: value } : {};
}

function isRate(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Never throws; `reason` names the key and its fault. `not_after` is RFC 3339. */
export function decodeTargetHeader(text: string): HeaderResult {
  if (text.length > headerBytesMax) {
    return { ok: false, reason: `header has more than ${headerBytesMax} characters` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "header is not JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, reason: "header is not a JSON object" };
  }
  return readObject(value as Readonly<Record<string, unknown>>);
}

function readObject(object: Readonly<Record<string, unknown>>): HeaderResult {
  const srcIp = object.src_ip ?? "";
  const measurementId = object.measurement_id ?? null;
  const endOfMeasurement = object.end_of_measurement ?? false;
  const firstProbe = object.first_probe ?? null;
  const notAfter = object.not_after ?? null;
  if (typeof srcIp !== "string") {
    return { ok: false, reason: "src_ip is not a string" };
  }
  if (measurementId !== null && typeof measurementId !== "string") {
    return { ok: false, reason: "measurement_id is not a string" };
  }
  if (typeof endOfMeasurement !== "boolean") {
    return { ok: false, reason: "end_of_measurement is neither true nor false" };
  }
  if (
    firstProbe !== null &&
    (typeof firstProbe !== "number" || !Number.isSafeInteger(firstProbe) || firstProbe < 0)
  ) {
    return { ok: false, reason: "first_probe is not an index" };
  }
  const notAfterMs = typeof notAfter === "string" ? Date.parse(notAfter) : null;
  if ((notAfter !== null && typeof notAfter !== "string") || Number.isNaN(notAfterMs)) {
    return { ok: false, reason: "not_after is not an RFC 3339 time" };
  }
  const share = object.share ?? null;
  const shape = shapeOfJson(object.shape ?? {});
  if (shape === null) {
    return { ok: false, reason: "shape is not one that this agent can send" };
  }
  const asked = {
    ...(object.record_packets === true ? { recordsPackets: true } : {}),
    ...requestIdOf(object.request_id),
    ...(isPlainShape(shape) ? {} : { shape }),
  };
  const header = { srcIp, measurementId, endOfMeasurement, firstProbe, notAfterMs, ...asked };
  if (share === null) {
    return { ok: true, header };
  }
  const read = shareOf(share);
  return read === null
    ? { ok: false, reason: "share has no rates" }
    : { ok: true, header: { ...header, share: read } };
}
