/**
 * `GET /api/routes`: all paths that routers have to a prefix, or to the longest prefix that holds an address, from the
 * live table. No router and no daemon is asked.
 */
import { Hono } from "hono";
import * as v from "valibot";
import { routesAnswer } from "../../../lib/base/api/routes.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../lib/engines/http/input.ts";
import { Problem } from "../../../lib/engines/http/problem.ts";
import type { LiveTable } from "../../../lib/net/rib/live-table.ts";
import { historyDays, resourceCharsMax, routesShownMax } from "./limits.ts";
import type { PastRoutes } from "./past-routes.ts";
import { routesTo } from "./routes-to.ts";
import type { VrpSource } from "./rpki/vrp-source.ts";

const description = describe({
  tags: ["routes"],
  auth: "public",
  summary: "The paths that routers have to a prefix or an address",
  description:
    "Of an address those to the longest prefix that holds it. With `more=true` also those to more specific prefixes. " +
    `At most \`limit\` paths, ${routesShownMax} without it. With \`at\` those of an earlier time, at most ` +
    `${historyDays} days ago; they are validated by the VRPs of today, and routes that BIRD was asked for are missing.`,
  ok: routesAnswer,
  problems: {
    400: "`invalid_resource`: neither a prefix with host bits zero, nor an address; `invalid_query`; `future`",
    404: "`no_history`: before the earliest time that is kept",
    503: "`work_busy`: others look up earlier times",
  },
});

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
    at: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z$/, "must be a time as 2027-01-31T12:00:00Z"),
        v.check((text) => !Number.isNaN(Date.parse(text)), "is not a time that exists"),
      ),
    ),
  }),
);

interface LookupParts {
  readonly table: LiveTable;
  readonly vrps: Pick<VrpSource, "table"> | null;
  /** Null = earlier times cannot be looked up. */
  readonly past: PastRoutes | null;
}

export function lookupRoutes({ table, vrps: known, past }: LookupParts): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get("/api/routes", description, query, async (c) => {
    const { resource, more, limit, at } = c.req.valid("query");
    const order = { more: more === "true", limit, vrps: known?.table ?? null };
    const found =
      at === undefined || past === null
        ? routesTo(table, resource, order)
        : await past.routesTo(Date.parse(at), resource, { ...order, pace: c.get("work") });
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
