/** How far the store is behind the broker. */
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import { type FeedName, waitingRecords } from "../../../lib/engines/broker/ingest-feeds.ts";

/**
 * Records that wait in the broker to be stored, by feed; `replies`: the topic of these. Rejects when the broker is
 * away.
 */
export async function lagOf(
  broker: Broker,
  feeds: readonly FeedName[],
  replies?: string,
): Promise<Record<string, number>> {
  const lags = feeds.map(async (feed) => [feed, await waitingRecords(broker, feed, replies)]);
  return Object.fromEntries(await Promise.all(lags));
}
