/** Every limit of discoveries: what it guards, its unit, and why the value is safe. */

/** Units of a discovery: at most 17 bytes each, and all routed IPv4 prefixes are a quarter of them. */
export const unitsMax = 4_194_304;

/** Bytes of a list of targets as text: 4 million lines, like the units; and of one line. */
export const listBytesMax = 64 << 20;
export const targetLineBytesMax = 1024;

/** Bytes of targets that the command sends in its JSON; more are sent as a list. */
export const jsonTargetsBytesMax = 512 << 10;

/** Bytes of lists read at once: two of the largest, of which one may be slow. */
export const listsBytesMax = 128 << 20;

/** A list arrives at 16 kB/s or more, in half an hour: a slow line has time for the largest. */
export const listPace = { graceMs: 10_000, bytesPerSec: 16_384, deadlineMs: 1_800_000 };

/** Bytes of unit tables that a gateway keeps between steps: those of two of the largest discoveries. */
export const unitTablesBytesMax = 160 << 20;

/** Expected parts of an agent over a whole run: a run has 1,000 steps, and rounds need some themselves. */
export const partsOfRunMax = 400;

/** Subnets of a unit: an IPv4 /16. All replies of a unit are in memory at once, some megabytes. */
export const subnetsOfUnitMax = 256;

/** Probes of a part, which is a measurement: some 60 bytes of memory each while it is built. */
export const partProbesDefault = 100_000;
export const partProbesMax = 1_000_000;

/** Agents with parts in progress at the same time: a user may have 16 measurements with an interval. */
export const agentsBesideMax = 8;

/** Agents of a discovery: each has its own parts in every round. */
export const agentsMax = 64;

/** Rounds, which are measured one after another: `mda` needs more than 50, `shared` some 40 under rate limits. */
export const roundsDefault = 100;
export const roundsMax = 200;

/** Packets per second: of each agent, and to a known router. */
export const rateDefault = 1000;
export const rateMax = 1_000_000;
export const routerRateDefault = 10;
export const routerRateMax = 1000;

/** Up to this TTL, routers without replies so far are also limited; beyond it, paths have diverged. */
export const nearTtlDefault = 8;
export const nearTtlMax = 64;

/** Quota reserved for a discovery without its own limit, as a multiple of its first round. */
export const probesReservedRounds = 20;
export const probesMaxMax = 10_000_000_000;

/** Excluded subnets listed with reasons in a forecast; beyond that, only their number. */
export const leftOutShownMax = 10;

/** Seconds to wait for replies after the end of a part. */
export const settleSecDefault = 10;
export const settleSecMax = 300;

/** Seconds to wait for the store when it lacks submitted probes. */
export const storeLagSecMax = 600;

/** The share of an agent's prefix budget that is chosen at random (Zeph, CCR 2022). */
export const budgetRandomShare = 0.1;

/** Links of the previous run used for budgets: 8 bytes each. Beyond that, units are sampled. */
export const seenLinksMax = 8_388_608;

/** Links counted exactly: 100 bytes each. Beyond that, their number is estimated, to about 1 %. */
export const linksCountedMax = 16_384;

/** Bytes of probe lines in one piece. */
export const linesBytes = 65_536;
