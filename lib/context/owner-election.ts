/** Who owns the router with an address, by the votes of what traces have shown behind it: rules of BorderOwners. */
import type { ContextSet } from "./context-set.ts";
import type { Router } from "./router.ts";

/** The part of a set that the rules ask. */
type Facts = Pick<ContextSet, "relationship" | "coneOf" | "isExchangeMember">;

/** Rule 3: nothing was ever seen behind it. */
export function ownerWithoutVotes(
  { originAsn, destinationAsns, isEnd }: Router,
  facts: Facts,
): number | null {
  const [destinationAsn = 0, ...others] = destinationAsns;
  if (originAsn === null || destinationAsn === 0 || others.length > 0 || !isEnd) {
    return originAsn;
  }
  const relationship = facts.relationship(originAsn, destinationAsn);
  return relationship === "customer" || relationship === "peer" ? destinationAsn : originAsn;
}

/** Rules 1, 2 and 4; at least one address was seen behind it, or is on the same router. */
export function electedOwner(router: Router, facts: Facts): number | null {
  const { originAsn, aliases } = router;
  const member = aliases.find((alias) => alias.exchangeId !== null);
  if (member !== undefined) {
    return member.originAsn;
  }
  const here = new Set([router, ...aliases].map(asnOf));
  const behind = [...behindIt(router)];
  const votes = votesOf([
    router,
    ...aliases,
    ...behind,
    ...aliases.flatMap(({ successors }) => [...successors]),
  ]);
  const isOne = new Set(behind.map(asnOf)).size === 1;
  const [elected = originAsn] = [...votes.keys()]
    .filter((asn) => here.has(asn) || isEligible(asn, { router, isOne, facts }))
    .sort(
      (x, y) =>
        (votes.get(y) ?? 0) - (votes.get(x) ?? 0) ||
        facts.coneOf(x) - facts.coneOf(y) ||
        Number(x === originAsn) - Number(y === originAsn) ||
        x - y,
    );
  return elected;
}

/** Where traces go is asked only when nobody else says: a target is a host, mostly, and not a router on the way. */
function behindIt({ successors, ends }: Router): ReadonlySet<Router> {
  return successors.size > 0 ? successors : ends;
}

/** One for each link; none for addresses at an exchange, which are nobody's border. */
function votesOf(routers: readonly Router[]): Map<number, number> {
  const asns = new Map<Router, number>();
  for (const router of routers) {
    const asn = asnOf(router);
    if (asn !== null && router.exchangeId === null && (router.mate === null || !asns.has(router.mate))) {
      asns.set(router, asn);
    }
  }
  const counts = new Map<number, number>();
  for (const asn of asns.values()) {
    counts.set(asn, (counts.get(asn) ?? 0) + 1);
  }
  return counts;
}

function asnOf({ originAsn, ownerAsn }: Router): number | null {
  return originAsn ?? ownerAsn;
}

interface Election {
  readonly router: Router;
  /** One AS is directly behind it. */
  readonly isOne: boolean;
  readonly facts: Facts;
}

/** May the AS own the router beside the origin of its address? */
function isEligible(asn: number, { router, isOne, facts }: Election): boolean {
  const { originAsn, exchangeId, destinationAsns } = router;
  if (exchangeId !== null) {
    return facts.isExchangeMember(asn, exchangeId);
  }
  if (originAsn === null) {
    return true;
  }
  const relationship = facts.relationship(originAsn, asn);
  const isOnlyWay = isOne && destinationAsns.size === 1 && destinationAsns.has(asn);
  return asn !== originAsn && (relationship === "customer" || (relationship === null && isOnlyWay));
}
