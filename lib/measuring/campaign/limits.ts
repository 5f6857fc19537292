/** Every limit of campaigns: what it guards, its unit, and why the value is safe. */

/** Seconds between two runs: anything shorter is one continuous measurement, anything longer a cron pattern. */
export const everySecMin = 60;
export const everySecMax = 604_800;

/** Runs of a campaign: at the shortest interval they take nearly two years. */
export const runsMaxMax = 1_000_000;

/** Seconds that a run may start late; after that it is missed. */
export const slipSecMax = 3600;

/** Characters of a cron pattern: lists of every minute, hour and day have fewer. */
export const cronCharsMax = 200;

/** Parsed patterns that are cached: 3 kB each at most, if every minute is named. */
export const cronPatternsMax = 256;

/** Years searched for the next match: 29 February falls on the same weekday after 40 years at the latest. */
export const cronYearsAheadMax = 41;

/** The last year of a pattern: long before, the rules of its zone are a guess. */
export const cronYearMax = 2999;

/** Time zones whose formatter is cached: 50 kB each. */
export const zonesMax = 128;

/** Weeks of a zone whose clock change is cached: 100 bytes each, ten years of them. */
export const zoneWeeksMax = 520;

/** Runs of a cron pattern computed at once: each costs up to 0.02 ms. */
export const cronRunsOfLookMax = 200;

/** Seconds over which a run's agents are spread by default. */
export const spreadSecDefaultMax = 400;

/** Runs that an estimate covers if they take two days or longer: 1,500 to 2,881, up to 0.02 ms each. */
export const estimateRunsMax = 1500;

/** Years that an estimate covers: rare runs cost more each, as each needs the zone's clock of another week. */
export const estimateYearsMax = 50;

/** Steps of a run, one after another: rounds computed from earlier rounds must end. */
export const runPlacesMax = 1000;

/** Seconds that a later step of a run may be late: a gateway may be down for that long. */
export const laterSlipSec = 3600;

/** Addresses in one ping of all responding hosts: as many as a run's probe lines have room for. */
export const respondersMax = 5000;

/** Times that a campaign sends each of its generated probes in a run: for more, use a shorter interval. */
export const packetsMax = 100;
