/**
 * FlashRoute's rules (Huang 2020), written anew: for each /24 one probe backward and one forward from a split TTL in
 * each round. Backward ends at TTL 1 or at a router that was seen before (the stop set); forward ends a gap limit
 * behind the last answer. Further scans use another port, and a stop set of their own, as one that knew all routers
 * would end them at once.
 *
 * Its first probe, which asks a target how far it is, is left out: simulated targets do not answer, as most do not.
 */
import { LinkRecord } from "../../discovery/simulator/link-record.ts";
import { shuffle } from "../../discovery/simulator/shuffle.ts";
import type { SimulatedNet } from "../../discovery/simulator/simulated-net.ts";

/** Its defaults. */
const splitTtl = 16;
const gapLimit = 5;
const ttlMax = 32;
/** The flow of the last address of a /24; from here on flows differ by their ports. */
const firstFlow = 255;

/** @param scans 1, and one more for each port */
export function flashRoute(net: SimulatedNet, seed: number, scans: number): Set<number> {
  const record = new LinkRecord();
  for (let scan = 0; scan < scans; scan++) {
    scanOnce(net, record, firstFlow + scan, seed + scan);
  }
  return record.links();
}

function scanOnce(net: SimulatedNet, record: LinkRecord, flow: number, seed: number): void {
  const subnets = net.topology.units * net.topology.subnetsEach;
  const backward = new Uint8Array(subnets).fill(splitTtl);
  const forward = new Uint8Array(subnets).fill(splitTtl + 1);
  const horizon = new Uint8Array(subnets).fill(splitTtl + gapLimit);
  const stopSet = new Set<number>();
  const order = Array.from({ length: subnets }, (_, subnet) => subnet);
  const ask = (subnet: number, ttl: number) => {
    const node = net.probe(subnet, flow, ttl);
    if (node !== 0) {
      record.add(subnet, flow, ttl, node);
    }
    return node;
  };
  for (let isOpen = true; isOpen; ) {
    isOpen = false;
    shuffle(order, seed + net.rounds);
    for (const subnet of order) {
      const [down, up] = [backward[subnet] ?? 0, forward[subnet] ?? 0];
      if (down > 0) {
        const node = ask(subnet, down);
        backward[subnet] = stopSet.has(node) ? 0 : down - 1;
        stopSet.add(node);
        stopSet.delete(0);
      }
      const isFurther = up <= Math.min(ttlMax, horizon[subnet] ?? 0);
      if (isFurther) {
        forward[subnet] = up + 1;
        const node = ask(subnet, up);
        horizon[subnet] = node === 0 ? (horizon[subnet] ?? 0) : up + gapLimit;
        stopSet.add(node);
        stopSet.delete(0);
      }
      isOpen ||= down > 0 || isFurther;
    }
    net.endRound();
  }
}
