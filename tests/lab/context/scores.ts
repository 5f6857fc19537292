/** How often what is said of a hop is what the drawing has there, by several ways of saying it. */
import { asPathDifference } from "../../../lib/measuring/context/as-path-difference.ts";
import type { ContextSet } from "../../../lib/measuring/context/context-set.ts";
import { TraceContexts } from "../../../lib/measuring/context/trace-contexts.ts";
import type { TracedHops } from "../../../lib/measuring/context/traced-hops.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { expectedAsPath } from "./expected-routes.ts";
import { type AddressTruth, found, networkOf, truths } from "./plan.ts";
import type { Trace } from "./traced.ts";

export const truthOf = truths();

/** What is there, and what is said: null = it is not known. */
interface Verdict {
  readonly address: string;
  readonly truth: AddressTruth;
  readonly said: number | null;
}

export interface Score {
  readonly right: number;
  readonly wrong: number;
  readonly unknown: number;
  /** `m2b 64504` for each that is not right: the router, and what is said of it. */
  readonly errors: readonly string[];
}

export function scoreOf(verdicts: readonly Verdict[]): Score {
  const isRight = ({ said, truth }: Verdict) => said === truth.asn;
  const bad = verdicts.filter((verdict) => !isRight(verdict));
  return {
    right: verdicts.length - bad.length,
    wrong: bad.filter(({ said }) => said !== null).length,
    unknown: bad.filter(({ said }) => said === null).length,
    errors: bad.map(({ address: at, truth, said }) => `${truth.router} ${at} ${said ?? "?"}`).sort(),
  };
}

/** Each address of a router on the way, not of the targets, with what `say` says at it; an error, if there is one. */
export function verdictsOf(
  traces: readonly Trace[],
  say: (address: string, trace: Trace, hop: number) => number | null,
) {
  const verdicts = new Map<string, Verdict>();
  for (const trace of traces) {
    for (const [i, { address: at }] of trace.hops.entries()) {
      const truth = at === null ? undefined : truthOf.get(at);
      const isWrong = verdicts.has(at ?? "") && verdicts.get(at ?? "")?.said !== truth?.asn;
      if (at !== null && truth !== undefined && at !== trace.target && !isWrong) {
        verdicts.set(at, { address: at, truth, said: say(at, trace, i) });
      }
    }
  }
  return [...verdicts.values()];
}

function tracedHops({ target, hops }: Trace): TracedHops {
  return {
    destination: address(target),
    hops: hops.map((hop) => (hop.address === null ? null : address(hop.address))),
  };
}

export function learnt(set: ContextSet, traces: readonly Trace[]): TraceContexts {
  const contexts = new TraceContexts(set);
  for (const trace of traces) {
    contexts.learn(tracedHops(trace));
  }
  return contexts;
}

export function ownersOf(set: ContextSet, traces: readonly Trace[]): Verdict[] {
  const contexts = learnt(set, traces);
  return verdictsOf(traces, (_, trace, i) => contexts.of(tracedHops(trace)).hops[i]?.ownerAsn ?? null);
}

/** A crossing of an exchange that a trace is said to have, beside the true one. */
interface CrossingVerdict {
  readonly level: string;
  readonly isLan: boolean;
  readonly isFrom: boolean;
  readonly isTo: boolean;
}

export function crossingsOf(contexts: TraceContexts, trace: Trace): CrossingVerdict[] {
  const { hops } = contexts.of(tracedHops(trace));
  return hops.flatMap((hop, i) => {
    const at = trace.hops[i]?.address ?? null;
    if (hop?.crossing == null || at === null) {
      return [];
    }
    const truth = truthOf.get(at);
    const before = truthOf.get(trace.hops[i - 1]?.address ?? "");
    const { level, exchange, fromAsn, toAsn } = hop.crossing;
    return [
      {
        ...{ level, isLan: truth?.lan?.id === exchange.id },
        ...{ isFrom: fromAsn === (before?.asn ?? null), isTo: toAsn === truth?.asn },
      },
    ];
  });
}

/** The class of difference that the true way has from BGP's path, and the one that is said. */
export function classesOf(contexts: TraceContexts, trace: Trace): { truth: string; said: string } {
  const { difference, bgpPath } = contexts.of(tracedHops(trace));
  const from = found(networkOf(trace.prober)).name;
  const way = expectedAsPath(from, trace.target).map((asn) => ({ kind: "as", asn }) as const);
  const truth = bgpPath === null ? null : asPathDifference(way, bgpPath);
  return { truth: truth?.kind ?? "none", said: difference?.kind ?? "none" };
}
