/** Every limit of experiments: what it guards, its unit, and why the value is safe. */

/** Steps of an experiment: a sweep of six sites, their pairs and four lengths of path has some 50. */
export const stepsMax = 200;

/** Seconds from the first step to the end: a lease is renewed for no longer than a month. */
export const lastsSecMax = 30 * 86_400;

/** Seconds between two changes of a prefix: in less time, route flap damping (RFC 7196) has forgotten one change. */
export const spacingSecDefault = 600;

/** Changes of a prefix in any hour. */
export const changesPerHourMax = 10;

/** Seconds left of the lease when the experiment ends: withdrawals reach the last networks within two minutes. */
export const leaseRestSec = 600;

/** Sites in one step: as many as there are exchange servers. */
export const sitesMax = 64;

/** Catchments that one step may request. */
export const catchmentTimesMax = 100;

/** Seconds between two probes of a watch to a target: 1,000 a second show a loss to the millisecond. */
export const watchEverySecMin = 0.001;

/** Seconds from when an exchange accepts a change to its effect: it reads its routes every ten seconds. */
export const exchangeMarginSec = 15;

/** TTLs that a sample of the paths probes per target: few paths of the Internet are longer. */
export const pathTtls = 32;

/** Action numbers: a step may request 100 catchments. */
export const actionsMax = stepsMax * (catchmentTimesMax + 2 * sitesMax + 2);

/** Sample numbers: one a second for as long as an experiment lasts. */
export const looksMax = lastsSecMax;

/** Characters of a text in a journal from elsewhere: an event's detail is a sentence. */
export const entryTextMax = 4096;

/** Goals of an aim: each is computed for hundreds of settings per change. */
export const goalsMax = 20;

/** Changes of an aim: at ten minutes each, some eight hours. */
export const aimChangesMax = 50;

/** Prepends of an aim at a site: more move hardly any target. */
export const aimPrependsMax = 3;

/** Neighbours of a site that an aim may leave out: as many as one announcement names. */
export const aimNeighborsMax = 5;
