/** The store's lag behind the broker. */
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import { type FeedName, waitingRecords } from "../../../lib/engines/broker/ingest-feeds.ts";

/**
 * Records in the broker that are not stored yet, by feed; `replies`: the topic of replies. Rejects when the broker is
 * unavailable.
 */
export async function lagOf(
  broker: Broker,
  feeds: readonly FeedName[],
  replies?: string,
): Promise<Record<string, number>> {
  const lags = feeds.map(async (feed) => [feed, await waitingRecords(broker, feed, replies)]);
  return Object.fromEntries(await Promise.all(lags));
}
