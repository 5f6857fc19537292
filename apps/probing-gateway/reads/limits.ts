/** Every limit of reading results: what it guards, its unit, and why the value is safe. */

/** Replies of one look at the store: about 1.5 MB as text, all that a stream of events holds at a time. */
export const pageRows = 2000;

/** Streams of events, and answers of rows, that go on at once: of one user, and of all. Each may hold a page. */
export const userStreamsMax = 10;
export const eventStreamsMax = 80;
export const rowStreamsMax = 40;
/** Those that wait until one of whoever has more is ended for them: it takes milliseconds. */
export const streamLineMax = 100;
export const streamWaitMs = 3000;
/** A user with one stream keeps it for so long, although others have none; a stream of events is taken up again. */
export const streamSafeMs = 2000;

/** Questions for figures at once: each keeps a reading thread of an embedded store busy, which has three. */
export const figuresAtOnceMax = 2;
/** Those that wait for their turn: some seconds of work. More get 503, and so does who has waited for so long. */
export const figuresWaitingMax = 16;
export const figureWaitMs = 30_000;

/** Milliseconds after a measurement's end in which answers that fit nothing else are taken for its own. */
export const answersAfterMs = 60_000;
/** Milliseconds that an agent of ours takes at most to stop, once a measurement was cancelled. */
export const stopMs = 2000;

/** Age of other measurements that may still be sending: what the broker forgets. */
export const rivalAgeHoursMax = 24;

/** Milliseconds between two looks at a measurement's progress, and at its replies. */
export const progressEveryMs = 1000;
export const repliesEveryMs = 500;
/** A stream keeps the store busy for one part in so many of its time, with each of its two kinds of looks. */
export const busyShare = 5;

/** Milliseconds of silence before a sign of life: proxies close after 30 s or more. */
export const heartbeatMs = 15_000;
/** Milliseconds before a browser comes back to a stream that broke. */
export const reconnectMs = 2000;

/**
 * Milliseconds after the last agent's end in which replies may come: 7 s on the way, and the time into the store;
 * a server's broker engine gathers for 7.5 s.
 */
export const settleEmbeddedMs = 8000;
export const settleServerMs = 18_000;

/** Characters of a Last-Event-ID: ours have at most 75. */
export const eventIdCharsMax = 100;
