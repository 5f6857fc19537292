/** Limits of the embedded log, each with its reason. */

/** Log bytes of one topic. At the limit publishing is refused: a full log must be noticed, not lose unread records. */
export const logBytesMaxDefault = 4 * 1024 ** 3;

/** From this share of the log's limit on, records that every group has committed are deleted, oldest first. */
export const roomShare = 0.9;

/** Rows that one step of retention deletes: a step holds the log's only write lock, so it is short. */
export const stepRowsMax = 200;

/** Interval of retention; each process that has the log open runs it. */
export const retentionEveryMs = 5_000;

/** Calls that share a transaction: writers of other processes wait while it is written. */
export const transactionBytesMax = 4 * 1024 * 1024;

/** Values in one result of `next`, regardless of `recordsMax`: bounds a reader's memory. */
export const readBytesMax = 4 * 1024 * 1024;

/** How long SQLite may block this thread for the write lock; after that we wait without blocking. */
export const lockWaitMs = 10;

/** How long a member waits for the previous one to leave, as in a restart. */
export const groupGiveUpMs = 2_000;

/** Pauses between two polls for new records: short after some came, and longer while nothing comes. */
export const lookAgainMs = { min: 1, max: 200, growth: 1.5 } as const;

/** The pause of a reader that a write would wake, in case the kernel does not report it. */
export const asleepMs = 1000;

/** After a write was reported, the next ones are found by polls for this long. */
export const deafMs = 2000;

/** From the report of a write until it can be read. */
export const visibleMs = 5;

/** A log that cannot be read is tried again after this. */
export const readAgainMs = 200;

/** The write-ahead log is checkpointed at this size, and truncated when readers let it grow beyond twice that. */
export const walBytes = 16 * 1024 * 1024;
