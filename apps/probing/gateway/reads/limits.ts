/** Every limit of reading results: what it guards, its unit, and why the value is safe. */

/** Replies of one query: about 1.5 MB as text, all that an event stream holds at a time. */
export const pageRows = 2000;
/** The same of replies that are attributed: what finding them costs hardly depends on how many are read. */
export const attributedRows = 6000;

/** Concurrent event streams, and responses with rows: per user, and in all. Each may hold a page. */
export const userStreamsMax = 10;
export const eventStreamsMax = 80;
export const rowStreamsMax = 40;
/** Streams that wait until a stream of a user with more of them is ended in their favour: takes milliseconds. */
export const streamLineMax = 100;
export const streamWaitMs = 3000;
/** Time for which a user keeps a single stream while others have none; an event stream can be resumed. */
export const streamSafeMs = 2000;

/** Concurrent queries for figures: each occupies one of an embedded store's three reading threads. */
export const figuresAtOnceMax = 2;
/** Queued queries: some seconds of work. More get 503, and so does a query that has waited this long. */
export const figuresWaitingMax = 16;
export const figureWaitMs = 30_000;

/** Milliseconds after a measurement's end in which replies that match nothing else are attributed to it. */
export const answersAfterMs = 60_000;
/** Longest time, in milliseconds, in which our agents stop a cancelled measurement. */
export const stopMs = 2000;

/** Age of other measurements that may still be sending: the broker's retention. */
export const rivalAgeHoursMax = 24;

/** Milliseconds between two polls of a measurement's progress. */
export const progressEveryMs = 1000;
/**
 * Milliseconds between two polls of its replies: when something was reported within `activeMs`, a person is probably
 * waiting for the next one.
 */
export const repliesEveryMs = { active: 100, quiet: 500 } as const;
export const activeMs = 3000;
/** A stream uses the store for at most this fraction of its time (1/n), with each of its two kinds of queries. */
export const busyShare = 5;

/** Milliseconds of silence before a heartbeat: proxies close after 30 s or more. */
export const heartbeatMs = 15_000;
/** Milliseconds before a browser reconnects to a broken stream. */
export const reconnectMs = 2000;

/**
 * Milliseconds after the last agent's end in which replies may arrive: 7 s in flight, and the time until they are
 * stored; a server's Kafka engine batches for 7.5 s.
 */
export const settleEmbeddedMs = 8000;
export const settleServerMs = 18_000;

/** Characters of a Last-Event-ID: ours have at most 75. */
export const eventIdCharsMax = 100;

/** Concurrent responses to callers without a login, and their queries for figures: users have priority. */
export const strangersStreamsMax = 20;
export const strangersFiguresAtOnceMax = 1;

/** Seconds for which caches keep public results, and so the longest that something hidden stays visible. */
export const publicCacheSec = 60;

/**
 * A scrape of campaigns: each target has eight series, so that a user has 4,000 at most; and each campaign is a query
 * over the runs of so many hours, the newest ones.
 */
export const scrapedCampaignsMax = 20;
export const scrapedTargetsMax = 500;
export const scrapedRunsMax = 100;
export const scrapedHours = 24;
