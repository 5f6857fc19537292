/**
 * The life cycle of a measurement. Each agent's part goes `queued -> running -> complete | cancelled | failed |
 * expired`; the status of the whole follows from its parts.
 */

const activeStatuses = ["queued", "running"] as const;
const terminalStatuses = ["complete", "cancelled", "failed", "expired"] as const;
export type PartStatus = (typeof activeStatuses)[number] | (typeof terminalStatuses)[number];

function isTerminal(status: PartStatus): boolean {
  return terminalStatuses.some((terminal) => terminal === status);
}

/**
 * While one part is not done, the whole is `queued` or `running`. Then it is `complete` if all parts are; else the most
 * important other status: cancelled before failed, failed before expired.
 */
export function wholeStatus(parts: readonly PartStatus[]): PartStatus {
  if (parts.some((status) => !isTerminal(status))) {
    return parts.every((status) => status === "queued") ? "queued" : "running";
  }
  return (["cancelled", "failed", "expired"] as const).find((status) => parts.includes(status)) ?? "complete";
}

/** Allowance for the wait before the first probe and for interruptions. */
const slackMs = 600_000;

/**
 * Deadline for a measurement's probes: twice what its slowest agent needs, and ten minutes. `rateProbesPerSec` is above
 * 0.
 */
export function notAfterMs(
  startedAtMs: number,
  parts: readonly { probes: number; rateProbesPerSec: number }[],
): number {
  const neededMs = parts.map(({ probes, rateProbesPerSec }) => (1000 * probes) / rateProbesPerSec);
  return startedAtMs + 2 * Math.max(0, ...neededMs) + slackMs;
}
