/** All rows of a view of a store, as it is asked by itself: without what must be found out before. */
import type { View } from "../../../lib/answers/results/view.ts";
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import type { ReplyFilter } from "../../../lib/engines/store/clickhouse/reply-filter.ts";

export async function viewRows<Row>(
  store: ColumnStore,
  view: View,
  filter: ReplyFilter,
  limit: number | null = null,
): Promise<Row[]> {
  const pages = view.pages((question) => question(store), { filter, limit }, "ndjson");
  const texts = (await Array.fromAsync(pages)).map(({ bytes }) => new TextDecoder().decode(bytes));
  return texts.flatMap((text) =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Row),
  );
}
