/**
 * The scope that each route requires of an API token, in one table. A login has all scopes.
 *
 * A route missing here accepts no API token at all, so a forgotten route exposes nothing; the pages of the API's
 * reference cannot be made until it is listed.
 */
import type { ObjectKind, Scope } from "../../base/api/scopes.ts";

interface RouteScope {
  /** Any one of these is enough. */
  readonly scopes: readonly Scope[];
  /** The kind of object that `:id` of the path names; null = the route is not about a single object. */
  readonly object: ObjectKind | null;
}

type Row = readonly [route: string, scopes: readonly Scope[], object?: ObjectKind];

const anyOfMeasurements = ["measurements:read", "measurements:create"] as const;
const anyOfCampaigns = ["campaigns:read", "campaigns:write"] as const;
const read = ["measurements:read"] as const;
const create = ["measurements:create"] as const;
const share = ["results:public"] as const;
const run = ["campaigns:write"] as const;

/** The first match counts; `*` at the end matches any rest. */
const table: readonly Row[] = [
  ["GET /api/user/me", anyOfMeasurements],
  ["GET /api/user/prefixes", anyOfMeasurements],
  ["GET /api/limits", [...anyOfMeasurements, "sql:read"]],
  ["GET /api/sql", ["sql:read"]],
  ["GET /api/sql/", ["sql:read"]],
  ["POST /api/sql", ["sql:read"]],
  ["POST /api/sql/", ["sql:read"]],
  ["GET /api/lookup", create],
  ["POST /api/probes", create],
  ["GET /api/measurements", read],
  ["GET /api/measurements/:id/sharing", ["measurements:read", "results:public"], "measurement"],
  ["POST /api/measurements/:id/sharing", share, "measurement"],
  ["DELETE /api/measurements/:id/sharing", share, "measurement"],
  ["POST /api/measurements/:id/probes", create, "measurement"],
  ["POST /api/measurements/:id/cancel", create, "measurement"],
  ["PATCH /api/measurements/:id", create, "measurement"],
  ["POST /api/measurement/:id/cancel", create, "measurement"],
  ["GET /api/measurement/:id/status", read, "measurement"],
  // Its status, its packets, and a route for each view of its results.
  ["GET /api/measurements/:id/*", read, "measurement"],
  ["POST /api/campaigns/estimate", anyOfCampaigns],
  ["GET /api/campaigns/:id/sharing", ["campaigns:read", "results:public"], "campaign"],
  ["POST /api/campaigns/:id/sharing", share, "campaign"],
  ["DELETE /api/campaigns/:id/sharing", share, "campaign"],
  ["GET /api/campaigns", ["campaigns:read"]],
  ["GET /metrics/campaigns", ["campaigns:read"]],
  ["GET /api/campaigns/:id*", ["campaigns:read"], "campaign"],
  ["POST /api/campaigns/:id/alerts/preview", anyOfCampaigns, "campaign"],
  ["POST /api/campaigns", run],
  ["POST /api/campaigns/:id/events", ["campaigns:write", "campaigns:trigger"], "campaign"],
  ["POST /api/campaigns/:id*", run, "campaign"],
  ["PUT /api/campaigns/:id*", run, "campaign"],
  ["PATCH /api/campaigns/:id*", run, "campaign"],
  ["DELETE /api/campaigns/:id*", run, "campaign"],
  ["POST /api/discoveries/estimate", anyOfCampaigns],
  ["GET /api/discoveries", ["campaigns:read"]],
  ["GET /api/discoveries/:id*", ["campaigns:read"], "campaign"],
  ["POST /api/discoveries", run],
  ["POST /api/discoveries/:id*", run, "campaign"],
  ["GET /api/experiments*", ["campaigns:read"]],
  ["POST /api/experiments*", run],
  ["DELETE /api/experiments*", run],
  ["GET /api/alerts*", ["campaigns:read"]],
  ["POST /api/alerts*", run],
  ["PUT /api/alerts*", run],
  ["DELETE /api/alerts*", run],
  ["GET /api/tokens*", ["tokens:write"]],
  ["POST /api/tokens", ["tokens:write"]],
  ["DELETE /api/tokens/:token", ["tokens:write"]],
  ["GET /admin/*", ["admin:read"]],
  ["POST /admin/*", ["admin:write"]],
  ["PUT /admin/*", ["admin:write"]],
  ["PATCH /admin/*", ["admin:write"]],
  ["DELETE /admin/*", ["admin:write"]],
];

/** `path` as routes are written: `/api/measurements/:id/status`. Null = not allowed with an API token. */
export function routeScope(method: string, path: string): RouteScope | null {
  const route = `${method} ${path}`;
  const row = table.find(([pattern]) =>
    pattern.endsWith("*") ? route.startsWith(pattern.slice(0, -1)) : route === pattern,
  );
  return row === undefined ? null : { scopes: row[1], object: row[2] ?? null };
}
