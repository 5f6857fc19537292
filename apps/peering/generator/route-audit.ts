/**
 * Compares the routes that BIRD really has from users with the policy.
 *
 * The policy removes a route that its owner may not announce any more. Where it still exists at the next sample (BIRD
 * refuses its configuration, an operator has said `configure soft`, a peer restarts gracefully), its session is ended,
 * and may return as soon as the policy is active. A prefix that changes too often is held back
 * (`prefix-budget.ts`). BIRD below 2.14 passes on unknown transitive attributes, which its filters cannot see: a user
 * that sends one is suspended.
 */
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Route } from "../../../lib/peering/bird/routes.ts";
import { mayAnnounce, type Policy } from "../../../lib/peering/policy/policy.ts";
import { type Peers, routeKey } from "./daemon/peers.ts";
import type { GeneratorMetrics } from "./metrics.ts";
import type { UsersRoute } from "./prefix-budget.ts";
import type { PrefixWatch } from "./prefix-watch.ts";
import type { SessionWatch } from "./session-watch.ts";

interface RouteAuditParts {
  readonly peers: Peers;
  readonly watch: SessionWatch;
  readonly prefixes: PrefixWatch;
  readonly log: Logger;
  readonly metrics: GeneratorMetrics;
}

interface Owned {
  readonly route: Route;
  /** Null = of no user. */
  readonly userHash: string | null;
  readonly isAllowed: boolean;
}

export class RouteAudit {
  readonly #parts: RouteAuditParts;
  /** Overdue routes at the last sample. */
  #overdue: ReadonlySet<string> = new Set();
  readonly #ended = new Set<string>();

  constructor(parts: RouteAuditParts) {
    this.#parts = parts;
  }

  /** `isInForce`: whether BIRD has applied the policy. Returns whether a user or prefix has to be refused now. */
  async look(policy: Policy, isInForce: boolean): Promise<boolean> {
    const { peers, log, metrics, prefixes, watch } = this.#parts;
    try {
      const owned = this.#ownersOf(await peers.acceptedRoutes(), policy);
      if (isInForce) {
        await this.#letBack();
      }
      await this.#endOverdue(owned.filter(({ isAllowed }) => !isAllowed));
      const isHeld = await prefixes.look(routesOf(owned), policy, watch.daemonStartedAt);
      const isForeign = await this.#suspend(owned.filter(({ route }) => route.unknownAttributes.length > 0));
      return isHeld || isForeign;
    } catch (error) {
      metrics.failure("daemon");
      log.error("Cannot read users' routes", { error });
      return false;
    }
  }

  #ownersOf(routes: readonly Route[], { users }: Policy): Owned[] {
    const sessions = this.#parts.watch.sessions ?? [];
    const addresses = new Map(sessions.map(({ name, neighborAddress }) => [name, neighborAddress]));
    const byAddress = new Map(users.flatMap((user) => user.addresses.map(({ v4 }) => [v4, user] as const)));
    return routes.flatMap((route) => {
      const address = addresses.get(route.protocol);
      // A session that is younger than the list of sessions is read with the next sample.
      if (address === undefined) {
        return [];
      }
      const user = byAddress.get(address);
      const isAllowed = user !== undefined && mayAnnounce(user, route.prefix);
      return [{ route, userHash: user?.userHash ?? null, isAllowed }];
    });
  }

  /** One sample is not enough: BIRD evaluates every route again in the moments after a change. */
  async #endOverdue(overdue: readonly Owned[]): Promise<void> {
    const { peers, log, metrics } = this.#parts;
    const before = this.#overdue;
    this.#overdue = new Set(overdue.map(({ route }) => routeKey(route)));
    for (const { route, userHash } of overdue.filter(({ route: one }) => before.has(routeKey(one)))) {
      metrics.overstay();
      log.error("A route has outlived its lease; ends its session", {
        ...{ prefix: route.prefix, session: route.protocol, user_hash: userHash },
      });
      this.#ended.add(route.protocol);
      await peers.switchSession(route.protocol, false);
    }
  }

  async #letBack(): Promise<void> {
    for (const name of this.#ended) {
      await this.#parts.peers.switchSession(name, true);
      this.#ended.delete(name);
    }
  }

  async #suspend(foreign: readonly Owned[]): Promise<boolean> {
    const { watch, log } = this.#parts;
    let hasChanged = false;
    for (const { route, userHash } of foreign) {
      if (userHash !== null && (await watch.suspend(userHash, "foreignAttribute"))) {
        hasChanged = true;
        const { prefix, unknownAttributes: types } = route;
        log.warn("Suspends a user whose route carries unknown attributes", {
          user_hash: userHash,
          prefix,
          types,
        });
      }
    }
    return hasChanged;
  }
}

/** Routes to a single address are left out by the budget, as the policy lists no such prefix. */
function routesOf(owned: readonly Owned[]): UsersRoute[] {
  return owned.flatMap(({ route: { prefix, protocol: session, since }, userHash, isAllowed }) =>
    userHash === null || !isAllowed ? [] : [{ userHash, prefix, session, since }],
  );
}
