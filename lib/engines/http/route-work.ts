/**
 * How much each route may compute, in one table. A service does not start with a route that is missing here, and
 * tests/tidy finds it before.
 *
 * - `small`: its body, and at most a page of rows; what is larger is streamed, page by page, in fair shares.
 * - `derived`: computes from everything that a user has stored or sent. Few at once, one per caller.
 */
import { derivedWorkBytesMax, derivedWorkMsMax, smallWorkBytesMax, smallWorkMsMax } from "./limits.ts";

type WorkKind = "small" | "derived";

export const workMsMax: Readonly<Record<WorkKind, number>> = {
  small: smallWorkMsMax,
  derived: derivedWorkMsMax,
};

export const workBytesMax: Readonly<Record<WorkKind, number>> = {
  small: smallWorkBytesMax,
  derived: derivedWorkBytesMax,
};

type Rows = Readonly<Partial<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", readonly string[]>>>;

const derived: Rows = {
  GET: [
    ...["/api/experiments/:id", "/api/experiments/:id/timeline", "/api/experiments/:id/journal"],
    // Those of an earlier time are read from a file.
    "/api/routes",
  ],
  POST: [
    ...["/api/experiments", "/api/experiments/check", "/api/experiments/import"],
    ...["/api/campaigns", "/api/campaigns/estimate"],
    ...["/api/discoveries", "/api/discoveries/estimate", "/api/campaigns/:id/alerts/preview"],
  ],
  PUT: ["/api/campaigns/:id"],
};

const shown = ["/measurements/:id", "/measurements/:id/:view", "/campaigns/:id", "/campaigns/:id/runs"];
const user = ["/admin/users/:hash", "/admin/users/:hash/suspend", "/admin/users/:hash/resume"];

/**
 * `*` at the end stands for one more part of the path: pages and views that are lists in the code; `**` for any number
 * of parts: an API of others that is answered from one table.
 */
const small: Rows = {
  GET: [
    ...[
      "/",
      "/health",
      "/ready",
      "/metrics",
      "/metrics/campaigns",
      "/openapi.json",
      "/docs",
      "/status",
      "/status.json",
      "/clock",
    ],
    ...[
      "/api/user/me",
      "/api/user/prefixes",
      "/api/user/info",
      "/api/user/leases",
      "/api/limits",
      "/api/sql",
      "/api/sql/",
      "/api/sql/ping",
      "/api/login",
    ],
    ...["/api/lookup", "/api/measurements", "/api/measurement/:id/status", "/api/measurements/:id/*"],
    ...["/api/measurements/:id/packets/:agent/:interface", "/api/campaigns", "/api/campaigns/:id"],
    ...[
      "/api/campaigns/:id/*",
      "/api/discoveries",
      "/api/discoveries/:id",
      "/api/experiments",
      "/api/alerts",
    ],
    ...["/api/tokens", "/api/tokens/:token/uses", "/api/public", "/api/shared/:link"],
    ...["/api/public", "/api/shared/:link"].flatMap((base) => shown.map((path) => `${base}${path}`)),
    ...["/api/agents", "/api/agent/:id", "/api/agent/:id/config", "/api/agent/:id/health"],
    ...["/agent-api/agent/:id/blocklist", "/agent-api/agent/:id/crowd", "/source/:address"],
    ...[
      "/admin/users",
      "/admin/users/:hash",
      "/admin/users/:hash/export",
      "/admin/users/:hash/export/:table",
    ],
    ...["/admin/users/:hash/leases", "/admin/agents", "/admin/agents/:id", "/admin/enrolment-keys"],
    ...["/admin/kill-switch", "/admin/blocklist", "/admin/sources/:address", "/admin/campaigns"],
    ...["/admin/trace/:id"],
    ...["/admin/audit", "/admin/ingest", "/admin/pools", "/admin/leases", "/admin/announcement-stop"],
    ...[
      "/admin/service-keys",
      "/console",
      "/console/*",
      "/console/measurements/:id",
      "/console/campaigns/:id",
    ],
    ...["/console/experiments/:id", "/console/files/:name", "/console/shared/:link"],
    ...["/console/shared/:link/measurements/:id", "/console/public/measurements/:id"],
    ...["/console/public/campaigns/:id", "/api/announcements", "/vrps.json", "/service/mappings"],
    ...["/api/grants", "/api/grant"],
    ...["/service/mappings/:user_hash", "/service/changes", "/policy", "/api/routes/watch"],
    ...[
      "/api/routes/rejected",
      "/api/routes/search",
      "/birdwatcher/**",
      "/v1/ws/",
      "/data/looking-glass/data.json",
      "/data/ris-peer-count/data.json",
    ],
  ],
  POST: [
    ...[
      "/api/sql",
      "/api/sql/",
      "/api/probes",
      "/api/measurements/:id/probes",
      "/api/measurements/:id/cancel",
    ],
    ...["/api/measurement/:id/cancel", "/agent-api/agent/:id/measurements/:measurement/packets"],
    ...["/api/campaigns/:id/*", "/api/discoveries/:id/*", "/api/experiments/:id/*", "/api/tokens"],
    ...["/api/measurements/:id/sharing", "/agent-api/agent/register", "/agent-api/agent/:id/*"],
    ...["/agent-api/agent/:id/measurement/:measurement/status", "/agent-api/agent/:id/measurements/status"],
    ...[...user, "/admin/agents", "/admin/agents/:id/keys", "/admin/enrolment-keys", "/admin/blocklist"],
    ...["/admin/campaigns/:id/stop", "/console/logout", "/api/user/asn", "/api/user/prefix"],
    ...["/api/user/prefix/:prefix/renew", "/admin/service-keys", "/refresh"],
    ...["/api/grants", "/api/grant/leases/:prefix/renew"],
  ],
  PUT: [
    ...["/admin/agents/:id/desired", "/admin/kill-switch", "/admin/measurements/:id/hidden"],
    ...["/admin/campaigns/:id/hidden", "/api/user/prefix/:prefix/rpki", "/api/announcements"],
    ...["/api/announcements/:prefix", "/api/announcement-report", "/admin/announcement-stop"],
    "/api/grant/announcements",
  ],
  PATCH: ["/api/measurements/:id", "/admin/users/:hash", "/admin/agents/:id"],
  DELETE: [
    ...["/api/experiments/:id", "/api/tokens/:token", "/api/measurements/:id/sharing"],
    ...[
      "/api/campaigns/:id",
      "/api/campaigns/:id/sharing",
      "/admin/users/:hash",
      "/admin/agents/:id",
      "/admin/agents/:id/keys/:key",
    ],
    ...["/admin/enrolment-keys/:key", "/admin/kill-switch", "/admin/blocklist/:prefix"],
    ...["/admin/measurements/:id/hidden", "/admin/campaigns/:id/hidden", "/api/user/prefix/:prefix"],
    ...[
      "/api/announcements",
      "/api/announcements/:prefix",
      "/admin/users/:hash/asn",
      "/admin/leases/:prefix",
    ],
    ...["/admin/announcement-stop", "/admin/service-keys/:name", "/api/grants/:id"],
  ],
};

function kindsOf(rows: Rows, kind: WorkKind): [route: string, kind: WorkKind][] {
  return Object.entries(rows).flatMap(([method, paths]) =>
    paths.map((path): [string, WorkKind] => [`${method} ${path}`, kind]),
  );
}

const table: ReadonlyMap<string, WorkKind> = new Map([
  ...kindsOf(small, "small"),
  ...kindsOf(derived, "derived"),
]);

/** `path` as routes are written: `/api/measurements/:id/status`. Null = it is missing. */
export function routeWork(method: string, path: string): WorkKind | null {
  const plain = path.replaceAll(/\{[^}]*\}/g, "");
  const rows = [plain, plain.replace(/[^/]+$/, "*"), plain.replace(/^(\/[^/]+)\/.*$/, "$1/**")];
  return rows.map((row) => table.get(`${method} ${row}`)).find((kind) => kind !== undefined) ?? null;
}

interface RouteName {
  readonly method: string;
  readonly path: string;
}

/** Throws an Error that names the routes without bounds. What is for every method is middleware. */
export function checkWork(routes: readonly RouteName[]): void {
  const missing = routes.filter(({ method, path }) => method !== "ALL" && routeWork(method, path) === null);
  if (missing.length > 0) {
    const names = [...new Set(missing.map(({ method, path }) => `${method} ${path}`))].join(", ");
    throw new Error(`Give these routes their bounds in lib/engines/http/route-work.ts: ${names}`);
  }
}
