/**
 * The events of one watcher, as text: the paths that stand, then each change. After changes that it has missed the
 * paths come again, so what a reader holds is right from then on.
 *
 *     event: path      data: {…}                 each path that stands
 *     event: live      data: {"count":2,…}       id: WATCH-NUMBER, as all that follow
 *     event: announce  data: {…}                 …
 *     event: missed    data: {"count":17,…}      then path…, live
 *     event: resumed   data: {"count":3,…}       a reader who has come back has missed nothing; 3 changes follow
 *
 * Silence is broken by a comment every 15 s.
 */
import type { RouteChange } from "../../../../lib/base/api/route-changes.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import type { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import type { VrpTable } from "../../../../lib/net/rpki/vrp-table.ts";
import { changeAnswer, note, standingAnswer } from "./change-answer.ts";
import { heartbeatMs, retryMs, standingMax, writtenMax } from "./limits.ts";
import { type RouteFilter, standing } from "./route-filter.ts";
import type { RouteWatch } from "./route-watch.ts";

interface StreamParts {
  readonly table: Pick<LiveTable, "exact" | "lessSpecific" | "moreSpecific">;
  readonly filter: RouteFilter & { readonly prefix: Prefix };
  readonly id: string;
  readonly watch: RouteWatch;
  /** Where the reader was; null = it begins. */
  readonly from: number | null;
  /** Its position is no longer known. */
  readonly isLost: boolean;
  readonly nowUs: () => bigint;
  /** The VRPs by which routes are validated now; null = none are known. */
  readonly vrps: () => VrpTable | null;
  /** Its reader is gone. */
  readonly gone: AbortSignal;
  readonly missed: (count: number) => void;
}

export async function* changeStream(parts: StreamParts): AsyncGenerator<string, void, undefined> {
  const { watch, id, nowUs } = parts;
  let from = parts.from;
  yield `retry: ${retryMs}\n\n`;
  if (parts.isLost) {
    const detail = "the collector was restarted, or you were disconnected for too long";
    yield eventText(note("missed", nowUs(), { detail }), null);
  } else if (from !== null && watch.read(from, 1).missed === 0) {
    const count = watch.next - from;
    yield eventText(note("resumed", nowUs(), { count }), null);
  }
  while (watch.endReason === null && !parts.gone.aborted) {
    if (from === null) {
      from = watch.next;
      yield* standingTexts(parts, from);
    }
    const { missed, changes, next }: ReturnType<RouteWatch["read"]> = watch.read(from, writtenMax);
    if (missed > 0) {
      parts.missed(missed);
      from = null;
      const detail = "more has changed than waits for one reader";
      yield eventText(note("missed", nowUs(), { count: missed, detail }), null);
    } else if (changes.length > 0) {
      const first = from;
      from = next;
      yield changes
        .map((change, i) => eventText(changeAnswer(change, told(parts)), `${id}-${first + i + 1}`))
        .join("");
    } else {
      await watch.more(from, heartbeatMs);
      if (watch.next === from) {
        yield ": alive\n\n";
      }
    }
  }
}

/** Made at once: what changes while they are read comes behind them. */
function standingTexts(parts: StreamParts, from: number): string[] {
  const { table, filter, id, nowUs } = parts;
  const { paths, isCut } = standing(table, filter, standingMax);
  const detail = isCut ? `there are more: the first ${standingMax} are shown` : null;
  const live = note("live", nowUs(), { count: paths.length, detail });
  return [
    ...paths.map((path) => eventText(standingAnswer(path, told(parts)), null)),
    eventText(live, `${id}-${from}`),
  ];
}

function told({ nowUs, vrps }: StreamParts) {
  return { nowUs: nowUs(), vrps: vrps() };
}

function eventText(change: RouteChange, id: string | null): string {
  return `${id === null ? "" : `id: ${id}\n`}event: ${change.kind}\ndata: ${JSON.stringify(change)}\n\n`;
}
