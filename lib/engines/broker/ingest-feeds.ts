/** What the store reads from the broker: each feed's topic, and the consumer group that stores it. */
import { probesTopic, repliesTopic, updatesTopic } from "../../net/wire/target-header.ts";
import type { Broker } from "./broker.ts";

export const ingestTopics = { replies: repliesTopic, probes: probesTopic, updates: updatesTopic } as const;
export type FeedName = keyof typeof ingestTopics;
export const feedNames = ["replies", "probes", "updates"] as const satisfies readonly FeedName[];

/** One group for each topic, so that none waits for another. */
export const ingestGroups = {
  replies: "vantage-store",
  probes: "vantage-store-probes",
  updates: "vantage-store-updates",
} as const satisfies Readonly<Record<FeedName, string>>;

interface FeedPlace {
  readonly topic: string;
  readonly group: string;
}

/**
 * Where a feed comes from, and who stores it. `replies`: the topic of these. Each has a group of its own: members of a
 * Kafka group must all read the same topics.
 */
export function feedPlace(feed: FeedName, replies: string = repliesTopic): FeedPlace {
  const [topic, group] = [ingestTopics[feed], ingestGroups[feed]];
  return feed === "replies" && replies !== topic
    ? { topic: replies, group: `${group}-${replies}` }
    : { topic, group };
}

/** Records in the broker that are not stored yet. Rejects with BrokerError. `replies`: the topic of these. */
export async function waitingRecords(
  broker: Pick<Broker, "positions">,
  feed: FeedName,
  replies?: string,
): Promise<number> {
  const { topic, group } = feedPlace(feed, replies);
  const positions = await broker.positions(group, topic);
  return Number(positions.reduce((sum, { committed, end }) => sum + (end - committed), 0n));
}
