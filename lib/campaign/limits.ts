/** Every limit of campaigns: what it guards, its unit, and why the value is safe. */

/** Seconds between two runs: shorter is one measurement that goes on, longer is a cron pattern. */
export const everySecMin = 60;
export const everySecMax = 604_800;

/** Runs of a campaign: at the shortest interval they take nearly two years. */
export const runsMaxMax = 1_000_000;

/** Seconds that a run may start late; after that it is missed. */
export const slipSecMax = 3600;

/** Characters of a cron pattern: lists of every minute, hour and day have fewer. */
export const cronCharsMax = 200;

/** Runs of a cron pattern that one look goes through: each costs up to 0.2 ms. */
export const cronRunsOfLookMax = 200;

/** Seconds over which the agents of a run are spread when nothing else is said. */
export const spreadSecDefaultMax = 400;

/** Runs that an estimate of a cron pattern looks at: a day of the shortest interval, and a quarter of a second. */
export const estimateRunsMax = 1500;

/** Steps of a run, one after another: rounds that are computed from earlier rounds must end. */
export const runPlacesMax = 1000;

/** Seconds that a later step of a run may wait to be started: a gateway may be down for that long. */
export const laterSlipSec = 3600;

/** Addresses that one ping of all who answered goes to: as many as a run's probe lines have room for. */
export const respondersMax = 5000;

/** Times that a campaign sends each of its generated probes in a run: more of them is a shorter interval. */
export const packetsMax = 100;
