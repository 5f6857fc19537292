/** Limits of who watches routes, with their reasons. */

/** At once: each change is compared with the filter of each, some 50 ns. */
export const watchesMax = 64;

/**
 * From one network, an IPv4 /24 or IPv6 /64: no network takes all places. The one with most yields one to one with
 * fewer.
 */
export const watchesOfOneMax = 8;

/** Time for which a network keeps its only watch, although others have none. */
export const watchSafeMs = 600_000;

/** Changes waiting for one reader; the number of others is reported to it. Some 300 bytes each. */
export const watchChangesMax = 1000;

/** Changes that are written at once. */
export const writtenMax = 100;

/** Who was cut off may come back for so long and has missed nothing, if no more changed than wait for a reader. */
export const lingerMs = 60_000;

/** Paths that stand when a watch begins. */
export const standingMax = 10_000;

/** Silence before a heartbeat: proxies close after 30 s or more. */
export const heartbeatMs = 15_000;

/** Until a reader who was cut off asks again. */
export const retryMs = 1000;

/** Characters of a Last-Event-ID: ours have at most 49. */
export const eventIdCharsMax = 64;
