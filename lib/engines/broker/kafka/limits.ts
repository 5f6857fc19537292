/** Limits and times of the Kafka engine, each with its reason. */

/** Bytes of records in one request: brokers take 1,048,588 by default, and kafkajs does not split. */
export const batchBytesMaxDefault = 990_000;

/** Overhead of a record besides key, value and headers: lengths, offset and time, for the record and each header. */
export const recordOverheadBytes = { record: 40, header: 10 } as const;

/** Between two tries, growing. */
export const tryAgainMs = { first: 200, max: 2_000 } as const;

/** Inside kafkajs: few, since we try again with a fresh connection. */
export const clientRetry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 } as const;

export const connectionTimeoutMs = 3_000;
/** An answer that has not arrived by then will not come. */
export const requestTimeoutMs = 10_000;

/** Kafka's default minimum: after this time a killed member's partitions go to the others. */
export const sessionTimeoutMs = 6_000;
export const heartbeatEveryMs = 1_500;
/** How long the others wait for a member that must join again. */
export const rebalanceTimeoutMs = 10_000;

/** How long a fetch without records waits at the broker; also the delay of a partition after a pause. */
export const fetchWaitMs = 100;
export const fetchBytesMax = 8 * 1024 * 1024;
/** Bytes of one partition in one fetch; a larger record still comes. */
export const fetchPartitionBytesMax = 1024 * 1024;

/** Records of one partition that wait to be taken; at most one fetch comes on top. */
export const queueBytesMax = 1024 * 1024;
/** Bytes of all partitions combined; beyond it only partitions with an empty queue get more. */
export const queuesBytesMax = 32 * 1024 * 1024;
/** How long a fetch waits for a reader that is nearly done, before its partition is skipped. */
export const roomWaitMs = 50;

/** Partitions whose batches are handed over at once; handing over is quick. */
export const partitionsAtOnce = 64;

/**
 * A member without activity for this long is replaced: kafkajs has been seen to hang. Joining is the longest silence
 * of a live member, rebalanceTimeoutMs and 5 s.
 */
export const silenceMaxMs = 20_000;

/** How long closing waits for a broker that may be unreachable. */
export const closeGiveUpMs = 5_000;

/** All public CAs combined take a quarter of it. */
export const caFileBytesMax = 1024 * 1024;
