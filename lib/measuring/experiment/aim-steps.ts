/**
 * The most that an aim may change, as steps: what is admitted before it starts. Each of its changes then comes at the
 * time of one of these steps, or later. Pure.
 */
import { plainAttributes } from "../../base/api/announcements.ts";
import { readGoal } from "./aim/goals.ts";
import type { Aim, ExperimentStep } from "./definition.ts";
import { spacedSec } from "./sweep.ts";

export function aimSteps(aim: Aim, spacingSec: number): ExperimentStep[] {
  const { sites, wait, neighbors } = aim;
  const notTo = Object.values(neighbors)[0]?.slice(0, 1) ?? [];
  return Array.from({ length: changesWithin(aim, spacingSec) }, (_, i) => ({
    at: i * spacedSec(wait, spacingSec),
    // Another announcement at each site, each time.
    announce: { sites, prepend: i % 2, ...plainAttributes, not_to: i % 2 === 0 ? [] : notTo },
    probe: { catchment: { after: wait, times: 1, every: 60 } },
  }));
}

/** Changes for which there is time. */
export function changesWithin({ changes, time, wait }: Aim, spacingSec: number): number {
  return Math.max(1, Math.min(changes, Math.floor((time - wait) / spacedSec(wait, spacingSec)) + 1));
}

/** Then all agents probe: a round trip is measured at the site that a target uses. */
export function measuresLatency({ goals }: Aim): boolean {
  return goals.some((text) => readGoal(text)?.kind === "latency");
}
