/** Every limit of the SQL door: what it guards, its unit, and why the value is safe. */

/** Bytes of a statement: ClickHouse's own default is 256 KiB, and programs write long lists of prefixes. */
export const statementBytesMax = 256 * 1024;

/** Parameters `param_x` of a statement, and settings: programs send a dozen. */
export const parametersMax = 100;

/**
 * Measurements, and source prefixes, of one reader: some 40 bytes each in the column store, once for each change.
 * The newest count.
 */
export const readableMeasurementsMax = 100_000;
export const readableSourcesMax = 1000;

/** Links in one request: a few colleagues' results. */
export const linksMax = 20;

/** Sets known to be in the store, 200 bytes each. */
export const setsKnownMax = 10_000;
/** Time for which a set keeps its name; the views know it for twice as long (door.ts), longer than any query. */
export const setMs = 600_000;

/**
 * Queries at once, and those of readers who have used the engine most lately, besides them: they hold no place that
 * others wait for. An embedded store has as many threads for them besides its own. A user's further queries wait, so
 * that a page of charts is answered in turn.
 */
export const queriesAtOnceMax = 4;
export const heavyQueriesAtOnceMax = 1;
export const queriesOfUserMax = 1;
/** Milliseconds used lately that make a reader heavy: one whose queries run more than half of the time. */
export const heavyMs = 20_000;
/** Queries that wait, and for how long: a page of charts from each of several users. */
export const queryLineMax = 200;
export const queryWaitMs = 60_000;

/** Milliseconds after which a reader's use of the engine counts half; readers remembered, 100 bytes each. */
export const recentHalfMs = 30_000;
export const readersRememberedMax = 10_000;

/** Milliseconds in which the store must begin its response: above the profile's time for a query. */
export const firstByteMs = 150_000;

/** Bytes of a result that is sent as it is made: what a reader gets in a query's time at 70 Mbit/s. */
export const resultBytesMax = 2 ** 30;

/** Interval of re-checking that the engine keeps the door shut, and the wait after it did not. */
export const selfTestAgainMs = { ok: 600_000, failed: 15_000 } as const;
