/** What is wrong with an aim before it begins, in sentences. Pure. */

import { isAmong, readGoal } from "./aim/goals.ts";
import { aimTargets } from "./aim-targets.ts";
import type { Experiment } from "./definition.ts";

export function aimProblems({ aim, probe }: Experiment): string[] {
  if (aim === undefined) {
    return [];
  }
  const targets = aimTargets(aim, probe.targets);
  const goals = aim.goals.map(readGoal).filter((goal) => goal !== null);
  const empty = goals.flatMap((goal, index) =>
    goal.kind === "share" && !targets.some((target) => target.weight > 0 && isAmong(target, goal.among))
      ? [`goals[${index}]: no target with a weight is meant by "${goal.text}"`]
      : [],
  );
  const whole = goals.flatMap((goal) => (goal.kind === "share" && goal.among === null ? [goal] : []));
  const least = whole.reduce((sum, { low }) => sum + low - aim.tolerance / 100, 0);
  return least <= 1 ? empty : [...empty, "goals: the shares of the sites are more than 100 % together"];
}
