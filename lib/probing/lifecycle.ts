/**
 * The life of a measurement. Each agent's part goes `queued -> running -> complete | cancelled | failed | expired`;
 * what the whole is follows from its parts.
 */

export const activeStatuses = ["queued", "running"] as const;
export const terminalStatuses = ["complete", "cancelled", "failed", "expired"] as const;
export type PartStatus = (typeof activeStatuses)[number] | (typeof terminalStatuses)[number];

export function isTerminal(status: PartStatus): boolean {
  return terminalStatuses.some((terminal) => terminal === status);
}

/** What is final stays; a part that runs does not queue again. */
export function mayFollow(from: PartStatus, to: PartStatus): boolean {
  return !isTerminal(from) && (to !== "queued" || from === "queued");
}

/**
 * While one part is not done, the whole is `queued` or `running`. Then it is `complete` when all parts are; else what
 * kept it from that: a user's cancelling before a failure, a failure before time.
 */
export function wholeStatus(parts: readonly PartStatus[]): PartStatus {
  if (parts.some((status) => !isTerminal(status))) {
    return parts.every((status) => status === "queued") ? "queued" : "running";
  }
  return (["cancelled", "failed", "expired"] as const).find((status) => parts.includes(status)) ?? "complete";
}

/** Probes that go back to the user's day when a part ends unfinished. An agent with several sources may repeat some. */
export function unsentProbes(expectedProbes: number, sentProbes: number): number {
  return Math.max(0, expectedProbes - sentProbes);
}

/** What agents wait before the first probe, and what may come in between. */
const slackMs = 600_000;

/**
 * Until when a measurement's probes may be sent: twice what its slowest agent needs, and ten minutes.
 * `rateProbesPerSec` is above 0.
 */
export function notAfterMs(
  startedAtMs: number,
  parts: readonly { probes: number; rateProbesPerSec: number }[],
): number {
  const neededMs = parts.map(({ probes, rateProbesPerSec }) => (1000 * probes) / rateProbesPerSec);
  return startedAtMs + 2 * Math.max(0, ...neededMs) + slackMs;
}
