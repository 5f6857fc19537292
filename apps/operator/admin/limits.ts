/** Every limit of `vantage admin`, with its reason. */

/** Rows requested at a time: a gateway's maximum (lib/engines/http/limits.ts). */
export const pageRows = 1000;

/** Changes that `vantage admin audit` shows without --count: a screen or two. */
export const auditRowsDefault = 50;

/** Maximum of --count. */
export const rowsMax = 1_000_000;

/** Agents per enrolment key: a gateway's maximum. */
export const usesMax = 1_000_000;

/** Lifetime of an enrolment key: ten years, beyond which it would be forgotten. */
export const keyLifeMsMax = 10 * 366 * 86_400_000;

/** How long an erasure waits for agents to stop, and how often it polls: they receive the order within a second. */
export const busyWaitMs = 60_000;
export const busyPollMs = 2000;
