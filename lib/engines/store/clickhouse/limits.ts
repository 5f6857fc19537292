/** Every limit of the column store: what it guards, its unit, and why the value is safe. */

const dayNs = 86_400_000_000_000n;

/**
 * Ages of a reply's time, in nanoseconds, as in sql/clickhouse/004-from-broker-mv.sql: each day is a partition, an
 * insert takes at most 100 of them, and a record older than the broker's retention cannot be from today.
 */
export const timeBehindMaxNs = 60n * dayNs;
export const timeAheadMaxNs = dayNs;

/** Bytes of a header value that becomes a column: ids that people type, or UUIDs. */
export const headerBytesMax = 256;

/**
 * Writers of records whose numbers are known to an ingester, 200 bytes each: an agent counts as new at each start, so
 * this is 1,000 agents that restart every two hours for a week. Beyond it, the least recently active is dropped.
 */
export const producersMax = 100_000;

/** Days that results are kept by default, and the configurable range. */
export const ttlDaysDefault = 7;
export const ttlDaysMax = 3650;

/** Days that the history is kept by default: its rows take some per cent of the raw ones. */
export const historyDaysDefault = 730;

/**
 * Milliseconds without a new row of a measurement until it is counted into the history, and between two such counts of
 * it; and milliseconds after its last submission at which it is counted although replies still arrive.
 */
export const historyQuietMs = 3_600_000;
export const historyLatestMs = 86_400_000;
/** Measurements counted in one statement, and found in one search: 40 bytes of the statement each. */
export const historyBatchMax = 200;
export const historySearchMax = 2000;

/** Bytes kept of one rejected message: more than any of our messages has. */
export const rejectedBytesMax = 65_536;

/** Milliseconds that a statement may take before the client gives up: a scan of all that a small machine holds. */
export const requestTimeoutMs = 300_000;

/** Polling interval of a follower, and the replies of one poll: some MB. */
export const followEveryMs = 500;
export const followRows = 5000;

/** Milliseconds between a row's insertion time at a server and its visibility: inserts take less. */
export const insertWaitMs = 2000;

/**
 * Milliseconds by which an agent's clock may differ from the broker's and the gateway's, either way. With NTP
 * it is within some milliseconds; more slack would make a measurement ambiguous that is sent again a few
 * seconds later.
 */
export const clockErrorMs = 1000;

/** Milliseconds from a probe to its reply without a known RTT: RTTs end at 6.6 s. */
export const answerMsMax = 7000;

/** Milliseconds before a measurement that are searched for answers too early to be its own. */
export const earlyMsMax = 60_000;

/**
 * Estimate of when a measurement's probes have been sent, from the store alone: an agent's default rate, and half a
 * minute of slack.
 */
export const slowestRateProbesPerSec = 100;
export const leavingMs = 30_000;
/** Age of a submission whose probes may still be sent: the broker's retention. */
export const rivalAgeMs = 86_400_000;

/**
 * Other measurements that are checked for the same probes: each takes some 75 bytes of each part
 * of a query, which may have 262,144.
 */
export const rivalsMax = 500;

/**
 * Rows of probes and replies that one part of a query about destinations takes: the first part, so that it
 * comes soon, and each further one: some 200 MB of the store's memory, and some MB of text that the caller
 * holds. A single destination may have more: some ten million of its replies fit `queryBytesMax`.
 */
export const firstWindowRows = 30_000;
export const windowRowsMax = 600_000;
/** Destinations of one part whose figures are counted into the history: 200 bytes of text each. */
export const windowDestinationsMax = 50_000;
/** Destinations that are counted at a time: 100 bytes each. */
export const windowPlanMax = 50_000;

/**
 * Memory of the store that one query may take, in bytes; above a part of it, grouping and sorting go to disk.
 */
export const queryBytesMax = 950_000_000;
export const spillFromBytes = 300_000_000;

/** Bytes of a query for a file of columns: it has the context of up to 65,536 addresses. */
export const columnQueryBytesMax = 64 << 20;

/** Measurements, or prefixes, named in one statement about a user: 100 bytes each, of the 262,144 of a query. */
export const userConditionsMax = 2000;

/**
 * How long an erasure waits for a store that runs mutations in the background; its caller then retries.
 */
export const eraseWaitMs = 20_000;
