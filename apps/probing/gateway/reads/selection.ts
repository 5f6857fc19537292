/** The filter for a measurement's replies in the store, including those that must be attributed to it. */
import { ambiguousHeader, earlyHeader } from "../../../../lib/answers/results/unattributed.ts";
import type { Unattributed } from "../../../../lib/engines/store/clickhouse/attributed-replies.ts";
import type { Condition } from "../../../../lib/engines/store/clickhouse/condition.ts";
import type { ReplyFilter } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import {
  unattributedOf,
  withoutIdleAttribution,
} from "../../../../lib/engines/store/clickhouse/reply-source.ts";
import type { Services } from "../services.ts";
import type { StoreLink } from "../store-link.ts";
import { attributionOf, type MeasurementWindow, withRivals } from "./measurement-window.ts";

export interface ReadServices extends Services {
  readonly store: Pick<StoreLink, "ask">;
}

/**
 * Competing measurements are read only where there is something to attribute, which is rare. `more` selects them.
 * Rejects with Failure `store`.
 */
export async function withAttribution(
  { store, database }: Pick<ReadServices, "store" | "database">,
  measured: MeasurementWindow,
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

/** Counts of replies that are not in any view of the filter, for the headers of each. Rejects with Failure `store`. */
export async function unattributedHeaders(
  { store }: Pick<ReadServices, "store">,
  filter: ReplyFilter,
): Promise<Readonly<Record<string, string>>> {
  const { ambiguous, early }: Unattributed = await store.ask((open) => unattributedOf(open, filter));
  return { [ambiguousHeader]: String(ambiguous), [earlyHeader]: String(early) };
}
