/**
 * One path to each subnet, in FlashRoute's way (Huang and others, IMC 2020): from a TTL in the middle, backward to a
 * router that is already known, and forward to the target or a gap.
 *
 * Most of the first hops are the same for all subnets. So each path goes backward only to a router that another path
 * has found before it (the stop set): that other path continues. Forward it goes until the target replies, a router
 * reports it unreachable, or `gapLimit` hops in a row are silent after the last reply or the split TTL. A path whose
 * split TTL is beyond its target goes back over silent hops, whatever their number.
 *
 * FlashRoute's stop set depends on the order of arrival. Here it must be the same for the same replies: among all paths
 * that meet a router, the first is the one that met it in the fewest steps from the split TTL, and among those the
 * smallest subnet's; among units, `seenNodes` decides.
 */
import { type FlowPath, FlowPaths } from "./flow-paths.ts";
import type { RoundProbe, RoundReply, Strategy, StrategyOptions, Unit } from "./strategy.ts";

/** The one flow of each subnet. */
const flow = 0;

export const paris: Strategy = {
  name: "paris",
  sentence:
    "One path to each subnet, from the middle outwards, and backward only until a router that another path has shown.",
  usesSeenNodes: true,
  sharesSubnets: false,
  next: parisProbes,
};

function parisProbes(replies: Iterable<RoundReply>, unit: Unit, options: StrategyOptions): RoundProbe[] {
  if (unit.round >= options.roundsMax) {
    return [];
  }
  const paths = new FlowPaths(replies);
  const firsts = firstPaths(paths, unit, options);
  return unit.subnets.flatMap((subnet) => {
    const path = paths.get(subnet, flow);
    const ttls =
      path === undefined
        ? [options.splitTtl]
        : [...backwardTtls(path, firsts, unit, options), ...forwardTtls(path, options)];
    return ttls.map((ttl) => ({ subnet, flow, ttl }));
  });
}

/** Which subnet's path met a router first. */
function firstPaths(paths: FlowPaths, unit: Unit, options: StrategyOptions): Map<number, number> {
  const firsts = new Map<number, { readonly subnet: number; readonly steps: number }>();
  for (const subnet of unit.subnets) {
    const path = paths.get(subnet, flow);
    for (let ttl = options.ttlMin; path !== undefined && ttl <= path.lastNode; ttl++) {
      const node = path.node(ttl);
      const [steps, known] = [Math.abs(ttl - options.splitTtl), firsts.get(node)];
      const isFirst =
        known === undefined || steps < known.steps || (steps === known.steps && subnet < known.subnet);
      if (node >= 0 && isFirst) {
        firsts.set(node, { subnet, steps });
      }
    }
  }
  return new Map([...firsts].map(([node, { subnet }]) => [node, subnet]));
}

/** The next TTLs towards the source; none beyond a router that another path met first. */
function backwardTtls(
  path: FlowPath,
  firsts: ReadonlyMap<number, number>,
  { seenNodes }: Unit,
  { splitTtl, stepTtls, ttlMin }: StrategyOptions,
): number[] {
  let ttl = splitTtl;
  for (; ttl >= ttlMin && path.isProbed(ttl); ttl--) {
    const node = path.node(ttl);
    const isOthers = node >= 0 && (firsts.get(node) !== path.subnet || seenNodes?.has(node) === true);
    if (isOthers) {
      return [];
    }
  }
  return Array.from({ length: Math.min(stepTtls, ttl - ttlMin + 1) }, (_, i) => ttl - i);
}

/** The next TTLs towards the target, up to the end of the path or the gap limit. */
function forwardTtls(path: FlowPath, options: StrategyOptions): number[] {
  const { splitTtl, stepTtls, ttlMax, gapLimit } = options;
  let ttl = splitTtl;
  while (ttl <= ttlMax && path.isProbed(ttl)) {
    ttl++;
  }
  const last = Math.min(ttlMax, path.endTtl - 1, Math.max(path.lastNode, splitTtl - 1) + gapLimit);
  return Array.from({ length: Math.max(0, Math.min(stepTtls, last - ttl + 1)) }, (_, i) => ttl + i);
}
