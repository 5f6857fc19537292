/** Results from a column store, with those that must be attributed to the measurement. */
import type { ColumnStore } from "../store/clickhouse/open.ts";
import { unattributedOf } from "../store/clickhouse/reply-source.ts";
import { withStoredAttribution } from "../store/clickhouse/stored-attribution.ts";
import { pageFormOf, type ResultSource } from "./result-source.ts";
import { viewTexts } from "./view-texts.ts";

export function storeSource(store: ColumnStore): ResultSource {
  return {
    ask: async (view, { filter: asked, limit }, form) => {
      // Another site of an anycast prefix does not know the measurement of a captured answer.
      const filter = await withStoredAttribution(store, asked, Date.now());
      const pages = view.pages((question) => question(store), { filter, limit }, pageFormOf(form));
      return {
        texts: viewTexts(view, pages, form),
        unattributed: () => unattributedOf(store, filter),
      };
    },
  };
}
