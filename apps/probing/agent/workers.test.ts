import { expect, test } from "bun:test";
import { address } from "../../../lib/net/ip/address.ts";
import { feedCounterNames } from "./agent-counters.ts";
import { Counters, senderCounterNames } from "./engine/counters.ts";
import { startEngine } from "./engine/engine.ts";
import { type CountedInstance, senderFeedOf } from "./workers.ts";

function counted(name: string, instanceId: number, minTtl: number): CountedInstance {
  return {
    ...{ name, instanceId, minTtl, interfaceName: "none", prefixes: [], rateProbesPerSec: 1000 },
    ...{
      pacing: "sleep",
      batchProbesMax: 64,
      backEnd: "packet",
      receive: "pcap",
      packets: 1,
      maxTtl: 255,
      dryRun: true,
    },
    feedCounters: new Counters(feedCounterNames).buffer,
  };
}

test("the consumer has a feed for each instance: its own sender, limits and counters together", async () => {
  const instances = [counted("first", 1, 3), counted("second", 2, 5)];
  const engine = await startEngine({
    ...{ agentId: "west", integrityKey: new Uint8Array(16), instances, sources: [] },
    ...{ integrityCheck: true, sentTimesMax: 0 },
  });
  try {
    expect(engine.workers().map(({ name, running }) => [name, running])).toEqual([
      ["first", true],
      ["second", true],
    ]);
    const feeds = engine.rings.senders.map(senderFeedOf);
    expect(feeds.map(({ minTtl, counters }) => ({ minTtl, counters }))).toEqual(
      instances.map(({ minTtl, feedCounters }) => ({ minTtl, counters: feedCounters })),
    );
    const addresses = { src: address("2001:db8::1"), dst: address("2001:db8::2") };
    const probe = { ...addresses, srcPort: 1, dstPort: 2, ttl: 7, protocol: "udp" } as const;
    expect(engine.offer(1, { ...probe, measurement: 0, index: 0 })).toBe(true);
    const read = () =>
      feeds.map(({ senderCounters }) => new Counters(senderCounterNames, senderCounters).get("sender_read"));
    while (read().every((count) => count === 0)) {
      await Bun.sleep(5);
    }
    expect(read()).toEqual([0, 1]);
  } finally {
    await engine.stop(0);
  }
});
