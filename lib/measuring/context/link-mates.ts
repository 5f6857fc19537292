/**
 * Which addresses are on one router, by the two ends of links, as kapar and MAP-IT find them (Marder and Smith, 2016).
 *
 * Routers answer from the interface that a probe came in by. So with a link of p at router P and q at router Q, the
 * address directly before q is another one of P: traces through P in both directions show it. Two addresses count as
 * P's only when each was seen directly before the other end of the other one's link, as some routers answer from a
 * third interface. On the LAN of an exchange, where links do not have two ends, once is enough.
 */
import type { Router } from "./router.ts";

/** By the 16 bytes of their addresses as characters. */
type Routers = ReadonlyMap<string, Router>;

/** Sets `mate` of all, then `aliases`: two steps at most, or one wrong step would join whole networks. */
export function findAliases(routers: Routers): void {
  for (const [key, router] of routers) {
    router.mate = router.exchangeId === null ? mateOf(key, router, routers) : null;
  }
  const near = new Map<Router, readonly Router[]>();
  for (const router of routers.values()) {
    if (router.mate !== null) {
      near.set(
        router,
        [...router.mate.predecessors].filter((before) => isSameRouter(router, before)),
      );
    }
  }
  for (const router of routers.values()) {
    const found = near.get(router) ?? [];
    const all = new Set([...found, ...found.flatMap((other) => near.get(other) ?? [])]);
    all.delete(router);
    router.aliases = found.length === 0 ? found : [...all];
  }
}

/** Is `before`, seen directly before the other end of the router's link, the router itself? */
function isSameRouter(router: Router, before: Router): boolean {
  const isMember = before.exchangeId !== null && before.originAsn !== null;
  return before !== router && (isMember || before.mate?.predecessors.has(router) === true);
}

/**
 * The other address of a /31 (/127) where the first or last one of the four has been seen, else that of a /30 (/126).
 *
 * Two addresses that follow one another in a trace are not the two ends of a link.
 */
function mateOf(key: string, router: Router, routers: Routers): Router | null {
  const network = key.slice(0, -1);
  const last = key.charCodeAt(key.length - 1);
  const at = (place: number) => routers.get(network + String.fromCharCode(place));
  const first = last & ~3;
  const isPair = at(first) !== undefined || at(first + 3) !== undefined;
  const mate = at(isPair ? last ^ 1 : last ^ 3);
  const isApart = mate !== undefined && !mate.predecessors.has(router) && !router.predecessors.has(mate);
  return isApart ? mate : null;
}
