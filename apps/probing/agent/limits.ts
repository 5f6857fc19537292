/** Every limit of the agent as a daemon: what it guards, its unit, and why the value is safe. */

/** Longest id of a measurement, in bytes of UTF-8. Ids are UUIDs (36) or names that people type. */
export const measurementIdBytesMax = 120;

/** Measurements with probes on the way at one time; 16,384 entries of 128 bytes are 2 MiB. */
export const measurementsMax = 16_384;

/** A reply arrives at most one wrap of the time code (6.55 s) after its probe, so by then an entry is free again. */
export const measurementKeepMs = 15_000;

/** Measurements whose progress is kept: a quarter of a kilobyte each, in memory and in the state folder. */
export const measurementsRememberedMax = 16_384;

/** Figures of a measurement without an end time are kept for an hour after their last change. */
export const progressKeepMs = 3_600_000;

/** Size of the journal before it is rewritten without obsolete lines. */
export const journalBytesMax = 8 << 20;

/** Cancelled measurements that are remembered: 16 times as many as one response of the gateway names. */
export const cancelledRememberedMax = 16_384;

/** How often figures of measurements are reported: as often as our agents report their health. */
export const progressEveryMs = 1000;

/** A pause by the host that lasts longer ends its measurements: their users are not to wait for it without end. */
export const hostPauseGraceMs = 60_000;

/** What the host can see: a month, and measurements of some 300 bytes each. */
export const hostDaysKept = 31;
export const hostMeasurementsKept = 200;
/** Between two writes of that, some 60 KB at most. */
export const hostLedgerWriteMs = 2000;

/** How often the broker's lag is read; it costs Kafka a round trip. */
export const lagEveryMs = 10_000;

/** Records of one partition that wait in memory; more would only wait here instead of at the broker. */
export const queuedRecordsMax = 2;

/** Values of records that may wait for the collector: some 80 records, and it takes a few milliseconds each time. */
export const garbageBytesMax = 4 << 20;

/**
 * Probes of one record that wait for their destinations while later ones are sent: at most this many are out of order,
 * and are repeated after a crash. 40 bytes each.
 */
export const heldProbesMax = 512;

/** A held probe is retried after this at the latest, so that a cancelled record does not stay longer. */
export const heldRetryMs = 500;

/**
 * Bytes of one partition's records that wait for their destinations; other records of the partition are read beside
 * them up to this.
 */
export const heldBytesMax = 4 << 20;

/** Probes of one partition before the next one has its turn. */
export const turnProbes = 256;

/** Probes in a sender's ring go before all later ones: the ring gets at most this much of its rate. */
export const queuedMs = 200;
export const queuedProbesMin = 128;

/** Commits are few, because each is a write to disk; a crash also repeats the probes sent in this time. */
export const commitEveryMs = 200;

/** Notes of how far one record was sent, one a commit: enough for a ring at 10 probes a second. */
export const leftNotesMax = 64;

/**
 * A part of a record is journaled as sent when its replies are at the broker: 0.2 s in the ring, the network, and
 * 1 s in a batch. An agent killed earlier sends it again, else its replies would be missing.
 */
export const leftSettleMs = 2000;

/** Refused records on disk: two files of this size, the older of which is dropped. */
export const deadLetterBytesMax = 16 << 20;
/** Bytes kept of a refused record's value. */
export const deadLetterValueBytesMax = 64 << 10;

/** Replies given to the broker at once. */
export const batchBytesMax = 800_000;
export const batchRecordsMax = 5000;
/** Batches that wait for the broker in memory; then they go to disk. */
export const waitingBatchesMax = 8;
/** Between two attempts while the broker is unavailable. */
export const retryMs = 1000;

/** Packets/s of one instance: more than 10 Gbit/s of the smallest probes. */
export const rateProbesPerSecMax = 20_000_000;

/** Source prefixes for which replies are accepted, including recent ones: half of the hot path's table. */
export const sourcesKeptMax = 64;

/** One request to the gateway; a cancellation must act within 2 s, so nothing waits long behind a hanging request. */
export const gatewayRequestMs = 5000;

/** Beyond it, times exchanged between agent and gateway mislead; `not_after` has ten minutes of tolerance. */
export const clockOffsetMaxMs = 2000;

/** Pause after a refused key: only a person can fix that. */
export const gatewayRefusedMs = 10_000;

/** The gateway's responses: 1,000 cancelled measurements and 256 changed instances are a tenth of it. */
export const gatewayAnswerBytesMax = 1 << 20;

/** The blocklist: a million prefixes of at most 46 characters. */
export const blocklistBytesMax = 64 << 20;

/** Measurements whose progress waits while the gateway is unreachable: as many as are remembered. */
export const progressWaitingMax = measurementsRememberedMax;

/** Above it the agent is degraded: the capture's losses in the last minute, relative to what it received. */
export const captureLossMax = 0.001;
export const captureWindowMs = 60_000;

/**
 * Rings hold far more than is sent in the time of `blocked`: polling a full one gains nothing. `quiet`: nothing
 * arrived for `quietAfterMs`, so no progress waits to be reported either; new records end the wait.
 */
export const consumerWaitMs = { busy: 0, blocked: 5, idle: 200, quiet: 1000 } as const;
export const quietAfterMs = 10_000;

/** Age of the latest replies that can be matched: one wrap of the time code. */
export const lateReplyMs = 6600;

/** Measurements whose packets are kept at a time: as many files for each interface are open. */
export const recordingsAtATime = 16;

/** A recording: the gateway's limit. Replies are cut to 640 bytes, so that it holds 6,000 and more. */
export const recordingLimits = { bytesMax: 4 << 20, packetsMax: 40_000 } as const;

/** Recordings that wait for the gateway: 256 MiB of the state folder. */
export const recordingsWaitingMax = 64;

/** For uploading one recording: 4 MiB at 1 Mbit/s take half of it. */
export const recordingUploadMs = 60_000;

/** Between two upload attempts. */
export const recordingRetryMs = 5000;
