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

/** Patterns that are kept as they were read: 3 kB each at most, where each minute is named. */
export const cronPatternsMax = 256;

/** Years in which the next match is looked for: 29 February falls on the same weekday after 40 years at the latest. */
export const cronYearsAheadMax = 41;

/** The last year of a pattern: long before, the rules of its zone are a guess. */
export const cronYearMax = 2999;

/** Time zones whose formatter is kept: 50 kB each. */
export const zonesMax = 128;

/** Weeks of a zone whose change of the clock is kept: 100 bytes each, ten years of them. */
export const zoneWeeksMax = 520;

/** Runs of a cron pattern that one look goes through: each costs up to 0.02 ms. */
export const cronRunsOfLookMax = 200;

/** Seconds over which the agents of a run are spread when nothing else is said. */
export const spreadSecDefaultMax = 400;

/** Runs that an estimate looks at, each once, if they take two days or longer: 1,500 to 2,881, up to 0.02 ms each. */
export const estimateRunsMax = 1500;

/** Years that an estimate looks at: rare runs cost more each, as their zone's clock is read anew for each. */
export const estimateYearsMax = 50;

/** Steps of a run, one after another: rounds that are computed from earlier rounds must end. */
export const runPlacesMax = 1000;

/** Seconds that a later step of a run may wait to be started: a gateway may be down for that long. */
export const laterSlipSec = 3600;

/** Addresses that one ping of all who answered goes to: as many as a run's probe lines have room for. */
export const respondersMax = 5000;

/** Times that a campaign sends each of its generated probes in a run: more of them is a shorter interval. */
export const packetsMax = 100;
