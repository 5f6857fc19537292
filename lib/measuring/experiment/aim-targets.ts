/** An aim's targets with their weights, and what it may change. Pure. */
import { parseAddress } from "../../net/ip/address.ts";
import { parsePrefix, prefixContains } from "../../net/ip/prefix.ts";
import type { Levers } from "./aim/candidates.ts";
import type { AimTarget } from "./aim/goals.ts";
import type { Entry } from "./aim/setting.ts";
import type { Aim } from "./definition.ts";

export function leversOf({ sites, neighbors, prepends, withdraw }: Aim): Levers {
  const entries = sites.flatMap((site): Entry[] => {
    const own = neighbors[site];
    return own === undefined ? [{ site, neighbor: null }] : own.map((neighbor) => ({ site, neighbor }));
  });
  return { entries, prependsMax: prepends, mayWithdraw: withdraw };
}

/** In the order of the experiment's. */
export function aimTargets({ weights, asns }: Aim, targets: readonly string[]): AimTarget[] {
  const prefixes = Object.entries(weights)
    .flatMap(([text, weight]) => {
      const prefix = parsePrefix(text);
      return prefix === null ? [] : [{ prefix, weight }];
    })
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return targets.map((address) => {
    const asn = asns[address] ?? null;
    const parsed = parseAddress(address);
    const inPrefix = prefixes.find(({ prefix }) => parsed !== null && prefixContains(prefix, parsed));
    const ofAs = asn === null ? undefined : (weights[`AS${asn}`] ?? weights[`AS ${asn}`]);
    return { address, asn, weight: weights[address] ?? inPrefix?.weight ?? ofAs ?? 1 };
  });
}
