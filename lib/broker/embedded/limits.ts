/** Limits of the embedded log, each with its reason. */

/** Of one topic. At the limit publishing is refused: a full log must show, not lose what nobody has read. */
export const logBytesMaxDefault = 4 * 1024 ** 3;

/** From this share of the log's limit on, records that every group has committed make room, oldest first. */
export const roomShare = 0.9;

/** Records that one step of retention deletes: a step holds the log's only write lock, so it is short. */
export const stepRecordsMax = 200;

/** Between two rounds of retention; each process that has the log open does them. */
export const retentionEveryMs = 5_000;

/** Calls that share a transaction: writers of other processes wait for as long as it takes to write this. */
export const transactionBytesMax = 4 * 1024 * 1024;

/** Values in one answer of `next`, whatever `recordsMax` says: bounds a reader's memory. */
export const readBytesMax = 4 * 1024 * 1024;

/** How long SQLite may sleep for the write lock, with this thread stopped; after that we wait without. */
export const lockWaitMs = 10;

/** How long a member waits until the one before it has let go: a service that is being restarted. */
export const groupGiveUpMs = 2_000;

/** Pauses between two looks for new records: short after there were some, and longer while nothing comes. */
export const lookAgainMs = { min: 1, max: 200, growth: 1.5 } as const;

/** A log that cannot be read is tried again after this. */
export const readAgainMs = 200;

/** The write-ahead log is put back into the file by this size, and cut when readers let it grow beyond twice. */
export const walBytes = 16 * 1024 * 1024;
