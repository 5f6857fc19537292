/** Every limit of the stack: what it guards, its unit, and why the value is safe. */

/** Bytes of one request to the store's process: an insert of a full batch has a third of this. */
export const requestBytesMax = 256 << 20;

/** Threads of the store's process that answer queries; a slow reader holds one. */
export const readers = 3;

/** Statements that wait for a thread; a person and a few programs never need more at once. */
export const waitingMax = 64;

/** Milliseconds that a store, an ingester or a broker may take to start on a loaded machine. */
export const startTimeoutMs = 60_000;

/** Milliseconds that a child may take to end by itself; ClickHouse finishes its merges' current step. */
export const stopTimeoutMs = 10_000;

/** Waits between two starts of a child that dies, in milliseconds, doubled each time up to the second figure. */
export const restartWaitMs = { first: 250, last: 15_000 } as const;
/** A child that ran this long was healthy: the next wait is the first again. */
export const healthyAfterMs = 60_000;

/** Records that one turn takes from the broker: a turn is then some milliseconds of work. */
export const recordsPerTurn = 2000;

/**
 * A batch is inserted when it has this many rows or bytes (133 a row), or is this old and none is being inserted: a
 * person who follows a measurement sees a reply in a fifth of a second. Large ones are cheap, as the store merges what
 * is small again and again: a row of batches of 20,000 takes it five times the CPU time of one of 250,000.
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

/** Milliseconds between two tries to insert, doubled each time up to the second figure. */
export const retryWaitMs = { first: 100, last: 5_000 } as const;

/** Milliseconds between two attempts to commit while the broker is unreachable; each attempt retries itself. */
export const commitRetryMs = 500;

/** Milliseconds to wait for the records of an interrupted batch before it is dropped as a unit. */
export const replayWaitMs = 10_000;

/** Milliseconds between two reports of a child's counters. */
export const reportEveryMs = 1000;

/** Agents that can enrol with the stack's key: more than one machine's broker and store can serve. */
export const agentsEnrolledMax = 1000;

/** Milliseconds that BIRD may take to answer after its start: on an idle machine it takes a tenth of a second. */
export const birdAnswerMsMax = 10_000;
