/**
 * `GET /api/routes/search`: paths by their origin, an AS of the path or a community, from the live table. An answer
 * goes through a bounded part of the table, and says where the next one begins.
 */
import { Hono } from "hono";
import * as v from "valibot";
import { routeSearchAnswer } from "../../../lib/base/api/routes.ts";
import type { StoredAnswer } from "../../../lib/base/api/stored-answer.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../lib/engines/http/input.ts";
import { problem } from "../../../lib/engines/http/problem.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import type { LivePath } from "../../../lib/net/rib/live-path.ts";
import type { LiveTable } from "../../../lib/net/rib/live-table.ts";
import type { VrpTable } from "../../../lib/net/rpki/vrp-table.ts";
import { addressText } from "./address-text.ts";
import { rejectedNodesMax, routesShownMax } from "./limits.ts";
import { spelled, whole } from "./rejected-routes.ts";
import { routeOf } from "./route-answer.ts";
import type { VrpSource } from "./rpki/vrp-source.ts";
import { walkTable } from "./table-walk.ts";

type SearchAnswer = StoredAnswer<typeof routeSearchAnswer>;

const description = describe({
  tags: ["routes"],
  auth: "public",
  summary: "Paths by origin, by an AS in the path, by community",
  description:
    "Paths that have all that is given: `origin` (the last AS of the path, or one of its set), `asn` (anywhere " +
    "in it), `community` (`64500:1`, or `64500:1:2`), `verdict`, `router`. At least one of the first three. " +
    `An answer goes through ${rejectedNodesMax} prefixes at most; \`next\` is where to continue.`,
  ok: routeSearchAnswer,
  problems: { 400: "`invalid_query`; `missing_search`: neither origin nor asn nor community" },
});

const asn = whole(1, 4_294_967_295);

const query = queryInput(
  v.object({
    origin: v.optional(asn),
    asn: v.optional(asn),
    community: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,10}:\d{1,10}(:\d{1,10})?$/, "must be as 64500:1 or 64500:1:2")),
    ),
    verdict: v.optional(v.picklist(["accepted", "rejected", "unknown"])),
    router: v.optional(addressText),
    from: v.optional(whole(1, 4_294_967_295), "1"),
    limit: v.optional(whole(1, routesShownMax), "1000"),
  }),
);

/** Null = any. */
export interface RouteSearch {
  readonly origin: number | null;
  readonly asn: number | null;
  readonly community: string | null;
  readonly verdict: LivePath["verdict"];
  readonly router: string | null;
}

export function searchRoutes(table: LiveTable, known: Pick<VrpSource, "table"> | null): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get("/api/routes/search", description, query, async (c) => {
    const {
      origin = null,
      asn = null,
      community = null,
      verdict = null,
      router,
      from,
      limit,
    } = c.req.valid("query");
    if (origin === null && asn === null && community === null) {
      throw problem(400, "missing_search", "Give one of origin, asn and community: ?origin=64500");
    }
    const search = { origin, asn, community, verdict, router: spelled(router) };
    return c.json(await routesLike(table, search, { from, limit, vrps: known?.table ?? null }));
  });
  return routes;
}

/** `vrps`: what routes are validated by; null = they are not. */
export async function routesLike(
  table: Pick<LiveTable, "slice">,
  search: RouteSearch,
  { from, limit, vrps }: { readonly from: number; readonly limit: number; readonly vrps: VrpTable | null },
): Promise<SearchAnswer> {
  const slice = (start: number, nodesMax: number) => {
    const { found, next } = table.slice(start, nodesMax);
    return { paths: found.flatMap(({ paths }) => paths), next };
  };
  const isWanted = (path: LivePath) => isLike(path, search);
  const { paths, next } = await walkTable(slice, { from, limit, isWanted });
  return { routes: paths.map((path) => routeOf(path, vrps)), next };
}

function isLike(path: LivePath, { origin, asn, community, verdict, router }: RouteSearch): boolean {
  const { asPath } = path.attributes;
  // A route of the router's own AS has no path.
  const last = asPath.length === 0 ? path.peer.asn : asPath.at(-1);
  const has = (one: number | readonly number[] | undefined, wanted: number) =>
    typeof one === "number" ? one === wanted : one?.includes(wanted) === true;
  return (
    (origin === null || has(last, origin)) &&
    (asn === null || asPath.some((one) => has(one, asn))) &&
    (community === null || hasCommunity(path, community)) &&
    (verdict === null || path.verdict === verdict) &&
    (router === null || formatAddress(path.router) === router)
  );
}

function hasCommunity({ attributes }: LivePath, wanted: string): boolean {
  const { communities, largeCommunities } = attributes;
  return [...communities, ...largeCommunities].some((parts) => parts.join(":") === wanted);
}
