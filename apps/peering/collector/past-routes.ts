/** Lookups of routes at an earlier time. */
import type { Pace } from "../../../lib/engines/http/pace.ts";
import { problem } from "../../../lib/engines/http/problem.ts";
import { parseAddress } from "../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import type { RouteHistory, Sought } from "./route-history.ts";
import { type LookupOrder, type RoutesAnswer, routesTo } from "./routes-to.ts";

interface PastLookup extends LookupOrder {
  readonly pace: Pace;
}

export class PastRoutes {
  readonly #history: RouteHistory;
  readonly #rejectReasons: ReadonlyMap<string, string>;

  constructor(history: RouteHistory, rejectReasons: ReadonlyMap<string, string>) {
    this.#history = history;
    this.#rejectReasons = rejectReasons;
  }

  /** Null = the resource is neither a prefix nor an address. Throws Problem 400 and 404, and as the pace does. */
  async routesTo(atMs: number, resource: string, order: PastLookup): Promise<RoutesAnswer | null> {
    const [address, prefix] = [parseAddress(resource), parsePrefix(resource)];
    if (address === null) {
      return prefix === null ? null : await this.#at(atMs, resource, { order, sought: [{ within: prefix }] });
    }
    const found = await this.#at(atMs, resource, { order: { ...order, more: false }, sought: [{ address }] });
    const within = order.more && found.prefix !== null ? parsePrefix(found.prefix) : null;
    return within === null
      ? found
      : await this.#at(atMs, resource, { order, sought: [{ address }, { within }] });
  }

  async #at(
    atMs: number,
    resource: string,
    { order, sought }: { readonly order: PastLookup; readonly sought: readonly Sought[] },
  ): Promise<RoutesAnswer> {
    if (atMs > Date.now()) {
      throw problem(400, "future", "at is in the future: leave it out for the routes of now");
    }
    const [rejectReasons, { pace }] = [this.#rejectReasons, order];
    const past = await this.#history.tableAt({ atUs: 1000 * atMs, sought, rejectReasons, pace });
    const found = past === null ? null : routesTo(past.table, resource, order);
    if (past === null || found === null) {
      throw this.#noHistory();
    }
    return { ...found, at: new Date(atMs), collector_was_away: past.wasAway };
  }

  #noHistory() {
    const { sinceUs } = this.#history;
    const since = sinceUs === null ? "now" : new Date(sinceUs / 1000).toISOString();
    return problem(404, "no_history", `Routes are kept from ${since} on: give a later time`);
  }
}
