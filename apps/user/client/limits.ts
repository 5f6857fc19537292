/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Probes of one record by default: what a sender at 100 probes/s sends in 10 s, so a stop never waits longer. */
export const recordProbesDefault = 1000;

/** Bad lines shown one by one; the rest is counted. */
export const badLinesShown = 10;

/** Characters of a measurement id: the key of each record. A UUID has 36. */
export const measurementIdCharsMax = 128;

/** Marks kept to report progress; when there are more, every other one is dropped. */
export const marksMax = 4096;

/** A measurement expires no earlier than this: agents may be away for a while. */
export const expiryMsMin = 24 * 3600 * 1000;

/** Probes/s of an agent at its default rate, the slowest that the default expiry waits for. */
export const slowestRateProbesPerSec = 100;

/** Longest `--expires`. */
export const expiryMsMax = 366 * 24 * 3600 * 1000;

/** Polling interval of agents' progress. */
export const pollMs = 300;

/** After an agent has taken the last probe, replies may be in flight for this long. */
export const settleMs = 7000;

/** An agent that has taken nothing for this long is mentioned. */
export const silentAgentMs = 10_000;

/** Replies shown when nobody asks for more: some screens full; and the most that may be asked for. */
export const rowsDefault = 1000;
export const rowsMax = 100_000_000;

/** Between two looks at the store while following. */
export const followMs = 1000;

/** Measurements listed when nobody asks for more, and the most that may be asked for: some minutes of pages. */
export const measurementsDefault = 20;
export const measurementsMax = 1_000_000;
/** Ids listed where the beginning of one fits several. */
export const candidatesShown = 5;
/** The gateway's page size. */
export const measurementsOfPage = 100;

/** Probes whose lines are packed at a time: some 100 KB of text. */
export const packedProbes = 2048;
/** Replies for 100 probes: a probe may have several. */
export const percentMax = 1000;
/** Longest `--timeout`. */
export const waitMsMax = 366 * 24 * 3600 * 1000;
/** A title, or a name to cite: more than any has, and a line of a catalogue. */
export const citedTextMax = 300;
/** Manifest and description of an export: one line for each day. */
export const exportTextBytesMax = 16 << 20;
/** The end of a Parquet file: some 5 kB for each 65,536 rows. */
export const footerBytesMax = 256 << 20;

/** Bytes of a campaign's file: what the gateway takes as a body. */
export const campaignFileBytesMax = 2_097_152;

/** Rows of a list of campaigns or runs: what the gateway gives at once. */
export const campaignPageRowsMax = 1000;

/** Rows of a list of tokens: a user has no more. */
export const tokenPageRowsMax = 100;

/** Longest life of a token: what the gateway gives. */
export const tokenDaysMax = 365;
/** From the end of the time in which answers come until the store has them: as a rule a second. */
export const storedMs = 3000;
/** Between two looks at whether a campaign has ended. */
export const campaignPollMs = 200;

/** Answers of one look of an experiment: 200 bytes each while they are read. */
export const experimentRepliesMax = 1_000_000;

/** Targets of an experiment: each round of a catchment is kept in the journal, some 60 bytes a target. */
export const experimentTargetsMax = 65_536;

/** How often the controller of an experiment looks at what is due, and at what became of its announcements. */
export const experimentTickMs = 500;
export const experimentReportMs = 1000;

/** Windows of loss that a watch of an experiment notes for a target: more are of a path that is bad throughout. */
export const lossWindowsMax = 100;

/** How often the clock of a collector is compared: clocks drift apart by a millisecond in a minute. */
export const clockCompareMs = 15_000;

/** Until a collector that gave no changes is asked for them again, and how often it is asked for gaps meanwhile. */
export const watchRetryMs = 15_000;
export const gapsAskMs = 15_000;

/** Updates of a prefix that a time line takes from a store: 300 bytes each while they are sorted. */
export const timeLineUpdatesMax = 100_000;

/** How often the journal of an experiment is sent to the gateway, and how often that it goes on is said. */
export const publishEveryMs = 2000;
export const publishAliveMs = 30_000;

/** How long the end of a run waits until the gateway has the rest of the journal. */
export const publishEndMs = 15_000;

/** Characters of lines in one request, but for a single longer line; the gateway takes 8 MiB. */
export const publishCharsMax = 1_048_576;
export const publishLinesMax = 5000;

/** How often the lease of an experiment is looked at: it is renewed at the latest 20 minutes before it ends. */
export const leaseLookMs = 60_000;
