/** The owner of the router with an address, by votes of the addresses that traces show behind it (BorderOwners). */
import type { ContextSet } from "./context-set.ts";
import type { Router } from "./router.ts";

/** The part of a set that the rules use. */
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
  const votes = votesOf(router);
  let elected = originAsn;
  for (const asn of votes.keys()) {
    if (isAhead(asn, elected, { router, votes, facts }) && isEligible(asn, router, facts)) {
      elected = asn;
    }
  }
  return elected;
}

interface Election {
  readonly router: Router;
  readonly votes: ReadonlyMap<number, number>;
  readonly facts: Facts;
}

/** More votes win; at a tie the smaller customer cone, then the AS that is not the origin, then the lower number. */
function isAhead(asn: number, than: number | null, { router, votes, facts }: Election): boolean {
  if (than === null || asn === than) {
    return than === null;
  }
  const more =
    (votes.get(asn) ?? 0) - (votes.get(than) ?? 0) ||
    facts.coneOf(than) - facts.coneOf(asn) ||
    Number(than === router.originAsn) - Number(asn === router.originAsn) ||
    than - asn;
  return more > 0;
}

/**
 * One for each address of the router and each behind it; none for those at an exchange, where no border is.
 *
 * Where it has several addresses, both ends of a link have one vote together: they have the same origin.
 */
function votesOf(router: Router): ReadonlyMap<number, number> {
  const { aliases, originAsn } = router;
  const votes = new Map<number, number>();
  const counted = new Set<Router>();
  const count = (one: Router, asn: number | null) => {
    const isCounted =
      aliases.length > 0 && (counted.has(one) || (one.mate !== null && counted.has(one.mate)));
    if (asn !== null && one.exchangeId === null && !isCounted) {
      votes.set(asn, (votes.get(asn) ?? 0) + 1);
      counted.add(one);
    }
  };
  count(router, originAsn);
  for (const alias of aliases) {
    count(alias, asnOf(alias));
  }
  for (const side of [behindIt(router), ...aliases.map(({ successors }) => successors)]) {
    for (const one of side) {
      count(one, asnOf(one));
    }
  }
  return votes;
}

/** The targets of traces vote only when nothing else does: a target is mostly a host, not a router on the way. */
function behindIt({ successors, ends }: Router): ReadonlySet<Router> {
  return successors.size > 0 ? successors : ends;
}

function asnOf({ originAsn, ownerAsn }: Router): number | null {
  return originAsn ?? ownerAsn;
}

/** Whether the AS can own the router in place of the origin of its address. */
function isEligible(asn: number, router: Router, facts: Facts): boolean {
  const { originAsn, exchangeId, aliases } = router;
  if (exchangeId !== null) {
    return facts.isExchangeMember(asn, exchangeId);
  }
  if (originAsn === null || aliases.some((alias) => asnOf(alias) === asn)) {
    return true;
  }
  const relationship = facts.relationship(originAsn, asn);
  return relationship === "customer" || (relationship === null && isOnlyWay(asn, router));
}

/** All that is behind the router is of this AS, and all traces through it go there. */
function isOnlyWay(asn: number, router: Router): boolean {
  const { destinationAsns } = router;
  const isOther = (one: Router) => one.exchangeId === null && asnOf(one) !== null && asnOf(one) !== asn;
  return (
    destinationAsns.size === 1 &&
    destinationAsns.has(asn) &&
    ![...behindIt(router)].some((one) => isOther(one))
  );
}
