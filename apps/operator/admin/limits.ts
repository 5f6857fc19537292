/** Every limit of `vantage admin`, with its reason. */

/** Rows asked for at a time: as many as a gateway gives (lib/engines/http/limits.ts). */
export const pageRows = 1000;

/** Changes that `vantage admin audit` shows without --count: a screen or two. */
export const auditRowsDefault = 50;

/** Rows that can be asked for by --count. */
export const rowsMax = 1_000_000;

/** Agents that an enrolment key lets in: as many as a gateway takes. */
export const usesMax = 1_000_000;

/** Life of an enrolment key: ten years, beyond which nobody remembers it. */
export const keyLifeMsMax = 10 * 366 * 86_400_000;

/** How long an erasure waits for agents to stop, and how often it asks: they hear of it within a second. */
export const busyWaitMs = 60_000;
export const busyPollMs = 2000;
