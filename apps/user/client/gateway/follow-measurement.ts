/** Shows a running measurement: replies as they arrive, and a bar for each agent below them on a terminal. */
import { measurementEvents } from "../../../../lib/answers/results/measurement-events.ts";
import type { StoredReply } from "../../../../lib/answers/results/stored-reply.ts";
import { unattributedTexts } from "../../../../lib/answers/results/unattributed.ts";
import { replyOutputColumns } from "../../../../lib/answers/results/views/replies.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { visible } from "../../../../lib/base/terminal/foreign-text.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import type { ReplyFilter } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import { prefixContains } from "../../../../lib/net/ip/prefix.ts";
import { followMs } from "../limits.ts";
import { wholeId } from "./measurement-id.ts";
import { tellOutcome } from "./outcome.ts";
import { progressText } from "./progress-text.ts";

interface FollowOrder {
  /** For `wholeId`. */
  readonly id: string;
  readonly filter: Pick<ReplyFilter, "agent" | "destination" | "sinceMs">;
  /** Replies to show; null = all. */
  readonly count: number | null;
  /** Null = until the end. */
  readonly timeoutMs: number | null;
}

/** Resolves to the exit code. Rejects with GatewayError. */
export async function followMeasurement(session: GatewaySession, order: FollowOrder): Promise<ExitCode> {
  const gateway = await session.open();
  const { count, timeoutMs } = order;
  const id = await wholeId(session, gateway, order.id);
  const timeout = new AbortController();
  const timer = timeoutMs === null ? null : setTimeout(() => timeout.abort(), timeoutMs);
  const signal = AbortSignal.any([session.signal, timeout.signal]);
  const live = session.isTerminal ? session.screen : session.progress;
  const output = session.output(replyOutputColumns(session.format));
  const flushing = setInterval(() => output.flush(), followMs);
  const onBreak = (reason: string) => session.note(`${reason}; trying again`);
  try {
    for await (const event of measurementEvents(gateway, id, { signal, onBreak })) {
      if (event.kind === "reply" && isWanted(event.reply, order.filter)) {
        output.add(event.row);
      }
      if (event.kind === "progress") {
        output.flush();
        live.draw(progressText(event.status));
      }
      if (event.kind === "end") {
        output.finish();
        live.clear();
        session.progress.print(`${visible(event.status.status ?? "ended")}: ${grouped(output.rows)} replies`);
        for (const text of unattributedTexts(event.unattributed)) {
          session.note(text);
        }
        return tellOutcome(session, event.status);
      }
      if (count !== null && output.rows >= count) {
        break;
      }
    }
  } catch (error) {
    if (!timeout.signal.aborted) {
      throw error;
    }
  } finally {
    clearInterval(flushing);
    clearTimeout(timer ?? undefined);
    live.clear();
  }
  output.finish();
  if (timeout.signal.aborted) {
    session.note(`it continues: vantage follow ${id}`);
    return exitCodes.partial;
  }
  return exitCodes.ok;
}

function isWanted(
  { reply, probeAgent }: StoredReply,
  { agent, destination, sinceMs }: FollowOrder["filter"],
): boolean {
  if (agent !== undefined && reply.agentId !== agent && probeAgent !== agent) {
    return false;
  }
  if (destination !== undefined && !prefixContains(destination, reply.probeDstAddr)) {
    return false;
  }
  return sinceMs === undefined || reply.timeReceivedNs >= BigInt(sinceMs) * 1_000_000n;
}
