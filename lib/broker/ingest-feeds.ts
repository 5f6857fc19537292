/** What the store takes from the broker: by feed its topic, and the consumer group that stores it. */
import { probesTopic, repliesTopic, updatesTopic } from "../wire/target-header.ts";
import type { Broker } from "./broker.ts";

export const ingestTopics = { replies: repliesTopic, probes: probesTopic, updates: updatesTopic } as const;
export type FeedName = keyof typeof ingestTopics;
export const feedNames = ["replies", "probes", "updates"] as const satisfies readonly FeedName[];

/** One for each topic, so that none waits for another. */
export const ingestGroups = {
  replies: "vantage-store",
  probes: "vantage-store-probes",
  updates: "vantage-store-updates",
} as const satisfies Readonly<Record<FeedName, string>>;

/**
 * The group that stores a topic of replies. Each topic has one of its own: members of a Kafka group must all read the
 * same topics.
 */
export function repliesGroupOf(topic: string): string {
  return topic === repliesTopic ? ingestGroups.replies : `${ingestGroups.replies}-${topic}`;
}

/** Records in the broker that are not stored yet. Rejects with BrokerError. `replies`: the topic of these. */
export async function waitingRecords(
  broker: Pick<Broker, "positions">,
  feed: FeedName,
  replies: string = repliesTopic,
): Promise<number> {
  const [group, topic] =
    feed === "replies" ? [repliesGroupOf(replies), replies] : [ingestGroups[feed], ingestTopics[feed]];
  const positions = await broker.positions(group, topic);
  return Number(positions.reduce((sum, { committed, end }) => sum + (end - committed), 0n));
}
