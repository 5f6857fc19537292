/**
 * A discovery strategy: the probes of the next round, from all replies so far.
 *
 * A run works in rounds. For each unit (a routed prefix, or an entry of a list) the caller passes all probes so far
 * with their replies, and receives the probes of the next round; no probes = the unit is done. A strategy is stateless:
 * its state is the replies in the store, so a run survives any kill, and the caller needs no more than a flag for each
 * finished unit. The same replies, in any order, yield the same probes, in the same order. Apart from sorting, a call's
 * time is linear in the unit's replies.
 *
 * How a caller uses it (strategies.ts has the table by name):
 *
 *     const strategy = strategies["shared"];
 *     const options = strategyOptions({ confidencePercent: 95 });
 *     for each round, for each unit that is not done:
 *       probes = strategy.next(all probes to the unit with their answers, unit, options)
 *
 * Send a round when the replies to the previous one are in (or 2 s have passed), at least 1 s apart: rate-limiting
 * routers recover meanwhile, and unanswered probes are repeated. Order and pace of a round's probes, across units, are
 * the caller's. Flows become addresses and ports by flow-mapper.ts.
 */

/** A sent probe, and the router that replied: one for each probe, and one more for each further reply. */
export interface RoundReply {
  readonly subnet: number;
  readonly flow: number;
  readonly ttl: number;
  /**
   * The router that replied with "time exceeded", as the caller's number for its address: a whole number from 0 up to
   * 2^31 - 1, the same in all rounds and units. Null = no reply until the round's end. A probe that was sent in three
   * rounds appears three times. Pass no private addresses, and no replies other than these and the next.
   */
  readonly node: number | null;
  /**
   * The target itself replied (echo reply, port unreachable, TCP), or a router reported that the path ends
   * (unreachable, filtered): nothing is beyond this TTL. `node` is null then, as a router also refuses probes whose TTL
   * would have taken them further.
   */
  readonly isEnd?: boolean;
}

export interface RoundProbe {
  readonly subnet: number;
  /** From 0 up to flowsMax - 1; flow-mapper.ts maps it to a target and ports. */
  readonly flow: number;
  readonly ttl: number;
}

/** The subject of one call: replies to these subnets, and to no others. */
export interface Unit {
  /**
   * All subnets of the routed prefix by number, from 0 up to 2^31 - 1, probed or not; numbers are the caller's (the
   * /24s of IPv4 by their upper 24 bits, for example). Several subnets share a unit only if they are thought to have
   * one forwarding entry: `shared` uses them as evidence about each other, and detects if they are not. All other
   * strategies treat each subnet separately, so the grouping into units does not affect their result.
   */
  readonly subnets: readonly number[];
  /** Rounds sent so far: 0 for the first call. Only relevant to `roundsMax`. */
  readonly round: number;
  /**
   * For strategies with `usesSeenNodes`: routers that replied to another unit first. "First" is by round, and within a
   * round by the order of units, which is any fixed order (the first subnet's number, for example): so of all units
   * that have seen a router, exactly one does not find it here, and that one continues beyond it. In SQL: argMin(unit,
   * (round, unit)) by node is not this unit. Without it, each unit is probed separately.
   */
  readonly seenNodes?: { has(node: number): boolean };
}

export interface StrategyOptions {
  /** Probability (%) that no branch is missed: from 50 up to 99.99. docs/measure/discovery.md defines its scope. */
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
  /** Maximum flows of one subnet: from 6 up to 4,351, the pairs of address and port that a /24 has. */
  readonly flowsMax: number;
  /**
   * A unit is done after this many rounds in any case: a path that is not settled by then changes while it is measured.
   */
  readonly roundsMax: number;
  /** Seed for the order of equivalent subnets and flows: any whole number. */
  readonly seed: number;
}

export interface Strategy {
  readonly name: string;
  /** A one-sentence description for users. */
  readonly sentence: string;
  /** `unit.seenNodes` saves probes: provide it. */
  readonly usesSeenNodes: boolean;
  /** Subnets of a unit are evidence about each other: form units from routed prefixes, as large as they are routed. */
  readonly sharesSubnets: boolean;
  /** The probes of the next round; none = done. None of them twice. */
  next(replies: Iterable<RoundReply>, unit: Unit, options: StrategyOptions): RoundProbe[];
}

/** Each option's default, minimum and maximum. */
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
 * The given options, with defaults for the others; `splitTtl` is clamped to the TTL range.
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
