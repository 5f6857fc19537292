/** Every limit of lib/engines/submission: what it guards, its unit, and why the value is safe. */

/** Targets of one measurement: each puts a header of some 150 bytes into every record. */
export const targetsMax = 1000;

/** Most probes of one record, at 48 bytes each: a record of the broker holds no more. */
export const recordProbesMax = 20_000;

/**
 * Records of one measurement for an existing agent: it queues 100, and drops those beyond. Ten places are left for
 * other measurements.
 */
export const queuedRecordsMax = 90;

/** Bytes that a broker may add to each header of a record, and to the record: lengths, offsets, checksums. */
export const headerOverheadBytes = 16;
export const recordOverheadBytes = 128;

/** Bytes of records published to the broker at a time: below what every Kafka broker takes in one request. */
export const publishBytesMax = 900_000;

/** Bytes written to the spool at a time. */
export const spoolBufferBytesMax = 256 * 1024;

/** Bytes that a spool holds in memory before it needs a place on disk: 1,024 probes. */
export const spoolHeldBytesMax = 1024 * 48;

/** Bytes of the first buffer of a spool: most measurements are small. */
export const spoolBufferBytesMin = 4 * 1024;
