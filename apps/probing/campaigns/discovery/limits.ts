/** Every limit of discoveries: what it guards, its unit, and why the value is safe. */

/** Units of a discovery: 17 bytes each, and all routed IPv4 prefixes are a quarter of them. */
export const unitsMax = 4_194_304;

/** Bytes of a list of targets that comes as text: 4 million lines, as the units; and of one of its lines. */
export const listBytesMax = 64 << 20;
export const targetLineBytesMax = 1024;

/** Bytes of targets that the command sends within its JSON: more go as a list. */
export const jsonTargetsBytesMax = 512 << 10;

/** Bytes of lists that are read at once: one of the largest, and another that may wait for nothing. */
export const listsBytesMax = 128 << 20;

/** A list arrives at 16 kB/s or more, in half an hour: a slow line has time for the largest. */
export const listPace = { graceMs: 10_000, bytesPerSec: 16_384, deadlineMs: 1_800_000 };

/** Bytes of unit tables that a gateway keeps between steps: those of two of the largest discoveries. */
export const unitTablesBytesMax = 160 << 20;

/** Parts of an agent over a whole run, by what is expected: a run has 1,000 steps, and rounds need some themselves. */
export const partsOfRunMax = 400;

/** Subnets of a unit: an IPv4 /16. All replies of a unit are in memory at once, some megabytes. */
export const subnetsOfUnitMax = 256;

/** Probes of a part, each a measurement: some 60 bytes of memory each while it is made. */
export const partProbesDefault = 100_000;
export const partProbesMax = 1_000_000;

/** Agents whose parts are under way together: a user may have 16 measurements with an interval. */
export const agentsBesideMax = 8;

/** Agents of a discovery: each has parts of its own in every round. */
export const agentsMax = 64;

/** Rounds, of which each is measured and waited for: `mda` needs more than 50, `shared` some 40 under rate limits. */
export const roundsDefault = 100;
export const roundsMax = 200;

/** Packets a second: of each agent, and to a router that is known. */
export const rateDefault = 1000;
export const rateMax = 1_000_000;
export const routerRateDefault = 10;
export const routerRateMax = 1000;

/** Up to this TTL routers that nobody has heard are held to their limit too: behind it, paths have parted. */
export const nearTtlDefault = 8;
export const nearTtlMax = 64;

/** Rounds like the first one that are reserved of the quota for a discovery without a limit of its own. */
export const probesReservedRounds = 20;
export const probesMaxMax = 10_000_000_000;

/** Subnets that are left out, with the reason, in a forecast; of more their number is said. */
export const leftOutShownMax = 10;

/** Seconds that answers are waited for after the end of a part. */
export const settleSecDefault = 10;
export const settleSecMax = 300;

/** Seconds that the store is waited for, when it lacks submitted probes. */
export const storeLagSecMax = 600;

/** The part of an agent's budget of prefixes that is drawn at random (Zeph, CCR 2022). */
export const budgetRandomShare = 0.1;

/** Links of the run before by which budgets are given: 8 bytes each. Of more, units are sampled. */
export const seenLinksMax = 8_388_608;

/** Links that are counted one by one: 100 bytes each. Of more, their number is estimated, to 1 % or so. */
export const linksCountedMax = 16_384;

/** Bytes of probe lines that are handed over together. */
export const linesBytes = 65_536;
