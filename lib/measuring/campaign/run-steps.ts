/**
 * The steps of a run, one after another: each requests a measurement, waits for a condition, or computes the steps that
 * follow from the results so far. Pure: the owner of the steps calls it for what is next.
 *
 *   place 0 measure   steps 0, and 1 to 99 where its agents start one after another: each is a measurement
 *   place 1 wait      step 100
 *   place 2 compute   step 200; what it returns follows, as places 3, 4, …
 */
import { runPlacesMax } from "./limits.ts";

export type StepWork =
  /** Null = the agents, or the probe lines, of the campaign. */
  | {
      readonly kind: "measure";
      readonly agents: string | null;
      readonly probes: string | null;
      /** Generates its probe lines when it begins, however many; absent = they are given. */
      readonly rule?: string;
      readonly given?: StepGiven;
      /** It begins with the previous one, and has the same place. */
      readonly isBeside?: boolean;
    }
  /** The condition to wait for: `replies` = all replies to the run's measurements have arrived. */
  | { readonly kind: "wait"; readonly until: string; readonly given?: StepGiven }
  /** `given` is the rule's input besides the measurements; only JSON. */
  | { readonly kind: "compute"; readonly rule: string; readonly given: StepGiven }
  /** Announces and probes, as long as it lasts; its plan is in the experiment's journal. */
  | { readonly kind: "experiment" };

/** A rule's input: plain values. */
export type StepGiven = Readonly<Record<string, string | number | boolean>>;

/**
 * `later`: a previous step is not over. `spread`: its agents have steps of their own. `taken`: the measurement exists.
 * `done`: a wait or a computation that is over. The others never began: too late, refused, or removed by a stop.
 */
type StepState = "later" | "due" | "spread" | "taken" | "done" | "missed" | "refused" | "dropped";

export interface StandingStep {
  readonly step: number;
  readonly state: StepState;
  /** The measurement exists, and its agents have not finished it. */
  readonly isUnderWay: boolean;
  readonly reason: string | null;
}

/** The next thing to do in a run. */
type RunProgress =
  | { readonly kind: "open" }
  /** These steps are due at the same time: all of one place. */
  | { readonly kind: "next"; readonly steps: readonly number[] }
  /** Steps that are still `later` will never run. */
  | {
      readonly kind: "over";
      readonly outcome: "done" | "refused" | "missed";
      readonly reason: string | null;
    };

const stepsOfPlace = 100;

/** The number of the first step of a place. */
export function stepAt(place: number): number {
  return place * stepsOfPlace;
}

/** The number of the step for a slot's agents, 0 to 98. */
export function slotStep(step: number, slot: number): number {
  return stepAt(placeOf(step)) + slot + 1;
}

/** Numbers for the steps that a computed one returns. Throws RangeError beyond the limits of a run, and of a place. */
export function stepsAfter(step: number, works: readonly StepWork[]): number[] {
  const numbers: number[] = [];
  let last = stepAt(placeOf(step));
  for (const work of works) {
    const isBeside = work.kind === "measure" && work.isBeside === true && numbers.length > 0;
    last = isBeside ? last + 1 : stepAt(placeOf(last) + 1);
    if (isBeside && last % stepsOfPlace === 0) {
      throw new RangeError(`At most ${stepsOfPlace} steps of a run begin together`);
    }
    numbers.push(last);
  }
  if (placeOf(last) >= runPlacesMax) {
    throw new RangeError(`A run has at most ${runPlacesMax} steps`);
  }
  return numbers;
}

function placeOf(step: number): number {
  return Math.floor(step / stepsOfPlace);
}

/** The steps of one run. A run fails if the last place that was tried failed. */
export function progressOf(steps: readonly StandingStep[]): RunProgress {
  if (steps.some(({ state, isUnderWay }) => state === "due" || isUnderWay)) {
    return { kind: "open" };
  }
  const tried = steps.filter(({ state }) => state !== "later" && state !== "spread");
  const later = steps.filter(({ state }) => state === "later").map(({ step }) => step);
  const lastPlace = Math.max(...tried.map(({ step }) => placeOf(step)));
  const last = tried.filter(({ step }) => placeOf(step) === lastPlace);
  // Nothing was tried if the first step was postponed.
  const isDone = tried.length === 0 || last.some(({ state }) => state === "taken" || state === "done");
  if (isDone && later.length > 0) {
    const place = placeOf(Math.min(...later));
    return { kind: "next", steps: later.filter((step) => placeOf(step) === place) };
  }
  const outcome = isDone ? "done" : last.some(({ state }) => state === "refused") ? "refused" : "missed";
  return { kind: "over", outcome, reason: last.find(({ reason }) => reason !== null)?.reason ?? null };
}
