/** The campaign of `bench pressure`: probes that routers answer, each one identified by its source port and TTL. */
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import { probesTopic } from "../../../lib/net/wire/target-header.ts";
import { probeRecord, probesTo } from "../../lab/agent-rig.ts";

export const campaignRate = 4000;
/** Four routers on the way, and every port from 10,000 on: all distinct probes. */
const ttls = [1, 2, 5, 7];
const firstPort = 10_000;
const ports = 50_000;
/** Their answers fill the smallest spool that an agent may have, and some are left to be sent. */
export const probesMin = 8000;
export const probesMax = ttls.length * ports;
const recordProbes = 1000;
const target = "203.0.113.10";

interface Campaign {
  readonly measurementId: string;
  readonly count: number;
  /** Empty = what the agent chooses. */
  readonly srcIp: string;
}

/** To the agent `east`, in one partition and so in order. `count`: `probesMin` to `probesMax`. */
export async function publishCampaign(broker: Broker, { measurementId, count, srcIp }: Campaign) {
  const records = Array.from({ length: Math.ceil(count / recordProbes) }, (_, i) => {
    const from = i * recordProbes;
    const probes = Array.from({ length: Math.min(recordProbes, count - from) }, (_, j) => probe(from + j));
    return probeRecord("east", { measurementId, srcIp }, probes.flat());
  });
  await broker.publish(probesTopic, records);
}

function probe(i: number) {
  const ttl = ttls[Math.floor(i / ports)] ?? 1;
  return probesTo(target, { ports: [firstPort + (i % ports)], ttls: [ttl] });
}
