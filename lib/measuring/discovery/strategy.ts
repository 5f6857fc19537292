/**
 * A strategy of discovery: which probes to send in the next round, from all answers so far.
 *
 * A run works in rounds. For each unit (a routed prefix, or an entry of a list) the caller gives all probes so far with
 * their answers, and gets the probes of the next round; no probes = the unit is done. A strategy keeps nothing
 * between two calls: its state is the replies in the store, so a run goes on after any kill, and the caller needs no
 * more than a flag for each unit that is done. The same replies, in any order, give the same probes, in the same
 * order. The time of a call is linear in the replies of the unit, but for sorting.
 *
 * How a caller uses it (strategies.ts has the table by name):
 *
 *     const strategy = strategies["shared"];
 *     const options = strategyOptions({ confidencePercent: 95 });
 *     for each round, for each unit that is not done:
 *       probes = strategy.next(all probes to the unit with their answers, unit, options)
 *
 * Send a round when the answers of the one before are in (or 2 s have passed), at least 1 s apart: routers that limit
 * their answers recover meanwhile, and unanswered probes are repeated. Order and pace of the probes of a round,
 * across units, are the caller's. Flows become addresses and ports by flow-mapper.ts.
 */

/** A probe that was sent, and which router answered. Each probe makes one, and each further answer one more. */
export interface RoundReply {
  readonly subnet: number;
  readonly flow: number;
  readonly ttl: number;
  /**
   * The router that answered with "time exceeded", by the number that the caller gives its address: a whole number
   * from 0 up to 2^31 - 1, the same in all rounds and units. Null = nobody did until the round's end. A probe that was
   * sent in three rounds appears three times. Give no private addresses, and no other answers than these and the next.
   */
  readonly node: number | null;
  /**
   * The target itself answered (echo reply, port unreachable, TCP), or any router said that there is no way on
   * (unreachable, filtered): nothing lies behind this TTL. `node` is null then, as a router also refuses probes whose
   * TTL would have taken them beyond it.
   */
  readonly isEnd?: boolean;
}

export interface RoundProbe {
  readonly subnet: number;
  /** From 0 up to flowsMax - 1; flow-mapper.ts makes a target and ports of it. */
  readonly flow: number;
  readonly ttl: number;
}

/** What one call is about: replies to these subnets, and to no others. */
export interface Unit {
  /**
   * Subnets of the routed prefix by number, from 0 up to 2^31 - 1, all of them, probed or not; numbers are the caller's
   * (the /24s of IPv4 by their upper 24 bits, for example). Several subnets are in one unit only if one forwarding
   * entry is thought to serve them: `shared` takes them as evidence about each other, and finds out if they are not.
   * All other strategies take each subnet by itself, so the result is the same however these are put into units.
   */
  readonly subnets: readonly number[];
  /** Rounds that were sent so far: 0 for the first call. Only `roundsMax` looks at it. */
  readonly round: number;
  /**
   * For strategies with `usesSeenNodes`: routers which answered another unit first. "First" is by round, and in one
   * round by the order of units, which is any order that does not change (the first subnet's number, for example):
   * so of all units that have seen a router, exactly one does not find it here, and that one goes on behind it.
   * In SQL: argMin(unit, (round, unit)) by node is not this unit. Without it, each unit is probed by itself.
   */
  readonly seenNodes?: { has(node: number): boolean };
}

export interface StrategyOptions {
  /** How sure to be that no branch is missed: from 50 up to 99.99. docs/measure/discovery.md says of what. */
  readonly confidencePercent: number;
  /** No probe has a smaller TTL; from 1. */
  readonly ttlMin: number;
  /** No probe has a larger TTL; up to 64. */
  readonly ttlMax: number;
  /** A path ends after this many silent hops in a row: from 1 up to 32. */
  readonly gapLimit: number;
  /** `paris`: the TTL of the first probe, from which it goes up and down. Between ttlMin and ttlMax. */
  readonly splitTtl: number;
  /** `paris`: probes in each direction and round, from 1 up to 64: more are fewer rounds and more probes. */
  readonly stepTtls: number;
  /** `diamond-miner`: TTLs of a window of the first flows; 0 = all TTLs at once. */
  readonly windowTtls: number;
  /** Flows of one subnet at most: from 6 up to 4,351, the pairs of address and port that a /24 has. */
  readonly flowsMax: number;
  /** A unit is done after this many rounds whatever is open: a path that is not settled then changes while we look. */
  readonly roundsMax: number;
  /** Which subnets and flows come first where all are alike: any whole number. */
  readonly seed: number;
}

export interface Strategy {
  readonly name: string;
  /** What it does, in a sentence that users read. */
  readonly sentence: string;
  /** `unit.seenNodes` saves probes: give it. */
  readonly usesSeenNodes: boolean;
  /** Subnets of a unit are evidence about each other: make units of routed prefixes, as large as they are routed. */
  readonly sharesSubnets: boolean;
  /** The probes of the next round; none = done. None of them twice. */
  next(replies: Iterable<RoundReply>, unit: Unit, options: StrategyOptions): RoundProbe[];
}

/** What each option is if not given, its least and its most. */
const limits: {
  readonly [Name in keyof StrategyOptions]: readonly [usual: number, least: number, most: number];
} = {
  confidencePercent: [95, 50, 99.99],
  ttlMin: [1, 1, 64],
  ttlMax: [32, 1, 64],
  gapLimit: [5, 1, 32],
  splitTtl: [16, 1, 64],
  stepTtls: [1, 1, 64],
  windowTtls: [8, 0, 64],
  flowsMax: [1024, 6, 4351],
  roundsMax: [100, 1, 1000],
  seed: [1, 0, 2 ** 32 - 1],
};

/**
 * The options given, the others at their defaults; `splitTtl` is brought between the least and the largest TTL.
 *
 * @throws RangeError that names the option, its value and its range
 */
export function strategyOptions(given: Partial<StrategyOptions> = {}): StrategyOptions {
  const checked = (name: keyof StrategyOptions) => {
    const [usual, least, most] = limits[name];
    const value = given[name] ?? usual;
    const isWhole = name === "confidencePercent" || Number.isInteger(value);
    if (!(isWhole && value >= least && value <= most)) {
      throw new RangeError(`${name} is ${value}: give a number from ${least} to ${most}`);
    }
    return value;
  };
  const [ttlMin, ttlMax] = [checked("ttlMin"), checked("ttlMax")];
  if (ttlMin > ttlMax) {
    throw new RangeError(`ttlMin is ${ttlMin}, above ttlMax, which is ${ttlMax}`);
  }
  return {
    confidencePercent: checked("confidencePercent"),
    ttlMin,
    ttlMax,
    gapLimit: checked("gapLimit"),
    splitTtl: Math.min(ttlMax, Math.max(ttlMin, checked("splitTtl"))),
    stepTtls: checked("stepTtls"),
    windowTtls: checked("windowTtls"),
    flowsMax: checked("flowsMax"),
    roundsMax: checked("roundsMax"),
    seed: checked("seed"),
  };
}
