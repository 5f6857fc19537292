/**
 * The events of a measurement: its progress, its replies as they are stored, and its end.
 *
 * `progress` is the measurement as GET …/status has it, first and whenever it changes. `reply` is a reply as
 * GET …/replies has it. `end`, with the number of replies, is sent when the measurement has ended and no more replies
 * can arrive.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import type { Unattributed } from "../../../../lib/engines/store/clickhouse/attributed-replies.ts";
import { countReplies } from "../../../../lib/engines/store/clickhouse/count-rows.ts";
import { unattributedOf } from "../../../../lib/engines/store/clickhouse/reply-source.ts";
import { type EventPosition, eventId } from "./event-position.ts";
import {
  activeMs,
  busyShare,
  heartbeatMs,
  reconnectMs,
  repliesEveryMs,
  settleEmbeddedMs,
  settleServerMs,
} from "./limits.ts";
import type { MeasurementWindow } from "./measurement-window.ts";
import { ProgressWatch } from "./progress-watch.ts";
import { ReplyTail, type TailReply } from "./reply-tail.ts";
import { type ReadServices, withAttribution } from "./selection.ts";

/** An empty comment: shows clients and proxies that the stream is alive. */
const signOfLife = ":\n\n";

interface EventsOrder {
  readonly services: Pick<ReadServices, "store" | "database">;
  readonly userHash: string;
  readonly measured: MeasurementWindow;
  readonly place: EventPosition;
  readonly signal: AbortSignal;
}

/**
 * Yields texts of one or more events. While the store is unreachable, progress continues; rejects when the database is
 * unreachable.
 */
export async function* measurementEvents(order: EventsOrder): AsyncGenerator<string, void, undefined> {
  const { services, signal } = order;
  const watch = new ProgressWatch(services, order.userHash, order.measured);
  const tail = new ReplyTail(services, watch, order.place);
  let activeAtMs = performance.now();
  let heartbeatAtMs = activeAtMs;
  yield reconnectText(reconnectMs);
  while (!signal.aborted) {
    const progress = await watch.sample();
    if (progress !== null) {
      activeAtMs = performance.now();
      yield eventText({ name: "progress", data: progress });
    }
    const found = await readReplies(services, watch, tail);
    if (found.replies.length > 0) {
      activeAtMs = performance.now();
      yield found.replies.map(replyText).join("");
      continue;
    }
    if (found.total !== null) {
      yield endText(watch, found.total);
      return;
    }
    if (performance.now() - Math.max(activeAtMs, heartbeatAtMs) > heartbeatMs) {
      heartbeatAtMs = performance.now();
      yield signOfLife;
    }
    const everyMs = performance.now() - activeAtMs < activeMs ? repliesEveryMs.active : repliesEveryMs.quiet;
    const pauseMs = Math.min(heartbeatMs, Math.max(everyMs, busyShare * tail.queryMs));
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

interface Found {
  readonly replies: readonly TailReply[];
  /** Total number of replies; null while more may arrive. */
  readonly total: Total | null;
}

/** First reads whether more can arrive, then the replies. */
async function readReplies(
  services: EventsOrder["services"],
  watch: ProgressWatch,
  tail: ReplyTail,
): Promise<Found> {
  const { store } = services;
  try {
    const kind = await store.ask(async (open) => open.kind);
    const isSettled = watch.endedForMs > (kind === "server" ? settleServerMs : settleEmbeddedMs);
    const replies = await tail.next(isSettled);
    const isOver = isSettled && replies.length === 0;
    return { replies, total: isOver ? await countAll(services, watch) : null };
  } catch (error) {
    if (isFailure(error, "store")) {
      return { replies: [], total: null };
    }
    throw error;
  }
}

interface Total extends Unattributed {
  readonly replies: number;
}

async function countAll(services: EventsOrder["services"], { measured }: ProgressWatch): Promise<Total> {
  const filter = await withAttribution(services, measured, { measurementId: measured.id });
  return services.store.ask(async (open) => ({
    replies: await countReplies(open, filter),
    ...(await unattributedOf(open, filter)),
  }));
}

function replyText({ reply: { row }, place }: TailReply): string {
  return eventText({ name: "reply", id: eventId(place), data: JSON.stringify(row) });
}

function endText({ shown }: ProgressWatch, { replies, ambiguous, early }: Total): string {
  const status: unknown = JSON.parse(shown);
  const counts = { replies, ambiguous_replies: ambiguous, early_replies: early };
  return eventText({ name: "end", data: JSON.stringify({ ...(status as object), ...counts }) });
}

interface EventGiven {
  readonly name: string;
  /** Without line ends, as JSON has none. */
  readonly data: string;
  readonly id?: string;
}

/** A server-sent event (HTML Standard, section 9.2). */
function eventText({ name, data, id }: EventGiven): string {
  return `event: ${name}\n${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`;
}

function reconnectText(waitMs: number): string {
  return `retry: ${waitMs}\n\n`;
}
