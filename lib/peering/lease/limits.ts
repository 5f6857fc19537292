/** Limits of pools and leases, each with its reason. */

/** Bits of every leased prefix: the longest that Internet exchanges accept. */
export const leaseLengthBits = 48;

/** Runs of /48s that follow one another in a pool: 100 bytes each as rows and as published ROAs, of any length each. */
export const poolRunsMax = 1_000_000;

/** Characters of a pool's line that are shown in a message. */
export const shownCharsMax = 60;

/** ASN ranges of one pool: usually one or two. */
export const asnRangesMax = 100;

/** Largest 32-bit ASN that may be given: the last one is reserved (RFC 7300). */
export const asnMax = 4_294_967_294;

/** Leases of one user: the most that the routing policy accepts. */
export const leasesPerUserMax = 64;

/** Hours of one lease that an admin may allow a user: a year. */
export const leaseHoursMax = 8784;
