/** How the AS path of a trace differs from the AS path of its destination in BGP. */
import type { AsPathStep } from "./traced-as-path.ts";

export interface AsPathDifference {
  /**
   * - `equal`: the same ASes in the same order
   * - `extra`: the trace has them all, and more: siblings, or an address of a third AS
   * - `missing`: BGP has all of the trace's, and more: an AS whose routers do not answer, or with others' addresses
   * - `different`: neither
   */
  readonly kind: "equal" | "extra" | "missing" | "different";
  /** Where the comparison begins; null = the paths have no AS in common. */
  readonly fromAsn: number | null;
  /** ASes of one path that the other lacks, each once. */
  readonly extraAsns: readonly number[];
  readonly missingAsns: readonly number[];
}

/** Null in it stands for any number of ASes that are not known. */
type Pattern = readonly (number | null)[];

/**
 * Compares the parts of both paths that can be compared.
 *
 * A path in BGP begins at a peer of a route collector, not at the agent, so the comparison begins with the first AS of
 * the trace that is on it. What BGP has behind the last AS of the trace is left aside, as a trace may end early.
 * An exchange is not an AS; an unknown step of the trace stands for any ASes. Null when the trace shows no AS.
 */
export function asPathDifference(
  traced: readonly AsPathStep[],
  bgpPath: readonly number[],
): AsPathDifference | null {
  const whole = patternOf(traced);
  const known = whole.filter((asn) => asn !== null);
  const fromAsn = known.find((asn) => bgpPath.includes(asn)) ?? null;
  if (known.length === 0) {
    return null;
  }
  if (fromAsn === null) {
    return { kind: "different", fromAsn, extraAsns: once(known), missingAsns: [] };
  }
  const pattern = whole.slice(whole.indexOf(fromAsn));
  const asns = pattern.filter((asn) => asn !== null);
  const bgp = upTo(asns.at(-1) ?? fromAsn, bgpPath.slice(bgpPath.indexOf(fromAsn)));
  if (matches(pattern, bgp)) {
    return { kind: "equal", fromAsn, extraAsns: [], missingAsns: [] };
  }
  return {
    kind: isWithin(bgp, asns) ? "extra" : isWithin(asns, bgp) ? "missing" : "different",
    fromAsn,
    extraAsns: once(asns.filter((asn) => !bgp.includes(asn))),
    missingAsns: once(bgp.filter((asn) => !asns.includes(asn))),
  };
}

/** The path up to this AS; all of it when the AS is not on it. */
function upTo(lastAsn: number, path: readonly number[]): readonly number[] {
  const last = path.lastIndexOf(lastAsn);
  return last < 0 ? path : path.slice(0, last + 1);
}

/** ASes and unknown steps; an AS on both sides of an exchange is one. */
function patternOf(traced: readonly AsPathStep[]): Pattern {
  const pattern: (number | null)[] = [];
  for (const step of traced) {
    const asn = step.kind === "as" ? step.asn : null;
    if (step.kind !== "exchange" && pattern.at(-1) !== asn) {
      pattern.push(asn);
    }
  }
  return pattern;
}

/** Is the path one that the pattern stands for? Goes back to the last unknown step only, which is enough. */
function matches(pattern: Pattern, path: readonly number[]): boolean {
  let at = 0;
  let unknownAt = -1;
  let resumeAt = 0;
  for (let i = 0; i < path.length; ) {
    if (pattern[at] === null) {
      unknownAt = at++;
      resumeAt = i;
    } else if (pattern[at] === path[i]) {
      at++;
      i++;
    } else if (unknownAt >= 0) {
      at = unknownAt + 1;
      i = ++resumeAt;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((asn) => asn === null);
}

/** Are all of `few` among `many`, in their order? */
function isWithin(few: readonly number[], many: readonly number[]): boolean {
  let found = 0;
  for (const asn of many) {
    found += asn === few[found] ? 1 : 0;
  }
  return found === few.length;
}

function once(asns: readonly number[]): number[] {
  return [...new Set(asns)];
}
