/** Every limit of the agent as a daemon: what it guards, its unit, and why the value is safe. */

/** Longest id of a measurement, in bytes of UTF-8. Ids are UUIDs (36) or names that people type. */
export const measurementIdBytesMax = 120;

/** Measurements with probes on the way at one time; 16,384 entries of 128 bytes are 2 MiB. */
export const measurementsMax = 16_384;

/** An answer comes at most one wrap of the time code (6.55 s) after its probe, so by then an entry is free again. */
export const measurementKeepMs = 15_000;

/** Records of one partition that wait in memory; more would only lie here instead of with the broker. */
export const laneRecordsMax = 2;

/** Probes of one partition before the next one has its turn. */
export const turnProbes = 256;

/** What lies in a sender's ring is sent before anything that comes later: at most this much of its rate. */
export const queuedMs = 200;
export const queuedProbesMin = 128;

/** Commits are few, because each is a write to disk; a crash repeats what was sent in this time besides. */
export const commitEveryMs = 200;

/** Refused records on disk: two files of this size, the older of which is dropped. */
export const deadLetterBytesMax = 16 << 20;
/** Of a refused record, this much of its value is kept. */
export const deadLetterValueBytesMax = 64 << 10;

/** Replies given to the broker at once. */
export const batchBytesMax = 800_000;
export const batchRecordsMax = 5000;
/** Batches that wait for the broker in memory; then they go to disk. */
export const waitingBatchesMax = 8;
/** Between two attempts while the broker is away. */
export const retryMs = 1000;

/** Above it the agent is degraded: losses of the capture in the last minute, against what it got. */
export const captureLossMax = 0.001;
export const captureWindowMs = 60_000;

/** A realtime clock that moved against the monotonic one by more than this between two looks was stepped. */
export const clockStepMs = 50;
