/** All replies of a measurement, page by page, by time of capture. */
import type { StoredReply } from "../../../lib/store/clickhouse/replies-query.ts";
import type { ReplyFilter } from "../../../lib/store/clickhouse/reply-filter.ts";
import { beforeAll, readReplyPage } from "../../../lib/store/clickhouse/reply-page.ts";
import type { Services } from "../services.ts";
import { pageRows } from "./limits.ts";

export interface ReplyOrder {
  readonly filter: ReplyFilter;
  /** Null = all. */
  readonly limit: number | null;
}

/** Rejects with StoreError. */
export async function* replyPages(
  { store }: Pick<Services, "store">,
  { filter, limit }: ReplyOrder,
): AsyncGenerator<readonly StoredReply[], void, undefined> {
  let [after, left] = [beforeAll, limit ?? Number.POSITIVE_INFINITY];
  while (left > 0) {
    const rows = Math.min(left, pageRows);
    const query = { filter, source: "both", order: "received", after, rows } as const;
    const page = await store.ask((open) => readReplyPage(open, query));
    yield page.map(({ stored }) => stored);
    left = page.length < rows ? 0 : left - rows;
    after = page.at(-1)?.place ?? after;
  }
}
