/** Limits and times of the Kafka engine, each with its reason. */

/** Bytes of records in one request: brokers take 1,048,588 by default, and kafkajs does not split. */
export const batchBytesMaxDefault = 990_000;

/** What a record costs beside key, value and headers: lengths, offset and time, for any record and each header. */
export const recordOverheadBytes = { record: 40, header: 10 } as const;

/** Between two tries, growing. */
export const tryAgainMs = { first: 200, max: 2_000 } as const;

/** Inside kafkajs: few, since we try again with a fresh connection. */
export const clientRetry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 } as const;

export const connectionTimeoutMs = 3_000;
/** An answer that is not there by then will not come. */
export const requestTimeoutMs = 10_000;

/** Kafka's least by default: after it the partitions of a killed member go to the others. */
export const sessionTimeoutMs = 6_000;
export const heartbeatEveryMs = 1_500;
/** How long the others wait for a member that must join anew. */
export const rebalanceTimeoutMs = 10_000;

/** A fetch that finds nothing waits so long at the broker: also how late a partition is fetched after a pause. */
export const fetchWaitMs = 100;
export const fetchBytesMax = 8 * 1024 * 1024;
/** Of one partition in one fetch; a larger record still comes. */
export const fetchPartitionBytesMax = 1024 * 1024;

/** Records of one partition that wait to be taken; at most one fetch comes on top. */
export const laneBytesMax = 1024 * 1024;
/** Of all partitions; then only those that have nothing waiting get more. */
export const lanesBytesMax = 32 * 1024 * 1024;
/** How long a fetch is held up for a reader that is nearly through, before its partition is passed over. */
export const roomWaitMs = 50;

/** Partitions whose batches are handed over at once; handing over is quick. */
export const partitionsAtOnce = 64;

/**
 * A member that has shown no sign of life for so long is replaced: kafkajs has been seen to hang. Joining is the
 * longest silence of one that lives, rebalanceTimeoutMs and 5 s.
 */
export const silenceMaxMs = 20_000;

/** Closing waits so long for a broker that may be away. */
export const closeGiveUpMs = 5_000;

/** All public authorities of the world together are a quarter of it. */
export const caFileBytesMax = 1024 * 1024;
