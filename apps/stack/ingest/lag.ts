/** How far the store is behind the broker. */
import type { Broker } from "../../../lib/broker/broker.ts";
import { probesTopic, repliesTopic } from "../../../lib/wire/target-header.ts";
import { lagMsMax } from "../limits.ts";
import { groups } from "./groups.ts";

const topics = { replies: repliesTopic, probes: probesTopic } as const;
type FeedName = keyof typeof topics;

/** Like lagOf; empty when the broker is unreachable or slow. */
export function lagIfKnown(broker: Broker, feeds: readonly FeedName[]): Promise<Record<string, number>> {
  const { promise, resolve } = Promise.withResolvers<Record<string, number>>();
  const late = setTimeout(resolve, lagMsMax, {});
  lagOf(broker, feeds)
    .then(resolve, () => resolve({}))
    .finally(() => clearTimeout(late));
  return promise;
}

/** Records that wait in the broker to be stored, by feed. */
export async function lagOf(broker: Broker, feeds: readonly FeedName[]): Promise<Record<string, number>> {
  const lags = feeds.map(async (feed) => {
    const positions = await broker.positions(groups[feed], topics[feed]);
    return [feed, Number(positions.reduce((sum, { committed, end }) => sum + (end - committed), 0n))];
  });
  return Object.fromEntries(await Promise.all(lags));
}
