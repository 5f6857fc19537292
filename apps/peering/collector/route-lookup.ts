/**
 * `GET /api/routes`: all paths that routers have to a prefix, or to the longest prefix that holds an address, from the
 * live table. No router and no daemon is asked.
 */
import { Hono } from "hono";
import * as v from "valibot";
import { routesAnswer } from "../../../lib/base/api/routes.ts";
import type { StoredAnswer } from "../../../lib/base/api/stored-answer.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../lib/engines/http/input.ts";
import { Problem } from "../../../lib/engines/http/problem.ts";
import { type Address, parseAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix, type Prefix, parsePrefix } from "../../../lib/net/ip/prefix.ts";
import type { LivePath } from "../../../lib/net/rib/live-path.ts";
import type { LiveTable } from "../../../lib/net/rib/live-table.ts";
import type { VrpTable } from "../../../lib/net/rpki/vrp-table.ts";
import { resourceCharsMax, routesShownMax } from "./limits.ts";
import { routeOf } from "./route-answer.ts";
import type { VrpSource } from "./rpki/vrp-source.ts";

type Looked = Pick<LiveTable, "exact" | "longest" | "moreSpecific">;
type RoutesAnswer = StoredAnswer<typeof routesAnswer>;

const description = describe({
  tags: ["routes"],
  auth: "public",
  summary: "The paths that routers have to a prefix or an address",
  description:
    "Of an address those to the longest prefix that holds it. With `more=true` also those to more specific prefixes. " +
    `At most \`limit\` paths, ${routesShownMax} without it.`,
  ok: routesAnswer,
  problems: {
    400: "`invalid_resource`: neither a prefix with host bits zero, nor an address; `invalid_query`",
  },
});

interface LookupOrder {
  readonly more: boolean;
  readonly limit: number;
  /** What routes are validated by; null = they are not. */
  readonly vrps: VrpTable | null;
}

const query = queryInput(
  v.object({
    resource: v.pipe(v.string(), v.maxLength(resourceCharsMax, "is too long for a prefix or an address")),
    more: v.optional(v.picklist(["true", "false"]), "false"),
    limit: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[1-9]\d{0,5}$/, "must be a whole number"),
        v.transform((text) => Math.min(Number(text), routesShownMax)),
      ),
      String(routesShownMax),
    ),
  }),
);

export function lookupRoutes(table: LiveTable, known: Pick<VrpSource, "table"> | null): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get("/api/routes", description, query, (c) => {
    const { resource, more, limit } = c.req.valid("query");
    const found = routesTo(table, resource, { more: more === "true", limit, vrps: known?.table ?? null });
    if (found === null) {
      throw noResource();
    }
    return c.json(found);
  });
  return routes;
}

export function noResource(): Problem {
  return new Problem({
    ...{ status: 400, code: "invalid_resource" },
    message: "resource is not a prefix (host bits zero) or an address. Give one: ?resource=2001:db8:51::/48.",
  });
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
  return { resource, prefix: shown, routes: paths.map((path) => routeOf(path, vrps)), is_cut: isCut };
}

function placeOf(table: Looked, resource: string): { prefix: Prefix | null; paths: LivePath[] } | null {
  const address: Address | null = parseAddress(resource);
  if (address !== null) {
    return table.longest(address) ?? { prefix: null, paths: [] };
  }
  const prefix = parsePrefix(resource);
  return prefix === null ? null : { prefix, paths: table.exact(prefix) };
}
