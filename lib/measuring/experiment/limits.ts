/** Every limit of experiments: what it guards, its unit, and why the value is safe. */

/** Steps of an experiment: a sweep of six sites, their pairs and four lengths of path has some 50. */
export const stepsMax = 200;

/** Seconds from the first step to the end: a lease is renewed for no longer than a month. */
export const lastsSecMax = 30 * 86_400;

/** Seconds between two changes of a prefix: route flap damping (RFC 7196) forgets one change in less. */
export const spacingSecDefault = 600;

/** Changes of a prefix in any hour. */
export const changesPerHourMax = 10;

/** Seconds that are left of the lease when the experiment ends: withdrawals reach the last networks in two minutes. */
export const leaseRestSec = 600;

/** Sites named by one step: as many as there are exchange servers. */
export const sitesMax = 64;

/** Catchments that one step may request. */
export const catchmentTimesMax = 100;

/** Seconds between two probes of a watch to a target: 1,000 a second show a loss to the millisecond. */
export const watchEverySecMin = 0.001;

/** Seconds that a change comes behind the moment at which an exchange takes it: it looks at routes each ten seconds. */
export const exchangeMarginSec = 15;

/** The TTLs that a look at paths sends to a target: few paths of the Internet are longer. */
export const pathTtls = 32;

/** Numbers of actions: a step may ask for 100 catchments. */
export const actionsMax = stepsMax * (catchmentTimesMax + 2 * sitesMax + 2);

/** Numbers of looks: one a second for as long as an experiment lasts. */
export const looksMax = lastsSecMax;

/** Characters of a text in a journal that comes from elsewhere: an event's detail is a sentence. */
export const entryTextMax = 4096;
