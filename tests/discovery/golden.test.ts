/**
 * What strategies ask, probe by probe, on drawn networks with all that a network can do to them: a change that is to
 * make a strategy faster must leave each of these as it is, and one of its rule changes them on purpose.
 */
import { expect, test } from "bun:test";
import { strategies } from "../../lib/measuring/discovery/strategies.ts";
import { type Strategy, strategyOptions } from "../../lib/measuring/discovery/strategy.ts";
import { discover } from "./simulator/discover.ts";
import { LevelledInternet } from "./simulator/levelled-internet.ts";
import { networks, threeLevels } from "./simulator/networks.ts";
import { SimulatedNet } from "./simulator/simulated-net.ts";

/** Silent, amplifying and limiting routers, losses, loops, balancers by address, routes that change. */
function hostile(seed: number, units: number): SimulatedNet {
  const plan = {
    weighted: 0.2,
    perDestination: 0.2,
    grouped: 0.4,
    narrowed: 0.3,
    looping: 0.1,
    changing: 0.3,
  };
  return new SimulatedNet(new LevelledInternet(threeLevels(seed, { units, ...plan })), {
    seed,
    loss: 0.02,
    silent: 0.1,
    amplifying: 0.02,
    limited: { share: 0.1, perSec: 100, burst: 20 },
    changeAtSec: 8,
    probesPerSec: 10_000,
    roundGapSec: 2,
  });
}

const nets: Readonly<Record<string, (seed: number, units: number) => SimulatedNet>> = {
  ...Object.fromEntries(Object.entries(networks).map(([kind, { make }]) => [kind, make])),
  hostile,
};

/** The strategy, and a hash of what it has asked so far, rounds apart. */
function watched(strategy: Strategy) {
  let hash = 0n;
  const next: Strategy["next"] = (...given) => {
    const probes = strategy.next(...given);
    const words = probes.flatMap(({ subnet, flow, ttl }) => [subnet, flow, ttl]);
    hash = Bun.hash.xxHash64(new Uint32Array([given[1].round, ...words]), hash);
    return probes;
  };
  return { strategy: { ...strategy, next }, hash: () => hash.toString(16) };
}

const units = 3;
const seeds = 2;

test.each(Object.keys(strategies) as (keyof typeof strategies)[])("%s asks what it has asked", (name) => {
  const hashes = Object.entries(nets).map(([kind, make]) => {
    const each = Array.from({ length: seeds }, (_, i) => {
      const { strategy, hash } = watched(strategies[name]);
      discover(make(i + 1, units), strategy, strategyOptions({ seed: i + 1, roundsMax: 60 }));
      return hash();
    });
    return [kind, ...each].join(" ");
  });
  expect(hashes).toMatchSnapshot();
});
