/** Every limit of birdwatcher's routes, with its reason. */

/** The longest text of an IPv6 prefix has 49 characters. */
export const resourceCharsMax = 64;

/** Prefixes and parts of the tree that one piece of an answer goes through: some 2 ms of work. */
export const sliceNodes = 1000;

/** Paths in the tables that an answer is made of: some 500 bytes each, sent as they are read. */
export const answerPathsMax = 1_000_000;

/** Answers with routes at once: each keeps a part of a core busy as long as its reader takes it. */
export const answersMax = 8;
export const answersOfOneMax = 4;

/** Requests that wait for a place, and how long. */
export const lineMax = 32;
export const waitMs = 10_000;

/** Time for which a reader keeps its place when others wait. */
export const safeMs = 60_000;

/** Peers' counts come from a walk through the table that many readers share. */
export const countsAgeMs = 10_000;

/** Characters of a reason: routers say some themselves. */
export const reasonCharsMax = 255;
