/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Probes times agents that one run of the server may cause: some traces from a handful of places. */
export const budgetDefault = 10_000;
export const budgetMax = 1_000_000_000;

/** Targets of one measurement: more are a survey, for vantage send. */
export const targetsMax = 100;
export const flowsMax = 32;
export const pingsMax = 100;
/** Probe lines in one call: a message of some 100 kB. */
export const probesMax = 2000;

/** Bytes of one message of the client: ten times the largest. */
export const messageBytesMax = 2 ** 20;
/** Characters of a note about a message that cannot be read; the SDK lists every kind that it might have been. */
export const noteCharsMax = 300;

/** Characters of one response: fits a model's context well. */
export const answerCharsMax = 20_000;
/** Default number of result rows, and the maximum. */
export const rowsDefault = 50;
export const rowsMax = 1000;
export const agentsShownMax = 200;

/** Clients time out a call after a minute: waiting continues with the next call. */
export const waitSecondsDefault = 30;
export const waitSecondsMax = 50;
