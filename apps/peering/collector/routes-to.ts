/** The paths that a table has to a prefix, or to the longest prefix that holds an address. */
import type { routesAnswer } from "../../../lib/base/api/routes.ts";
import type { StoredAnswer } from "../../../lib/base/api/stored-answer.ts";
import { type Address, parseAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix, type Prefix, parsePrefix } from "../../../lib/net/ip/prefix.ts";
import type { LivePath } from "../../../lib/net/rib/live-path.ts";
import type { LiveTable } from "../../../lib/net/rib/live-table.ts";
import type { VrpTable } from "../../../lib/net/rpki/vrp-table.ts";
import { routeOf } from "./route-answer.ts";

type Looked = Pick<LiveTable, "exact" | "longest" | "moreSpecific">;
export type RoutesAnswer = StoredAnswer<typeof routesAnswer>;

export interface LookupOrder {
  readonly more: boolean;
  readonly limit: number;
  /** What routes are validated by; null = they are not. */
  readonly vrps: VrpTable | null;
}

/** Null = the resource is neither a prefix nor an address. */
export function routesTo(
  table: Looked,
  resource: string,
  { more, limit, vrps }: LookupOrder,
): RoutesAnswer | null {
  const place = placeOf(table, resource);
  if (place === null) {
    return null;
  }
  const { prefix } = place;
  const paths = [...place.paths.slice(0, limit)];
  let isCut = place.paths.length > limit;
  for (const specific of more && prefix !== null ? table.moreSpecific(prefix) : []) {
    isCut = paths.length + specific.paths.length > limit;
    paths.push(...specific.paths.slice(0, limit - paths.length));
    if (isCut) {
      break;
    }
  }
  const isThere = paths.length > 0;
  const shown = isThere && prefix !== null ? formatPrefix(prefix) : null;
  const routes = paths.map((path) => routeOf(path, vrps));
  return { resource, prefix: shown, routes, is_cut: isCut, at: null, collector_was_away: false };
}

function placeOf(table: Looked, resource: string): { prefix: Prefix | null; paths: LivePath[] } | null {
  const address: Address | null = parseAddress(resource);
  if (address !== null) {
    return table.longest(address) ?? { prefix: null, paths: [] };
  }
  const prefix = parsePrefix(resource);
  return prefix === null ? null : { prefix, paths: table.exact(prefix) };
}
