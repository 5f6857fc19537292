/**
 * Whose router has an address, learnt from traces: the owner, which need not be the origin of the address.
 *
 * A link between two ASes has addresses of one of them, mostly of the provider, so the border router of a customer
 * answers with its provider's address. Rules, a short form of bdrmapIT's (Marder et al., IMC 2018):
 *
 * 1. On the LAN of an exchange the owner is the member. Where the list of members does not say: the AS of most
 *    addresses behind it among members of the exchange.
 * 2. An address of origin A has one vote for A. So has each further address of the same router, as far as both ends of
 *    links imply (`findAliases`), for its own origin; one of a member at an exchange decides alone. Each link seen
 *    directly behind the router, at the next TTL, has one for the origin of its address, or without one for its owner
 *    so far; an address at an exchange has none, and a target only where nothing else is behind. Eligible beside the
 *    origins of the router's addresses are A's customers; and where the relationship is not known, the only AS behind
 *    it, if all these traces go to that AS. Most votes win; when two are even, the smaller customer cone; then the AS
 *    that is not A.
 * 3. An address of origin A behind which no trace has anything: the AS that they all go to, if it is a customer or
 *    peer of A, and has not answered itself.
 * 4. An address without an origin: the AS of most votes behind it. Private and reserved ones have no owner.
 *
 * This is repeated until no owner changes, ten times at most.
 */
import type { Address } from "../../net/ip/address.ts";
import { isReserved } from "../probing/is-reserved.ts";
import type { ContextSet } from "./context-set.ts";
import { findAliases } from "./link-mates.ts";
import { electedOwner, ownerWithoutVotes } from "./owner-election.ts";
import type { Router } from "./router.ts";
import type { TracedHops } from "./traced-hops.ts";

const roundsMax = 10;

export class BorderOwners {
  /** By the 16 bytes of the address as characters. */
  readonly #routers = new Map<string, Router>();
  #isDecided = true;

  constructor(private readonly set: ContextSet) {}

  /** Keeps a record for each distinct address, and a reference for each distinct pair of neighbours. */
  add({ destination, hops }: TracedHops): void {
    const destinationAsn = this.set.asnOf(destination);
    const routers = hops.map((hop) => (hop === null ? null : this.#routerOf(hop)));
    const last = routers.findLast((router) => router !== null);
    const isAnswered = routers.some((router) => router?.originAsn === destinationAsn);
    for (const [i, router] of routers.entries()) {
      if (router === null) {
        continue;
      }
      const next = routers[i + 1];
      if (next != null && next !== router) {
        const isEnd = next === last && next === this.#routers.get(keyOf(destination));
        (isEnd ? router.ends : router.successors).add(next);
        next.predecessors.add(router);
      }
      router.destinationAsns.add(destinationAsn);
      router.isEnd &&= router === last && !isAnswered;
    }
    this.#isDecided = false;
  }

  /** Null = the address was in no trace, or its owner is unknown. */
  ownerOf(address: Address): number | null {
    if (!this.#isDecided) {
      this.#decide();
    }
    return this.#routers.get(keyOf(address))?.ownerAsn ?? null;
  }

  #routerOf(address: Address): Router {
    const key = keyOf(address);
    const known = this.#routers.get(key);
    if (known !== undefined) {
      return known;
    }
    const originAsn = this.set.asnOf(address) || null;
    const exchangeId = this.set.exchangeHopOf(address)?.exchange.id ?? null;
    const router: Router = {
      originAsn,
      exchangeId,
      isWithoutOwner: originAsn === null && exchangeId === null && isReserved(address),
      successors: new Set(),
      ends: new Set(),
      predecessors: new Set(),
      mate: null,
      aliases: [],
      destinationAsns: new Set(),
      isEnd: true,
      ownerAsn: originAsn,
    };
    this.#routers.set(key, router);
    return router;
  }

  #decide(): void {
    const routers = [...this.#routers.values()];
    for (const router of routers) {
      router.ownerAsn = router.originAsn;
    }
    findAliases(this.#routers);
    for (let round = 0; round < roundsMax; round++) {
      const owners = routers.map((router) => this.#elect(router));
      const isChanged = owners.some((owner, i) => owner !== routers[i]?.ownerAsn);
      for (const [i, router] of routers.entries()) {
        router.ownerAsn = owners[i] ?? null;
      }
      if (!isChanged) {
        break;
      }
    }
    this.#isDecided = true;
  }

  #elect(router: Router): number | null {
    if (router.isWithoutOwner || (router.exchangeId !== null && router.originAsn !== null)) {
      return router.originAsn;
    }
    return router.successors.size + router.ends.size + router.aliases.length === 0
      ? ownerWithoutVotes(router, this.set)
      : electedOwner(router, this.set);
  }
}

function keyOf(address: Address): string {
  return String.fromCharCode(...address);
}
