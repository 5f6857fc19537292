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

/** Rules 1, 2 and 4; at least one address was seen behind it. */
export function electedOwner(router: Router, facts: Facts): number | null {
  const { originAsn } = router;
  const votes = votesOf(router);
  const eligible = [...votes.keys()].filter((asn) => isEligible(asn, { router, votes, facts }));
  if (originAsn !== null) {
    votes.set(originAsn, (votes.get(originAsn) ?? 0) + 1);
    eligible.push(originAsn);
  }
  const [elected = originAsn] = eligible.sort(
    (x, y) =>
      (votes.get(y) ?? 0) - (votes.get(x) ?? 0) ||
      facts.coneOf(x) - facts.coneOf(y) ||
      Number(x === originAsn) - Number(y === originAsn) ||
      x - y,
  );
  return elected;
}

/** One for each address behind the router; none for those at an exchange, whose addresses are nobody's border. */
function votesOf({ successors }: Router): Map<number, number> {
  const votes = new Map<number, number>();
  for (const { originAsn, ownerAsn, exchangeId } of successors) {
    const asn = originAsn ?? ownerAsn;
    if (asn !== null && exchangeId === null) {
      votes.set(asn, (votes.get(asn) ?? 0) + 1);
    }
  }
  return votes;
}

interface Election {
  readonly router: Router;
  readonly votes: ReadonlyMap<number, number>;
  readonly facts: Facts;
}

/** May the AS own the router beside the origin of its address? */
function isEligible(asn: number, { router, votes, facts }: Election): boolean {
  const { originAsn, exchangeId, destinationAsns } = router;
  if (exchangeId !== null) {
    return facts.isExchangeMember(asn, exchangeId);
  }
  if (originAsn === null) {
    return true;
  }
  const relationship = facts.relationship(originAsn, asn);
  const isOnlyWay = votes.size === 1 && destinationAsns.size === 1 && destinationAsns.has(asn);
  return asn !== originAsn && (relationship === "customer" || (relationship === null && isOnlyWay));
}
