/** Limits of the console, each with its reason. */

/** A working day: who comes back tomorrow logs in again. */
export const sessionMs = 12 * 3_600_000;

/** A browser that somebody has left is of no use to the next one at that desk for longer. */
export const sessionIdleMs = 2 * 3_600_000;

/** Browsers and private windows of one person; another one ends the oldest. */
export const sessionsPerUserMax = 20;

/** So much of an access token's life must be left: a call, and clocks that differ. */
export const renewBeforeMs = 30_000;

/** A gateway that has not renewed tokens in so long has died over it. Longer than the issuer is waited for. */
export const renewingMs = 15_000;

/** The row of a session is written once in so long, however many pages are looked at. */
export const seenEveryMs = 60_000;

/** Time to type a password, and to find the second factor. */
export const loginMs = 15 * 60_000;

/** An issuer that takes longer is away. */
export const issuerWaitSec = 5;

/** Codes that the issuer is asked about at once: anybody can make up a code, and each costs a request there. */
export const codesAtOnceMax = 16;

/** What the issuer's document says is asked again after so long: its addresses change with its version. */
export const issuerFreshMs = 3_600_000;

/** The peering gateway answers a page's question in so long, or is away. */
export const peeringWaitMs = 10_000;

/** An address of ours: the longest has a table's filters. */
export const returnPathCharsMax = 2000;
