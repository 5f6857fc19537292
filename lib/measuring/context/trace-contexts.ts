/**
 * The context of traces: of each hop its origin and, beside it, the owner of its router; the AS path, and how it
 * differs from BGP's. All rules for views are behind this one class.
 *
 *     const contexts = new TraceContexts(folder.open(day));
 *     for (const trace of traces) contexts.learn(trace);        // all traces of a measurement: owners need many
 *     for (const trace of traces) show(contexts.of(trace));
 *
 * Owners are learnt from the traces themselves, so the more traces there are, the better they become: learn all of
 * them first. `of` also takes a trace that was not learnt; an address that no learnt trace has is owned by its origin.
 * A trace is the path of one flow. Where several routers answer at a TTL, give a trace for each flow.
 *
 * Memory: some 500 bytes for each distinct address that was learnt, and 60 for each distinct pair of neighbours.
 */
import type { Address } from "../../net/ip/address.ts";
import { formatAddress } from "../../net/ip/address.ts";
import { type AsPathDifference, asPathDifference } from "./as-path-difference.ts";
import { BorderOwners } from "./border-owners.ts";
import type { AddressContext, ContextSet } from "./context-set.ts";
import { type ExchangeCrossing, exchangeCrossing } from "./exchange-crossing.ts";
import { type AsPathStep, tracedAsPath } from "./traced-as-path.ts";
import type { TracedHops } from "./traced-hops.ts";

/** `asn` stays the origin of the address. */
interface HopContext extends AddressContext {
  /** AS of the router that has the address; `asn` where the traces say nothing else. */
  readonly ownerAsn: number | null;
  /** Set on hops that are on the LAN of an exchange. */
  readonly crossing: ExchangeCrossing | null;
}

interface TraceContext {
  /** One for each hop of the trace; null = no answer. */
  readonly hops: readonly (HopContext | null)[];
  /** By owners. `formatTracedAsPath` writes it. */
  readonly asPath: readonly AsPathStep[];
  /** The path in BGP of the destination, from a peer of a route collector to the origin; null = not known. */
  readonly bgpPath: readonly number[] | null;
  /** Null: the path in BGP is not known, or the trace shows no AS. */
  readonly difference: AsPathDifference | null;
}

export class TraceContexts {
  readonly #owners: BorderOwners;
  /** What was looked up: flows share most of their hops. */
  readonly #known = new Map<string, AddressContext>();

  constructor(readonly set: ContextSet) {
    this.#owners = new BorderOwners(set);
  }

  /** Lets owners be learnt from the trace. */
  learn(trace: TracedHops): void {
    this.#owners.add(trace);
  }

  of({ destination, hops }: TracedHops): TraceContext {
    const contexts = hops.map((hop) => (hop === null ? null : this.#contextOf(hop)));
    const withCrossings = contexts.map((_, i) => this.#withCrossing(contexts, i));
    const asPath = tracedAsPath(contexts.map((hop) => hop && { asn: hop.ownerAsn, exchange: hop.exchange }));
    const bgpPath = this.set.asPathTo(destination);
    const difference = bgpPath === null ? null : asPathDifference(asPath, bgpPath);
    return { hops: withCrossings, asPath, bgpPath, difference };
  }

  #contextOf(address: Address): Omit<HopContext, "crossing"> {
    const key = formatAddress(address);
    const context = this.#known.get(key) ?? this.set.lookup(address);
    this.#known.set(key, context);
    return { ...context, ownerAsn: this.#owners.ownerOf(address) ?? context.asn };
  }

  #withCrossing(hops: readonly (Omit<HopContext, "crossing"> | null)[], i: number): HopContext | null {
    const hop = hops[i] ?? null;
    if (hop === null) {
      return null;
    }
    const { exchange, asn: member } = hop;
    const neighbours = {
      before: hops[i - 1]?.ownerAsn ?? null,
      member,
      behind: hops[i + 1]?.ownerAsn ?? null,
    };
    const isMember = (asn: number) => exchange !== null && this.set.isExchangeMember(asn, exchange.id);
    return { ...hop, crossing: exchange && exchangeCrossing(exchange, neighbours, isMember) };
  }
}
