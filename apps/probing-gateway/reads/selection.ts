/** The replies of a measurement as the store is asked for them, with those that must be attributed to it. */

import { ambiguousHeader, earlyHeader } from "../../../lib/results/unattributed.ts";
import type { Unattributed } from "../../../lib/store/clickhouse/attributed-replies.ts";
import type { Condition } from "../../../lib/store/clickhouse/condition.ts";
import type { ReplyFilter } from "../../../lib/store/clickhouse/reply-filter.ts";
import { unattributedOf, withoutIdleAttribution } from "../../../lib/store/clickhouse/reply-source.ts";
import type { Services } from "../services.ts";
import type { StoreLink } from "../store-link.ts";
import { attributionOf, type Measured, withRivals } from "./measured.ts";

export interface ReadServices extends Services {
  readonly store: Pick<StoreLink, "ask">;
}

/**
 * Rivals are asked for only where there is something to attribute: for most measurements there is not.
 * `more` says which of them are asked for. Rejects with Failure `store`.
 */
export async function withAttribution(
  { store, database }: Pick<ReadServices, "store" | "database">,
  measured: Measured,
  filter: ReplyFilter,
  more?: Condition,
): Promise<ReplyFilter> {
  const attribution = attributionOf(measured);
  const found = await store.ask((open) => withoutIdleAttribution(open, { ...filter, attribution }, more));
  if (found.attribution === undefined) {
    return filter;
  }
  return { ...filter, attribution: await withRivals(database, measured, attribution) };
}

/** What is in none of the views of the filter, in the headers of each. Rejects with Failure `store`. */
export async function unattributedHeaders(
  { store }: Pick<ReadServices, "store">,
  filter: ReplyFilter,
): Promise<Readonly<Record<string, string>>> {
  const { ambiguous, early }: Unattributed = await store.ask((open) => unattributedOf(open, filter));
  return { [ambiguousHeader]: String(ambiguous), [earlyHeader]: String(early) };
}
