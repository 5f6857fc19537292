/**
 * The goals of an aim, a line each:
 *
 *   west: 40 %                        share of the targets' weight at a site, to the aim's tolerance
 *   west: at least 30 % of AS 64500   a least or most share, also among the targets of an AS or a prefix
 *   none of AS 64500 at east          no target of an AS or a prefix at a site
 *   latency p90 below 80 ms           round-trip times at the sites that the targets use
 *
 * Each one becomes a range for a sum over targets, so that all are measured and predicted alike. Pure.
 */
import { parseAddress } from "../../../net/ip/address.ts";
import { parsePrefix, prefixContains } from "../../../net/ip/prefix.ts";

/** An AS or a prefix; null = all targets. */
type Among = { readonly asn: number } | { readonly prefix: string } | null;

type Goal =
  | {
      readonly kind: "share";
      readonly text: string;
      readonly site: string;
      readonly among: Among;
      /** From 0 to 1, without the tolerance. */
      readonly low: number;
      readonly high: number;
    }
  | { readonly kind: "latency"; readonly text: string; readonly ratio: number; readonly belowMs: number };

export const goalForms =
  "must be as `west: 40 %`, `west: at least 30 % of AS 64500`, `none of AS 64500 at east`, or " +
  "`latency p90 below 80 ms`";

const share =
  /^(?<site>\S+): (?<way>at least |at most )?(?<percent>\d{1,3}(?:\.\d{1,3})?) ?%(?: of (?<group>.+))?$/;
const none = /^(?:none|nobody) of (?<group>.+) at (?<site>\S+)$/;
const latency = /^latency p(?<percent>\d{1,2}(?:\.\d{1,2})?) below (?<ms>\d{1,5}(?:\.\d{1,3})?) ?ms$/;

/** Null = not a goal. */
export function readGoal(text: string): Goal | null {
  const shared = share.exec(text)?.groups;
  if (shared !== undefined) {
    const { site = "", way, percent, group } = shared;
    const ratio = Number(percent) / 100;
    const among = group === undefined ? null : readGroup(group);
    const [low, high] = [way === "at most " ? 0 : ratio, way === "at least " ? 1 : ratio];
    return ratio > 1 || among === undefined ? null : { kind: "share", text, site, among, low, high };
  }
  const without = none.exec(text)?.groups;
  if (without !== undefined) {
    const { site = "", group = "" } = without;
    const among = readGroup(group);
    return among === undefined ? null : { kind: "share", text, site, among, low: 0, high: 0 };
  }
  const { percent, ms } = latency.exec(text)?.groups ?? {};
  return percent === undefined
    ? null
    : { kind: "latency", text, ratio: Number(percent) / 100, belowMs: Number(ms) };
}

/** Undefined = neither an AS nor a prefix. */
export function readGroup(text: string): Exclude<Among, null> | undefined {
  const [, asn] = /^AS ?(\d{1,10})$/.exec(text) ?? [];
  return asn !== undefined ? { asn: Number(asn) } : parsePrefix(text) === null ? undefined : { prefix: text };
}

/** A target of an aim. */
export interface AimTarget {
  readonly address: string;
  readonly weight: number;
  /** Null = unknown. */
  readonly asn: number | null;
}

export function isAmong({ address, asn }: Pick<AimTarget, "address" | "asn">, among: Among): boolean {
  if (among === null) {
    return true;
  }
  if ("asn" in among) {
    return asn === among.asn;
  }
  const [prefix, parsed] = [parsePrefix(among.prefix), parseAddress(address)];
  return prefix !== null && parsed !== null && prefixContains(prefix, parsed);
}

/** A goal as a range for the sum of what targets add at the sites that they use. */
export interface GoalRange {
  readonly text: string;
  readonly low: number;
  readonly high: number;
  /** Index of the site that counts; null = each site does, by its latency. */
  readonly site: number | null;
  readonly isIn: readonly boolean[];
  /** How much the target adds at the site, of its weight: 0 to 1, and between them where it is not known. */
  readonly partOf: (target: number, site: number) => readonly [least: number, most: number];
}

/** By target and site, milliseconds; undefined = not measured. */
export type LatencyOf = (target: number, site: number) => number | undefined;

export function goalRanges(
  goals: readonly Goal[],
  {
    sites,
    targets,
    latencyOf,
    tolerance,
  }: {
    readonly sites: readonly string[];
    readonly targets: readonly AimTarget[];
    readonly latencyOf: LatencyOf;
    readonly tolerance: number;
  },
): GoalRange[] {
  return goals.map((goal): GoalRange => {
    if (goal.kind === "latency") {
      const { text, ratio, belowMs } = goal;
      const partOf = (target: number, site: number) => {
        const ms = latencyOf(target, site);
        return ms === undefined ? ([0, 1] as const) : ms < belowMs ? ([1, 1] as const) : ([0, 0] as const);
      };
      return { text, low: ratio, high: 1, site: null, isIn: targets.map(() => true), partOf };
    }
    const { text, among, low, high } = goal;
    const site = sites.indexOf(goal.site);
    return {
      ...{ text, site },
      // Without a tolerance: none is none.
      low: Math.max(0, low - tolerance),
      high: high === 0 ? 0 : Math.min(1, high + tolerance),
      isIn: targets.map((target) => isAmong(target, among)),
      partOf: (_target, at) => (at === site ? [1, 1] : [0, 0]),
    };
  });
}
