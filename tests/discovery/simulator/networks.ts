/** Networks that strategies are compared on, by name; another one for each seed. */
import type { InternetPlan, LevelPlan } from "./internet-drawing.ts";
import { LevelledInternet } from "./levelled-internet.ts";
import { type Conditions, SimulatedNet } from "./simulated-net.ts";
import { ToyInternet } from "./toy-internet.ts";

interface NetworkKind {
  readonly what: string;
  /** @param units routed prefixes; 25 in comparisons that others' figures are from */
  make(seed: number, units?: number): SimulatedNet;
}

const unitsUsual = 25;
const subnetsEach = 8;

/** Shares of diamonds, the rest of which are single routers: some of each kind, most of them even. */
const usualForms: LevelPlan["forms"] = { even: 0.35, parallel: 0.1, tree: 0.05, uneven: 0.07, mesh: 0.03 };

/** Core, transit networks and routed prefixes with diamonds of all kinds, and a tail for each /24. */
export function threeLevels(
  seed: number,
  more: Partial<InternetPlan> & { readonly units: number },
): InternetPlan {
  return {
    subnetsEach,
    seed,
    core: { diamonds: [2, 3], forms: usualForms, width: 4 },
    transit: { count: 5, diamonds: [1, 2], forms: usualForms, width: 8 },
    routed: { diamonds: [1, 2], forms: usualForms, width: 8 },
    tail: { diamonds: [1, 3], forms: {}, width: 2 },
    ...more,
  };
}

/** As fast as an agent sends to so few targets, and as long as its answers take. */
const usual = { probesPerSec: 10_000, roundGapSec: 2 } as const;

function simulated(plan: Partial<InternetPlan>, conditions: Partial<Conditions>): NetworkKind["make"] {
  return (seed, units = unitsUsual) => {
    const topology = new LevelledInternet(threeLevels(seed, { units, ...plan }));
    return new SimulatedNet(topology, { ...usual, seed, ...conditions });
  };
}

export const networks: Readonly<Record<string, NetworkKind>> = {
  toy: {
    what: "25 routed prefixes of 8 /24s, even balancers",
    make: (seed, routedPrefixes = unitsUsual) =>
      new SimulatedNet(new ToyInternet({ routedPrefixes, subnets: subnetsEach, seed }), { ...usual, seed }),
  },
  "three levels": {
    what: "as many, behind 5 transit networks: even, uneven and weighted balancers, trees, meshes",
    make: simulated({ weighted: 0.1 }, {}),
  },
  "5 % loss": { what: "three levels, of whose answers 5 % are lost", make: simulated({}, { loss: 0.05 }) },
  "rate limits": {
    what: "three levels, a fifth of whose routers answer 100 probes a second, 50 at once",
    make: simulated({}, { limited: { share: 0.2, perSec: 100, burst: 50 } }),
  },
  "routes per /24": {
    what: "three levels; /24s have up to four ways in half of the routed prefixes, half of the branches in a quarter",
    make: simulated({ grouped: 0.5, narrowed: 0.25 }, {}),
  },
};
