/** Who takes part in the comparison of discoveries: our strategies, and others' programs or rules. */
import { strategies } from "../../../lib/measuring/discovery/strategies.ts";
import {
  type Strategy,
  type StrategyOptions,
  strategyOptions,
} from "../../../lib/measuring/discovery/strategy.ts";
import { discover } from "../../discovery/simulator/discover.ts";
import type { SimulatedNet } from "../../discovery/simulator/simulated-net.ts";
import { flashRoute } from "./flash-route.ts";
import { type PublishedLibrary, publishedName } from "./published.ts";
import { yarrp } from "./yarrp.ts";

export interface Contender {
  readonly name: string;
  /** Links as `linkKey` makes them; probes and rounds are in the network's counters. */
  run(net: SimulatedNet, seed: number): Set<number> | Promise<Set<number>>;
}

/** One of our strategies with the options that a user gets who gives none, but for some. */
function ours(strategy: Strategy, given: Partial<StrategyOptions> = {}, note = ""): Contender {
  const run = (net: SimulatedNet, seed: number) =>
    discover(net, strategy, strategyOptions({ seed, ...given }));
  return { name: `vantage ${strategy.name}${note}`, run };
}

/** The one that others are measured by comes first: the published library, or else our form of it. */
export function contenders(published: PublishedLibrary | null): Contender[] {
  const library: Contender[] =
    published === null ? [] : [{ name: publishedName, run: (net, seed) => published.discover(net, seed) }];
  const { shared, mda, paris, "diamond-miner": diamondMiner } = strategies;
  return [
    ...library,
    ours(diamondMiner, { windowTtls: 0 }, ", 32 TTLs at once"),
    ours(diamondMiner),
    ours(shared),
    ours(mda),
    ours(paris),
    { name: "Yarrp's rules", run: yarrp },
    { name: "FlashRoute's rules", run: (net, seed) => flashRoute(net, seed, 1) },
    { name: "FlashRoute's rules, 4 ports", run: (net, seed) => flashRoute(net, seed, 4) },
  ];
}
