/**
 * Which addresses are on one router, by the two ends of links, as kapar and MAP-IT find them (Marder and Smith, 2016).
 *
 * Routers answer from the interface that a probe came in by. So with a link of p at router P and q at router Q, who is
 * seen directly before q is P, by another of its addresses: traces through P both ways tell. P is believed to have two
 * addresses only when each of them was seen directly before the other end of the other one's link, as some routers
 * answer from a third interface. On the LAN of an exchange, where links have no two ends, once is enough.
 */
import type { Address } from "../ip/address.ts";
import type { Router } from "./router.ts";

/** Who has these 16 bytes; undefined = nobody that was seen. */
type SeenAt = (address: Address) => Router | undefined;

/** Sets `mate` of all, then `aliases`: what two steps lead to, no more, or one wrong step would join whole networks. */
export function findAliases(routers: readonly Router[], seenAt: SeenAt): void {
  for (const router of routers) {
    router.mate = router.exchangeId === null ? mateOf(router, seenAt) : null;
  }
  const near = new Map(routers.map((router) => [router, sameRouters(router)]));
  for (const [router, found] of near) {
    const all = new Set([...found, ...found.flatMap((other) => near.get(other) ?? [])]);
    all.delete(router);
    router.aliases = [...all];
  }
}

function sameRouters(router: Router): Router[] {
  return [...(router.mate?.predecessors ?? [])].filter(
    (before) => before !== router && isSameRouter(router, before),
  );
}

/** Is `before`, seen directly before the other end of the router's link, the router itself? */
function isSameRouter(router: Router, before: Router): boolean {
  const isMember = before.exchangeId !== null && before.originAsn !== null;
  return isMember || before.mate?.predecessors.has(router) === true;
}

/**
 * The other address of a /31 (/127) where the first or last one of the four has been seen, else that of a /30 (/126).
 *
 * Two addresses that follow one another in a trace are not the two ends of a link.
 */
function mateOf(router: Router, seenAt: SeenAt): Router | null {
  const last = router.address[15] ?? 0;
  const at = (place: number) => seenAt(withLast(router.address, place));
  const first = last & ~3;
  const isPair = at(first) !== undefined || at(first + 3) !== undefined;
  const mate = at(isPair ? last ^ 1 : last ^ 3);
  const isApart = mate !== undefined && !mate.predecessors.has(router) && !router.predecessors.has(mate);
  return isApart ? mate : null;
}

function withLast(address: Address, last: number): Address {
  const other = address.slice();
  other[15] = last;
  return other;
}
