/** Limits of the console, each with its reason. */

/** A working day: the next day, users log in again. */
export const sessionMs = 12 * 3_600_000;

/** Limits the use of an unattended browser by someone else. */
export const sessionIdleMs = 2 * 3_600_000;

/** Browsers and private windows of one person; another one ends the oldest. */
export const sessionsPerUserMax = 20;

/** Minimum remaining life of an access token: enough for a call and clock differences. */
export const renewBeforeMs = 30_000;

/** After this time a gateway that was renewing tokens counts as dead. Longer than the timeout of the issuer. */
export const renewingMs = 15_000;

/** Interval at which a session's row is written, at any number of page views. */
export const seenEveryMs = 60_000;

/** Time to type a password, and to find the second factor. */
export const loginMs = 15 * 60_000;

/** An issuer that takes longer counts as unavailable. */
export const issuerWaitSec = 5;

/** Codes verified at the issuer concurrently: anyone can make up a code, and each costs a request there. */
export const codesAtOnceMax = 16;

/** Lifetime of the issuer's cached metadata: its addresses change with its version. */
export const issuerFreshMs = 3_600_000;

/** Timeout of the peering gateway for a page's request. */
export const peeringWaitMs = 10_000;

/** Length of a return address: the longest has a table's filters. */
export const returnPathCharsMax = 2000;
