/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Probes of one record by default: what a sender at 100 probes/s sends in 10 s, so a stop never waits longer. */
export const recordProbesDefault = 1000;

/** Bad lines shown one by one; the rest is counted. */
export const badLinesShown = 10;

/** Characters of a measurement id: the key of each record. A UUID has 36. */
export const measurementIdCharsMax = 128;

/** Marks kept to report progress; when there are more, every other one is dropped. */
export const marksMax = 4096;

/** A measurement expires no earlier than this, as agents may be offline for a while. */
export const expiryMsMin = 24 * 3600 * 1000;

/** Probes/s of an agent at its default rate, the slowest that the default expiry waits for. */
export const slowestRateProbesPerSec = 100;

/** Longest `--expires`. */
export const expiryMsMax = 366 * 24 * 3600 * 1000;

/** Polling interval of agents' progress. */
export const pollMs = 300;

/** After an agent has sent the last probe, replies may be in flight for this long. */
export const settleMs = 7000;

/** An agent that has consumed nothing for this long is reported. */
export const silentAgentMs = 10_000;

/** Default number of shown replies, some screens; and the maximum. */
export const rowsDefault = 1000;
export const rowsMax = 100_000_000;

/** Between two polls of the store while following. */
export const followMs = 1000;

/** Default number of listed measurements, and the maximum: some minutes of pages. */
export const measurementsDefault = 20;
export const measurementsMax = 1_000_000;
/** Ids listed when a prefix is ambiguous. */
export const candidatesShown = 5;
/** The gateway's page size. */
export const measurementsOfPage = 100;

/** Probes whose lines are compressed at a time: some 100 KB of text. */
export const packedProbes = 2048;
/** Replies for 100 probes: a probe may have several. */
export const percentMax = 1000;
/** Longest `--timeout`. */
export const waitMsMax = 366 * 24 * 3600 * 1000;
/** Characters of a title or an author's name: more than any has. */
export const citedTextMax = 300;
/** Manifest and description of an export: one line for each day. */
export const exportTextBytesMax = 16 << 20;
/** The end of a Parquet file: some 5 kB for each 65,536 rows. */
export const footerBytesMax = 256 << 20;

/** Bytes of a campaign's file: the gateway's limit of a body. */
export const campaignFileBytesMax = 2_097_152;

/** Rows of a list of campaigns or runs: the gateway's page size. */
export const campaignPageRowsMax = 1000;

/** Rows of a list of tokens: a user has no more. */
export const tokenPageRowsMax = 100;

/** Longest lifetime of a token: the gateway's limit. */
export const tokenDaysMax = 365;

/** Updates of a prefix that a time line reads from a store: 300 bytes each while they are sorted. */
export const timeLineUpdatesMax = 100_000;

/** How often the events of a running experiment are read. */
export const experimentFollowMs = 1000;

/** Bytes of an SQL statement, as a gateway accepts them; and the wait for the begin of its result. */
export const statementBytesMax = 256 * 1024;
export const sqlAnswerMs = 300_000;
