/**
 * The alerts of one run of a series (an agent's probes to one target): from a state and the run's figures, the next
 * state and the alerts raised or cleared. The state's owner calls it once for each run, in order.
 *
 * All detectors share the paths' usual state: `nodes`. When a change has lasted long enough to be usual, it is learned
 * anew.
 */
import { afterRun, type LossState, noLoss } from "../loss-detector.ts";
import { type AsnOf, asesOf, newAsOf } from "./ases.ts";
import { afterVerdict, type HoldRule, type HoldState, notHeld, type Verdict } from "./hold.ts";
import { learnNodes, leastAlike, type NextHops, type Nodes, newLinks, nextHopsOf } from "./nodes.ts";
import { afterRtts, noRtt, type RttState } from "./rtt-shift.ts";
import { contraryDefault, type Detector, type Rules } from "./rules.ts";
import type { Hops, SeriesRun } from "./series-run.ts";

/** Plain values: stored as JSON. */
export interface SeriesState {
  /** Runs whose paths it was learned from. */
  readonly runs: number;
  /** The TTL that reaches the target; null = none has so far. */
  readonly reachTtl: number | null;
  /** Share of flows that reach it, smoothed. */
  readonly reachedShare: number;
  readonly loss: LossState;
  readonly rtt: RttState;
  readonly nodes: Nodes;
  /** Routers that appeared in a loop from the beginning. */
  readonly loops: readonly string[];
  readonly ases: readonly number[];
  readonly holds: Readonly<Partial<Record<Detector, HoldState>>>;
}

export const newSeries: SeriesState = {
  ...{ runs: 0, reachTtl: null, reachedShare: 0, loss: noLoss, rtt: noRtt, nodes: {}, loops: [], ases: [] },
  holds: {},
};

export interface Change {
  readonly detector: Detector;
  readonly kind: "raised" | "cleared";
  /** The detector's value, and the one it is compared with; null if that is not a number. */
  readonly value: number | null;
  readonly threshold: number | null;
  /** A sentence without a full stop, for people. Addresses in it are from replies. */
  readonly text: string;
}

interface Found {
  readonly verdict: Verdict;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly text: string;
}

interface Step {
  readonly state: SeriesState;
  readonly changes: readonly Change[];
}

const learnedRunsMin = 3;
const reachedWeight = 0.2;

/** `asnOf` returns the AS of an address, if known. */
export function afterSeriesRun(rules: Rules, before: SeriesState, run: SeriesRun, asnOf: AsnOf): Step {
  const nextHops = nextHopsOf(run.flows);
  const rtt = afterRtts(rules.rtt ?? { gapMs: 1, gapShare: 0.1 }, before.rtt, run.rttsMs);
  const found: Partial<Record<Detector, Found>> = {
    rtt: {
      verdict: rtt.verdict,
      value: rtt.value,
      threshold: rtt.usual,
      text: `The median round-trip time is ${ms(rtt.value)}, and ${ms(rtt.usual)} is usual`,
    },
    next_hops: nextHopsFound(rules, before.nodes, nextHops),
    new_link: newLinkFound(before.nodes, nextHops),
    truncation: truncationFound(before, run),
    loop: loopFound(before, run.flows),
    new_as: newAsFound(before, run.flows, asnOf),
  };
  const { state, changes } = lossChange(rules, learned(rules, before, { run, nextHops, asnOf }), run);
  return held(rules, { state: { ...state, rtt: rtt.state }, changes }, found);
}

/** Whether an agent sent its probes. Otherwise its targets' state is unknown, never down. */
export function afterAgentRun(rules: Rules, before: HoldState, hasSent: boolean, reason: string) {
  if (rules.silence === undefined) {
    return { state: before, change: null };
  }
  const { state, change } = afterVerdict(rules.silence, before, hasSent ? "good" : "bad");
  const text = hasSent ? "The agent is sending again" : `The agent sent nothing: ${reason}`;
  const kind = change === "raised" ? "raised" : "cleared";
  const reported = {
    detector: "silence",
    kind,
    value: null,
    threshold: null,
    text,
  } as const satisfies Change;
  return { state, change: change === null ? null : reported };
}

function lossChange({ loss: rule }: Rules, state: SeriesState, run: SeriesRun): Step {
  if (rule === undefined) {
    return { state, changes: [] };
  }
  const { state: loss, change } = afterRun(rule, state.loss, run);
  const value = run.sent === 0 ? null : run.lost / run.sent;
  const compared = `${change === "raised" ? "exceeded" : "been below"} ${percent(rule.threshold)}`;
  const runs = rule.runs === 1 ? "1 run" : `${rule.runs} runs`;
  const text = `${run.lost} of ${run.sent} probes lost; loss has ${compared} for ${runs}`;
  const reported = { detector: "loss", value, threshold: rule.threshold, text } as const;
  return { state: { ...state, loss }, changes: change === null ? [] : [{ ...reported, kind: change }] };
}

/** Each detector's result, after its n of m. */
function held(rules: Rules, { state, changes }: Step, found: Partial<Record<Detector, Found>>): Step {
  let next = state;
  const reported = [...changes];
  for (const [detector, { verdict, ...figures }] of Object.entries(found) as [Detector, Found][]) {
    const rule = rules[detector] as HoldRule | undefined;
    if (rule === undefined) {
      continue;
    }
    const { state: hold, change } = afterVerdict(rule, next.holds[detector] ?? notHeld, verdict);
    next = { ...next, holds: { ...next.holds, [detector]: hold } };
    if (change === "settled") {
      next = relearned(next, detector);
      const text = `${figures.text}; after ${rule.settle} runs this is usual`;
      reported.push({ ...figures, detector, kind: "cleared", text });
    } else if (change !== null) {
      reported.push({ ...figures, detector, kind: change });
    }
  }
  return { state: next, changes: reported };
}

function relearned(state: SeriesState, detector: Detector): SeriesState {
  return detector === "rtt"
    ? { ...state, rtt: noRtt }
    : { ...state, runs: 0, nodes: {}, ases: [], loops: state.loops };
}

interface Paths {
  readonly run: SeriesRun;
  readonly nextHops: NextHops;
  readonly asnOf: AsnOf;
}

function learned(
  { next_hops: rule }: Rules,
  before: SeriesState,
  { run, nextHops, asnOf }: Paths,
): SeriesState {
  const hasAnswers = run.flows.some((hops) => [...hops.values()].some((router) => router !== null));
  if (!hasAnswers) {
    return before;
  }
  const isLearning = before.runs < learnedRunsMin;
  const share = run.reached / run.flows.length;
  const known = asesOf(run.flows, before.nodes, asnOf);
  return {
    ...before,
    runs: before.runs + 1,
    reachTtl: run.reachTtl ?? before.reachTtl,
    reachedShare:
      before.runs === 0
        ? share
        : run.reached > 0
          ? before.reachedShare + reachedWeight * (share - before.reachedShare)
          : before.reachedShare,
    nodes: learnNodes(before.nodes, nextHops, rule?.correlation ?? contraryDefault),
    loops: isLearning ? [...new Set([...before.loops, ...loopsOf(run.flows)])] : before.loops,
    ases: [...new Set([...before.ases, ...(isLearning ? known.all : known.ofUnknownBranches)])],
  };
}

function nextHopsFound({ next_hops: rule }: Rules, nodes: Nodes, run: NextHops): Found {
  const least = leastAlike(nodes, run);
  const threshold = rule?.correlation ?? contraryDefault;
  const value = least === null ? null : Math.round(least.correlation * 100) / 100;
  if (least === null) {
    return { verdict: "unknown", value, threshold, text: "" };
  }
  const isContrary = least.correlation < threshold;
  const text = isContrary
    ? `Flows leave ${least.near} by other next hops than usual (correlation ${value})`
    : "Flows take their usual next hops";
  return { verdict: isContrary ? "bad" : "good", value, threshold, text };
}

function newLinkFound(nodes: Nodes, run: NextHops): Found {
  const links = newLinks(nodes, run);
  const [first] = links;
  const text =
    first === undefined
      ? "All links are known"
      : links.length === 1
        ? `New link: ${first.near} → ${first.far}`
        : `${links.length} new links, including ${first.near} → ${first.far}`;
  const verdict = run.size === 0 ? "unknown" : first === undefined ? "good" : "bad";
  return { verdict, value: links.length, threshold: 0, text };
}

/** The target was reached before and is not now, although routers respond. */
function truncationFound({ reachedShare, runs }: SeriesState, { reached, flows }: SeriesRun): Found {
  const last = Math.max(
    0,
    ...flows.flatMap((hops) => [...hops].map(([ttl, router]) => (router === null ? 0 : ttl))),
  );
  const figures = { value: reached, threshold: 0 };
  if (runs < learnedRunsMin || last === 0 || reachedShare < 0.5) {
    return { ...figures, verdict: "unknown", text: "" };
  }
  return reached > 0
    ? { ...figures, verdict: "good", text: "The target is reached again" }
    : { ...figures, verdict: "bad", text: `Paths end at TTL ${last}, and do not reach the target` };
}

function loopFound({ loops, runs }: SeriesState, flows: readonly Hops[]): Found {
  const fresh = [...loopsOf(flows)].filter((router) => !loops.includes(router));
  const figures = { value: fresh.length, threshold: 0 };
  if (runs < learnedRunsMin) {
    return { ...figures, verdict: "unknown", text: "" };
  }
  return fresh.length === 0
    ? { ...figures, verdict: "good", text: "No path meets a router twice" }
    : { ...figures, verdict: "bad", text: `A path meets ${fresh[0]} twice, with other routers between` };
}

/** Routers that one flow met twice, with another between; twice in a row is a router that responds early. */
function loopsOf(flows: readonly Hops[]): Set<string> {
  const loops = new Set<string>();
  for (const hops of flows) {
    const met = new Set<string>();
    let last: string | null = null;
    for (const router of hops.values()) {
      if (router !== null && router !== last) {
        if (met.has(router)) {
          loops.add(router);
        }
        met.add(router);
        last = router;
      }
    }
  }
  return loops;
}

function newAsFound(before: SeriesState, flows: readonly Hops[], asnOf: AsnOf): Found {
  if (before.runs < learnedRunsMin || before.ases.length === 0) {
    return { value: null, threshold: null, verdict: "unknown", text: "" };
  }
  const asn = newAsOf(flows, before, asnOf);
  const figures = { value: asn, threshold: null };
  return asn === null
    ? { ...figures, verdict: "good", text: "All ASes of the path are known" }
    : { ...figures, verdict: "bad", text: `AS${asn} is new in the path` };
}

function ms(value: number | null): string {
  return value === null ? "not known" : `${value.toFixed(1)} ms`;
}

function percent(share: number): string {
  return `${Math.round(1000 * share) / 10} %`;
}
