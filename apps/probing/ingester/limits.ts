/** Every limit of the ingester: what it guards, its unit, and why the value is safe. */

/** Records that one turn takes from the broker: a turn is then some milliseconds of work. */
export const recordsPerTurn = 2000;

/**
 * A batch is inserted when it has this many rows or bytes (133 per row), or is this old and none is being inserted: a
 * user who watches a measurement sees a reply within a fifth of a second. Large batches are cheap, because the store
 * keeps merging small parts: per row, batches of 20,000 take five times the CPU time of batches of 250,000.
 */
export const batchRowsMax = 250_000;
export const batchBytesMax = 48 << 20;
export const batchAgeMs = 100;

/**
 * So many rows at that age are 50,000 a second: such a batch may grow this old, so that the store keeps up. At half a
 * second the store took a quarter more CPU time at 110,000 rows a second.
 */
export const busyBatchRows = 5000;
export const busyBatchAgeMs = 1500;

/** Milliseconds between two attempts to insert, doubled each time up to the second figure. */
export const retryWaitMs = { first: 100, last: 5_000 } as const;

/** Milliseconds between two attempts to commit while the broker is unreachable; each attempt retries itself. */
export const commitRetryMs = 500;

/** Milliseconds to wait for the records of an interrupted batch before it is dropped as a unit. */
export const replayWaitMs = 10_000;

/** Milliseconds between two counts into the history: each first counts all raw rows by measurement, a second or two. */
export const historyEveryMs = 600_000;
