/** How far the store is behind the broker. */
import type { Broker } from "../../../lib/broker/broker.ts";
import { probesTopic, repliesTopic, updatesTopic } from "../../../lib/wire/target-header.ts";
import { groups } from "./groups.ts";

const topics = { replies: repliesTopic, probes: probesTopic, updates: updatesTopic } as const;
type FeedName = keyof typeof topics;

/** Records that wait in the broker to be stored, by feed. Rejects when the broker is away. */
export async function lagOf(broker: Broker, feeds: readonly FeedName[]): Promise<Record<string, number>> {
  const lags = feeds.map(async (feed) => {
    const positions = await broker.positions(groups[feed], topics[feed]);
    return [feed, Number(positions.reduce((sum, { committed, end }) => sum + (end - committed), 0n))];
  });
  return Object.fromEntries(await Promise.all(lags));
}
