import { type Broker, BrokerError, type OutgoingRecord } from "../../lib/engines/broker/broker.ts";

/** A broker double at the process boundary: unreachable until the test switches it on. */
export function awayBroker() {
  const published: OutgoingRecord[] = [];
  const state = { isAway: true };
  const publish: Broker["publish"] = async (_, records) => {
    if (state.isAway) {
      throw new BrokerError("unavailable", "it is away");
    }
    published.push(...records);
    return [];
  };
  const broker = { ensureTopic: async () => undefined, publish } as unknown as Broker;
  return { broker, published, state };
}
