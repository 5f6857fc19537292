/** Yields replies in insertion order, as they arrive. */
import { setTimeout as sleep } from "node:timers/promises";
import { followEveryMs, followRows } from "../../engines/store/clickhouse/limits.ts";
import type { ColumnStore } from "../../engines/store/clickhouse/open.ts";
import type { ReplyFilter } from "../../engines/store/clickhouse/reply-filter.ts";
import { positionAt, readReplyPage } from "./reply-page.ts";
import type { ReplyRow } from "./views/replies.ts";

interface Follow {
  /** Nanoseconds since the epoch: only replies stored after it. */
  readonly afterNs: bigint;
  readonly signal: AbortSignal;
}

/** Ends with the signal. Rejects with Failure `store`. */
export async function* followReplies(
  store: ColumnStore,
  filter: ReplyFilter,
  { afterNs, signal }: Follow,
): AsyncGenerator<ReplyRow, void, undefined> {
  const query = { filter, source: "both", rows: followRows } as const;
  let after = positionAt(afterNs);
  while (!signal.aborted) {
    const page = await readReplyPage(store, { ...query, after });
    for (const { row, place } of page) {
      yield row;
      after = place;
    }
    if (page.length < followRows) {
      await sleep(followEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
