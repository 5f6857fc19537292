/** Limits of every service's HTTP side, each with its reason. */

/** Largest JSON body of an ordinary request: what existing servers of this kind take; a few ms to parse. */
export const jsonBytesMax = 2_097_152;

/**
 * An ordinary JSON body is small, so it arrives at once or soon: 2 MB in 30 s are 70 kB/s. A started body holds its
 * bytes and a connection until then.
 */
export const jsonPace = { graceMs: 10_000, bytesPerSec: 4096, deadlineMs: 30_000 };

/** Bytes of each JSON body that are not counted: reports of health and progress, and all that people write, fit. */
export const bodyFreeBytes = 64 * 1024;

/** Bytes beyond that of one caller at once: four of the largest bodies; ours send one after another. */
export const callerBodiesBytesMax = 8 * 2 ** 20;

/** Bytes of all callers' bodies: with their parsed form, a fifth of a small machine's memory for a gateway. */
export const bodiesBytesMax = 64 * 2 ** 20;

/** Delay after which a caller that found no room tries again: a body usually arrives within a second. */
export const roomRetrySec = 2;

/** Bytes of a body that are processed before other requests are served: 100 MB/s of probes are 3 ms. */
export const pieceBytesMax = 256 * 1024;

/** A request that has run for this long without waiting yields to others; none should wait 50 ms. */
export const loopHoldMs = 10;

/** Interval at which it is checked that a stream's reader may still have it: one query each, and it ends within 2 s. */
export const standingEveryMs = 1500;

/** Wrong fields reported at once: enough to correct a form, without an answer as large as the request. */
export const fieldProblemsMax = 20;

/** Characters of a fault's place, and of a parser's reason, in an answer: a member's name may have 2 MB. */
export const fieldPathCharsMax = 200;
export const parserReasonCharsMax = 200;

/** A dependency without a response by then is not ready; load balancers poll every few seconds. */
export const readinessWaitMs = 2_000;

/** Maximum age of an answer to /ready: it is public, and each new one queries the database. */
export const readinessFreshMs = 500;

/** Running requests have this long to end when a service stops; orchestrators kill after 10 s or more. */
export const stopWaitMs = 8_000;

/** A connection without traffic for this long is closed; event streams send a comment before. */
export const idleConnectionSec = 60;

/** Rows of one page of a list. */
export const pageRowsDefault = 100;
export const pageRowsMax = 1000;

/** Seconds until a caller may retry after an outage: these are short, or long. */
export const retryAfterSec = 5;

/** A message of a WebSocket's client: subscriptions are far below. */
export const socketMessageBytesMax = 16 * 1024;

/** Bytes that wait for a WebSocket's client before its service waits too. */
export const socketFullBytes = 256 * 1024;

/**
 * Milliseconds for which a request may hold the event loop, in turns of `loopHoldMs`. An ordinary one reads its body
 * and one page of rows; a derived one computes from everything that a user has stored or sent.
 */
export const smallWorkMsMax = 2_000;
export const derivedWorkMsMax = 20_000;

/** Bytes that the work of a request may hold besides its body: a page of rows, or a large list or journal. */
export const smallWorkBytesMax = 64 * 2 ** 20;
export const derivedWorkBytesMax = 384 * 2 ** 20;

/** Bytes of the work of all requests. */
export const allWorkBytesMax = 512 * 2 ** 20;

/** Derived work at once, of all and of one caller: What waits is served round-robin. */
export const derivedWorkSlots = {
  placesMax: 3,
  ofOneMax: 1,
  lineMax: 100,
  waitMs: 10_000,
  safeMs: Number.POSITIVE_INFINITY,
} as const;

/** Delay after which a caller tries again: derived work takes seconds. */
export const workRetrySec = 5;
