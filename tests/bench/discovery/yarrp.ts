/**
 * Yarrp's rules (Beverly 2016; yarrp 0.8), written anew: every target with every TTL up to a maximum, in one random
 * order, without a state. An answer to the last TTL or behind it sends the next TTL at once to the same target ("fill
 * mode"). One address of each /24, one flow.
 */
import { LinkRecord } from "../../discovery/simulator/link-record.ts";
import { shuffle } from "../../discovery/simulator/shuffle.ts";
import type { SimulatedNet } from "../../discovery/simulator/simulated-net.ts";

/** Its defaults. */
const ttlMax = 16;
const fillTtlMax = 32;
const flow = 0;

export function yarrp(net: SimulatedNet, seed: number): Set<number> {
  const subnets = net.topology.units * net.topology.subnetsEach;
  const order = Array.from({ length: subnets * ttlMax }, (_, i) => i);
  shuffle(order, seed);
  const record = new LinkRecord();
  for (const place of order) {
    const subnet = Math.floor(place / ttlMax);
    for (let ttl = 1 + (place % ttlMax); ttl <= fillTtlMax; ttl++) {
      const node = net.probe(subnet, flow, ttl);
      if (node !== 0) {
        record.add(subnet, flow, ttl, node);
      }
      if (node === 0 || ttl < ttlMax) {
        break;
      }
    }
  }
  net.endRound();
  return record.links();
}
