/** Every limit of the stack: what it guards, its unit, and why the value is safe. */

/** Bytes of one request to the store's process: an insert of a full batch has a third of this. */
export const requestBytesMax = 256 << 20;

/** Threads of the store's process that answer queries; a slow reader holds one. */
export const readers = 3;

/** Threads for statements of readers: as many as a gateway sends at once (apps/probing/gateway/sql). */
export const guests = 5;

/** Statements that wait for a thread; a person and a few programs never need more at once. */
export const waitingMax = 64;

/** Milliseconds that a part may take to start: at a load of 58 on two cores a gateway needed more than 60 s. */
export const startTimeoutMs = 300_000;

/** Milliseconds that a child may take to end by itself; ClickHouse finishes its merges' current step. */
export const stopTimeoutMs = 10_000;

/** Waits between two starts of a child that dies, in milliseconds, doubled each time up to the second figure. */
export const restartWaitMs = { first: 250, last: 15_000 } as const;
/** A child that ran this long was healthy: the next wait is the first again. */
export const healthyAfterMs = 60_000;

/** Milliseconds between two reports of a child's counters. */
export const reportEveryMs = 1000;

/** Agents that can enrol with the stack's key: more than one machine's broker and store can serve. */
export const agentsEnrolledMax = 1000;

/** Milliseconds that BIRD may take to answer after its start: on an idle machine it takes a tenth of a second. */
export const birdAnswerMsMax = 10_000;

/** Probes of each user a day: the platform is one's own, so its quota is above what one machine sends in a day. */
export const ownProbesPerDay = 100_000_000;

/**
 * Changes of announcements: nothing outside damps this exchange's routes, so its users may try things. An hour at the
 * gateway; in a row at the exchange, and seconds until one more; announcements of a prefix an hour there.
 */
export const ownChanges = { perHour: 600, inARow: 100, everySec: 6, announcementsPerHour: 2000 } as const;

/**
 * Bytes of the file in which BIRD writes what the collector reads, until a new one is begun; the one before is kept. A
 * change is some 200 bytes. Milliseconds between two checks of its size.
 */
export const mrtBytesMax = 16 << 20;
export const mrtLookMs = 60_000;
