/** A reply with the store's additional columns, and its parser from a row in JSON. Pure. */
import * as v from "valibot";
import { parseAddress } from "../../net/ip/address.ts";
import { protocolNumber } from "../../net/packet/probe.ts";
import { asSent, type Reply, rttUnknownTenthMs } from "../../net/packet/reply.ts";
import { type ReplyField, replyFields, type WireForm } from "../../net/wire/reply-fields.ts";
import { timeNs } from "./value-forms.ts";
import { repliesView } from "./views/replies.ts";

export interface StoredReply {
  readonly reply: Reply;
  /** Empty if unknown. */
  readonly measurementId: string;
  /** The agent that sent the probe; empty if unknown. */
  readonly probeAgent: string;
  /** The instance of `probeAgent`; 0 also when unknown. */
  readonly probeInstance: number;
}

/** Null for a row that lacks a member, or has one of another form; unknown members are ignored. */
export function readReplyRow(row: unknown): StoredReply | null {
  if (!v.is(repliesView.schema, row)) {
    return null;
  }
  const given = row as unknown as Readonly<Record<string, unknown>>;
  const values = replyFields.map((field) => [field.member, readValue(field, given[field.json])] as const);
  return values.some(([, value]) => value === null)
    ? null
    : {
        // Each member has a field: a test compares replies that went through the store.
        reply: Object.fromEntries(values) as unknown as Reply,
        measurementId: String(given.measurement_id),
        probeAgent: String(given.probe_agent),
        probeInstance: Number(given.probe_instance),
      };
}

type Reading = (value: never) => unknown;

const reading: Readonly<Record<WireForm, Reading>> = {
  u8: (number: number) => number,
  u16: (number: number) => number,
  u32: (number: number) => number,
  u64: timeNs,
  text: (text: string) => text,
  address: parseAddress,
  labels: (labels: readonly { readonly bottom_of_stack: boolean }[]) =>
    labels.map(({ bottom_of_stack: bottomOfStack, ...entry }) => ({ ...entry, bottomOfStack })),
};
/** Missing in rows of earlier versions. */
function orZero(value: number | null | undefined): number {
  return value ?? 0;
}

const readingOf: Readonly<Record<string, Reading>> = {
  probeProtocol: protocolNumber,
  rtt: (ms: number | null) => (ms === null ? rttUnknownTenthMs : Math.round(ms * 10)),
  rttUs: orZero,
  replyQuotedTrafficClass: orZero,
  replyNextHopMtu: orZero,
  replyQuotedFlowLabel: orZero,
  replySite: (text: string | null | undefined) => text ?? "",
  replyRewritten: orZero,
  replyQuotedSrcPort: orZero,
  replyChecksumDelta: orZero,
  replyQuotedSrcAddr: (text: string | undefined) =>
    text === undefined ? asSent.replyQuotedSrcAddr : parseAddress(text),
};

function readValue({ name, form }: ReplyField, value: unknown): unknown {
  return (readingOf[name] ?? reading[form])(value as never);
}

/** Milliseconds, as fine as they are known; null = unknown. */
export function rttMsOf({ rttTenthMs, rttUs }: Pick<Reply, "rttTenthMs" | "rttUs">): number | null {
  if (rttTenthMs === rttUnknownTenthMs) {
    return null;
  }
  return rttUs === 0 ? rttTenthMs / 10 : rttUs / 1000;
}
