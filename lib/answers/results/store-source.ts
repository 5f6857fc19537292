/** Results from a column store, including replies that must be attributed to the measurement. */
import type { ColumnStore } from "../../engines/store/clickhouse/open.ts";
import { unattributedOf } from "../../engines/store/clickhouse/reply-source.ts";
import { withStoredAttribution } from "../../engines/store/clickhouse/stored-attribution.ts";
import type { ResultSource } from "./result-source.ts";
import type { AddressContextFor, AskStore } from "./view.ts";
import { viewAnswer } from "./view-answer.ts";

/** `addressContextFor` opens the context of addresses. */
export function storeSource(store: ColumnStore, addressContextFor?: AddressContextFor): ResultSource {
  return {
    areCellsHarmless: true,
    ask: async (view, { filter: asked, against: other, with: fields = [], ...query }, form) => {
      const addressContext = fields.length === 0 ? null : (addressContextFor?.(fields) ?? null);
      // Another site of an anycast prefix cannot attribute a captured reply to its measurement.
      const filter = await withStoredAttribution(store, asked, Date.now());
      const against =
        other === undefined ? {} : { against: await withStoredAttribution(store, other, Date.now()) };
      const ask: AskStore = (question) => question(store);
      return {
        texts: viewAnswer(view, { ask, query: { ...query, ...against, filter }, form }, addressContext),
        unattributed: () => unattributedOf(store, filter),
      };
    },
  };
}
