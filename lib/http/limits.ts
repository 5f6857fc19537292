/** Limits of every service's HTTP side, each with its reason. */

/** Largest JSON body of an ordinary request: what existing servers of this kind take. */
export const jsonBytesMax = 2_097_152;

/** Wrong fields told at once: enough to mend a form, not an answer as large as the question. */
export const fieldProblemsMax = 20;

/** A dependency that has not answered by then is not ready; load balancers ask every few seconds. */
export const readinessWaitMs = 2_000;

/** Answers to /ready are that old at most: it is public, and each asks the database. */
export const readinessFreshMs = 500;

/** Requests under way when a service stops have this long to end; orchestrators kill after 10 s or more. */
export const stopWaitMs = 8_000;

/** A connection on which nothing has moved for this long is closed; streams of events send a comment before. */
export const idleConnectionSec = 60;

/** Rows of one page of a list. */
export const pageRowsDefault = 100;
export const pageRowsMax = 1000;
