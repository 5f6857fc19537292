/**
 * A traced path's AS paths compared with BGP's, and its routers' owners: rules of lib/measuring/context, for display.
 */
import * as v from "valibot";
import type { Steps } from "../../base/list/steps.ts";
import type { ContextSet } from "../../measuring/context/context-set.ts";
import type { ExchangeCrossing } from "../../measuring/context/exchange-crossing.ts";
import { TraceContexts } from "../../measuring/context/trace-contexts.ts";
import { formatTracedAsPath } from "../../measuring/context/traced-as-path.ts";
import type { TracedHops } from "../../measuring/context/traced-hops.ts";
import { type Address, formatAddress } from "../../net/ip/address.ts";

/** One path with its branches. */
export interface Ways {
  readonly destination: Address;
  /** Number of flows that found a path. */
  readonly flows: number;
  /** By TTL, without gaps: which routers replied to which flows, counted from 0. */
  readonly hops: readonly {
    readonly nodes: readonly { readonly address: Address | null; readonly flows: readonly number[] }[];
  }[];
}

const asns = v.array(v.number());

/** The AS path that these flows found. */
export const asPathSchema = v.object({
  flows: asns,
  /** `64500 [EX-IX] 64501 ? 64502`. */
  traced: v.string(),
  /** From a peer of a route collector to the origin; null = unknown. */
  bgp: v.nullable(asns),
  difference: v.nullable(v.picklist(["equal", "extra", "missing", "different"])),
  extra_asns: asns,
  missing_asns: asns,
});
export type AsPath = v.InferOutput<typeof asPathSchema>;

export interface PathContext {
  /** AS of the router with an address, which need not be the address's origin. */
  readonly ownerOf: (address: string) => number | null;
  /** Where a path crosses an exchange at an address; the most certain crossing, if paths differ. */
  readonly crossingOf: (address: string) => ExchangeCrossing | null;
  /** The distinct ones. */
  readonly asPaths: readonly AsPath[];
}

/** Owners are inferred from this path's flows only. One step for each hop, and two for each flow. */
export function* pathContext(set: ContextSet, ways: Ways): Steps<PathContext> {
  const contexts = new TraceContexts(set);
  const traces = yield* tracesOf(ways);
  for (const trace of traces) {
    contexts.learn(trace);
    yield;
  }
  const owners = new Map<string, number | null>();
  const crossings = new Map<string, ExchangeCrossing>();
  // The context of one flow of each AS path is kept: those of 100,000 flows would take 200 MB.
  const found = new Map<string, { readonly context: TraceContext; readonly flows: number[] }>();
  for (const [flow, trace] of traces.entries()) {
    const context = contexts.of(trace);
    for (const [i, address] of trace.hops.entries()) {
      if (address !== null) {
        const text = formatAddress(address);
        owners.set(text, context.hops[i]?.ownerAsn ?? null);
        keepSurest(crossings, text, context.hops[i]?.crossing ?? null);
      }
    }
    const traced = formatTracedAsPath(context.asPath);
    const same = found.get(traced) ?? { context, flows: [] };
    same.flows.push(flow);
    found.set(traced, same);
    yield;
  }
  return {
    ownerOf: (address) => owners.get(address) ?? null,
    crossingOf: (address) => crossings.get(address) ?? null,
    asPaths: [...found].map(([traced, { context, flows }]) => asPathOf(context, traced, flows)),
  };
}

function* tracesOf({ destination, flows, hops }: Ways): Steps<TracedHops[]> {
  const answerers: ReadonlyMap<number, Address | null>[] = [];
  for (const hop of hops) {
    answerers.push(firstAnswerers(hop));
    yield;
  }
  const traces: TracedHops[] = [];
  for (let flow = 0; flow < flows; flow++) {
    traces.push({ destination, hops: answerers.map((addressOf) => addressOf.get(flow) ?? null) });
    yield;
  }
  return traces;
}

/** The first node of a hop that each flow met. */
function firstAnswerers({ nodes }: Ways["hops"][number]): ReadonlyMap<number, Address | null> {
  const addressOf = new Map<number, Address | null>();
  for (const { address, flows } of nodes) {
    for (const flow of flows) {
      if (!addressOf.has(flow)) {
        addressOf.set(flow, address);
      }
    }
  }
  return addressOf;
}

const levels = ["strong", "medium", "weak"] as const;

function keepSurest(
  crossings: Map<string, ExchangeCrossing>,
  address: string,
  crossing: ExchangeCrossing | null,
): void {
  const known = crossings.get(address);
  const isSurer =
    crossing && (known === undefined || levels.indexOf(crossing.level) < levels.indexOf(known.level));
  if (crossing !== null && isSurer === true) {
    crossings.set(address, crossing);
  }
}

type TraceContext = ReturnType<TraceContexts["of"]>;

function asPathOf({ bgpPath, difference }: TraceContext, traced: string, flows: number[]): AsPath {
  return {
    ...{ flows, traced, bgp: bgpPath === null ? null : [...bgpPath], difference: difference?.kind ?? null },
    extra_asns: [...(difference?.extraAsns ?? [])],
    missing_asns: [...(difference?.missingAsns ?? [])],
  };
}

/** `AS path: 64500 [EX-IX] 64501; in BGP 64500 64501: equal`, a line for each distinct one. */
export function asPathLines(asPaths: readonly AsPath[], flows: number): string[] {
  return asPaths.map(({ flows: own, traced, bgp, difference }) => {
    const part = own.length === flows ? "" : ` of ${own.length}/${flows} flows`;
    const beside =
      bgp === null ? "unknown in BGP" : `in BGP ${bgp.join(" ")}: ${difference ?? "not compared"}`;
    return `AS path${part}: ${traced === "" ? "?" : traced}; ${beside}`;
  });
}
