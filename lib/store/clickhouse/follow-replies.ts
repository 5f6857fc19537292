/** Replies in the order in which they are stored, for as long as they come. */
import { setTimeout as sleep } from "node:timers/promises";
import { followEveryMs, followRows } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import type { StoredReply } from "./replies-query.ts";
import type { ReplyFilter } from "./reply-filter.ts";
import { placeAt, readReplyPage } from "./reply-page.ts";

export interface Follow {
  /** Nanoseconds since the epoch: only what was stored after it. */
  readonly afterNs: bigint;
  readonly signal: AbortSignal;
}

/** Ends with the signal. Rejects with StoreError. */
export async function* followReplies(
  store: ColumnStore,
  filter: ReplyFilter,
  { afterNs, signal }: Follow,
): AsyncGenerator<StoredReply, void, undefined> {
  const query = { filter, source: "both", order: "inserted", rows: followRows } as const;
  let after = placeAt(afterNs);
  while (!signal.aborted) {
    const page = await readReplyPage(store, { ...query, after });
    for (const { stored, place } of page) {
      yield stored;
      after = place;
    }
    if (page.length < followRows) {
      await sleep(followEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
