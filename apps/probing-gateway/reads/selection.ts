/** The replies of a measurement as the store is asked for them, with those that must be attributed to it. */
import type { Condition } from "../../../lib/store/clickhouse/condition.ts";
import type { ReplyFilter } from "../../../lib/store/clickhouse/reply-filter.ts";
import { withoutIdleAttribution } from "../../../lib/store/clickhouse/reply-source.ts";
import type { Services } from "../services.ts";
import { attributionOf, findRivals, type Measured } from "./measured.ts";

/**
 * Rivals are asked for only where there is something to attribute: for most measurements there is not.
 * `more` says which of them are asked for. Rejects with StoreError.
 */
export async function withAttribution(
  { store, database }: Pick<Services, "store" | "database">,
  measured: Measured,
  filter: ReplyFilter,
  more?: Condition,
): Promise<ReplyFilter> {
  const attribution = attributionOf(measured);
  const found = await store.ask((open) => withoutIdleAttribution(open, { ...filter, attribution }, more));
  if (found.attribution === undefined) {
    return filter;
  }
  return { ...filter, attribution: { ...attribution, rivals: await findRivals(database, measured) } };
}
