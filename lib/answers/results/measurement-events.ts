/** A measurement's parsed events: progress, replies, and its end. */
import * as v from "valibot";
import { type MeasurementStatus, measurementStatusSchema } from "../../engines/gateway-client/answers.ts";
import { readEvents, type ServerEvent } from "../../engines/gateway-client/event-stream.ts";
import type { Gateway } from "../../engines/gateway-client/gateway.ts";
import { clientSide } from "../../engines/gateway-client/gateway-error.ts";
import type { Unattributed } from "../../engines/store/clickhouse/attributed-replies.ts";
import { readReplyRow, type StoredReply } from "./stored-reply.ts";
import type { ReplyRow } from "./views/replies.ts";

type MeasurementEvent =
  | { readonly kind: "progress"; readonly status: MeasurementStatus }
  | { readonly kind: "reply"; readonly reply: StoredReply; readonly row: ReplyRow }
  /** No more replies can arrive. */
  | { readonly kind: "end"; readonly status: MeasurementStatus; readonly unattributed: Unattributed };

/** A gateway of version 0.1.0 does not count them. */
const endCounts = v.object({
  ambiguous_replies: v.fallback(v.number(), 0),
  early_replies: v.fallback(v.number(), 0),
});

interface EventsOrder {
  readonly signal: AbortSignal;
  readonly onBreak: (reason: string) => void;
}

/** From the first event on; ends with `end`, or the signal. Rejects with GatewayError. */
export async function* measurementEvents(
  gateway: Gateway,
  id: string,
  order: EventsOrder,
): AsyncGenerator<MeasurementEvent, void, undefined> {
  for await (const event of readEvents(gateway, `/api/measurements/${id}/events`, order)) {
    const known = eventOf(event);
    if (known !== null) {
      yield known;
    }
    if (known?.kind === "end") {
      return;
    }
  }
}

/** Null for events of later gateway versions. */
function eventOf({ name, data }: ServerEvent): MeasurementEvent | null {
  switch (name) {
    case "progress":
      return { kind: name, status: statusOf(data) };
    case "end": {
      const { ambiguous_replies: ambiguous, early_replies: early } = v.parse(endCounts, JSON.parse(data));
      return { kind: name, status: statusOf(data), unattributed: { ambiguous, early } };
    }
    case "reply": {
      const row: unknown = JSON.parse(data);
      const reply = readReplyRow(row);
      return reply === null ? badEvent(name) : { kind: name, reply, row: row as ReplyRow };
    }
    default:
      return null;
  }
}

function statusOf(data: string): MeasurementStatus {
  const parsed = v.safeParse(measurementStatusSchema, JSON.parse(data));
  return parsed.success ? parsed.output : badEvent("progress");
}

function badEvent(name: string): never {
  throw clientSide("badAnswer", `The gateway's events "${name}" have another form; is it of this version?`);
}
