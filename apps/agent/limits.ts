/** Every limit of the agent as a daemon: what it guards, its unit, and why the value is safe. */

/** Longest id of a measurement, in bytes of UTF-8. Ids are UUIDs (36) or names that people type. */
export const measurementIdBytesMax = 120;

/** Measurements with probes on the way at one time; 16,384 entries of 128 bytes are 2 MiB. */
export const measurementsMax = 16_384;

/** An answer comes at most one wrap of the time code (6.55 s) after its probe, so by then an entry is free again. */
export const measurementKeepMs = 15_000;

/** Measurements whose progress is known: a quarter of a kilobyte each, in memory and in the state folder. */
export const measurementsRememberedMax = 16_384;

/** Figures of a measurement without an end in time are of use while somebody may look: an hour after they changed. */
export const progressKeepMs = 3_600_000;

/** Progress on disk before it is written anew without what is of no more use. */
export const journalBytesMax = 8 << 20;

/** Cancelled measurements whose records are known: 16 times what one answer of the gateway names. */
export const cancelledRememberedMax = 16_384;

/** How often figures of measurements are told: as often as an agent of ours reports its health. */
export const progressEveryMs = 1000;

/** How often the broker is asked for what is not committed yet; it costs Kafka a round trip. */
export const lagEveryMs = 10_000;

/** Records of one partition that wait in memory; more would only lie here instead of with the broker. */
export const laneRecordsMax = 2;

/** Values of records that may wait for the collector: some 80 records, and it takes a few milliseconds each time. */
export const garbageBytesMax = 4 << 20;

/**
 * Probes of one record that wait for their destinations while later ones go on: so many are out of order at most, and
 * come again after a crash. 40 bytes each.
 */
export const heldProbesMax = 512;

/** A probe that is held asks again after this at the latest, so that a cancelled record does not lie here longer. */
export const heldRetryMs = 500;

/** Bytes of one partition's records that wait for their destinations; others of it are read beside them till then. */
export const heldBytesMax = 4 << 20;

/** Probes of one partition before the next one has its turn. */
export const turnProbes = 256;

/** What lies in a sender's ring is sent before anything that comes later: at most this much of its rate. */
export const queuedMs = 200;
export const queuedProbesMin = 128;

/** Commits are few, because each is a write to disk; a crash repeats what was sent in this time besides. */
export const commitEveryMs = 200;

/** Notes of how far one record has left, one a commit: what a ring has at 10 probes a second leaves in so many. */
export const leftNotesMax = 64;

/**
 * A part of a record is written down as left when its answers are with the broker: 0.2 s in the ring, their way, and
 * 1 s in a batch. Killed before, the agent sends it again, or its answers would be missing.
 */
export const leftSettleMs = 2000;

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

/** Packets/s of one instance: more than 10 Gbit/s of the smallest probes. */
export const rateProbesPerSecMax = 20_000_000;

/** Source prefixes that answers are taken for, with those of late: half of what the hot path looks through. */
export const sourcesKeptMax = 64;

/** One request to the gateway; a cancellation must act within 2 s, so nothing waits long behind one that hangs. */
export const gatewayRequestMs = 5000;

/** Beyond it times that agent and gateway tell each other mislead; `not_after` has ten minutes to spare. */
export const clockOffsetMaxMs = 2000;

/** After an answer that the key is not accepted: only a person can change that. */
export const gatewayRefusedMs = 10_000;

/** Answers of the gateway: 1,000 cancelled measurements and 256 changed instances are a tenth of it. */
export const gatewayAnswerBytesMax = 1 << 20;

/** The blocklist: a million prefixes of at most 46 characters. */
export const blocklistBytesMax = 64 << 20;

/** Measurements whose progress waits while the gateway is away: as many as are remembered. */
export const progressWaitingMax = measurementsRememberedMax;

/** Above it the agent is degraded: losses of the capture in the last minute, against what it got. */
export const captureLossMax = 0.001;
export const captureWindowMs = 60_000;

/** A realtime clock that moved against the monotonic one by more than this between two looks was stepped. */
export const clockStepMs = 50;

/** Rings hold far more than leaves in the time of `blocked`: who looks at a full one all the time gains nothing. */
export const consumerWaitMs = { busy: 0, blocked: 5, idle: 200 } as const;
