/** The admin API: users, leases, pools, service keys, and the audit log. */
import { Hono } from "hono";
import * as v from "valibot";
import { userHash } from "../../../../lib/base/api/fields.ts";
import {
  newServiceKeyAnswer,
  peeringAuditAnswer,
  serviceKeyAnswer,
} from "../../../../lib/base/api/peering-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { pageAnswer, pageQuery } from "../../../../lib/engines/http/page.ts";
import { operatorOf, requireOperator } from "../../../../lib/engines/http/require-operator.ts";
import { type ListPage, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { bodyBytesMax } from "../limits.ts";
import type { ServiceKeys } from "../service/service-keys.ts";
import type { UserAdminServices } from "./admin-services.ts";
import { afterNumber, common, note } from "./fields.ts";
import { leaseAdminRoutes } from "./lease-routes.ts";
import { readPools } from "./pools.ts";
import { stopRoutes } from "./stop-routes.ts";
import { userAdminRoutes } from "./user-routes.ts";

const poolsSchema = v.object({
  asns: v.object({ total: v.number(), assigned: v.number(), free: v.number() }),
  prefixes: v.object({
    total: v.number(),
    leased: v.number(),
    cooling_down: v.number(),
    free: v.number(),
  }),
});

const gone = [{ status: 204, description: "Done" }];

const descriptions = {
  pools: describe({ ...common, summary: "Usage of the pools", ok: poolsSchema }),
  audit: describe({
    ...common,
    summary: "All changes, newest first",
    description:
      "`user` finds what concerns one user; `actor` is exact: `admin`, `operator:HASH`, `user:HASH`, `gateway`.",
    ok: v.array(peeringAuditAnswer),
    problems: [400],
  }),
  keys: describe({
    ...common,
    summary: "Keys of the service API, without the keys",
    ok: v.array(serviceKeyAnswer),
  }),
  addKey: describe({
    ...common,
    summary: "Make a key of the service API",
    description: "It is shown this once.",
    ok: [{ status: 201, description: "Made", schema: newServiceKeyAnswer }],
    problems: [400, 409, 415, 422],
  }),
  revokeKey: describe({
    ...common,
    summary: "Revoke a key of the service API",
    ok: gone,
    problems: [400, 404],
  }),
};

const auditQuery = queryInput(
  v.object({
    ...pageQuery,
    after: afterNumber,
    user: v.optional(userHash),
    actor: v.optional(plainText(255)),
  }),
);
const keyPath = pathInput(v.object({ name: note }));
const keyBody = jsonInput(v.strictObject({ name: note }), { bytesMax: bodyBytesMax });

interface AdminServices extends UserAdminServices {
  /** In plain; compare hashes (lib/engines/auth/secret-key.ts). */
  readonly adminKey: string;
  readonly serviceKeys: ServiceKeys;
}

export function adminRoutes(services: AdminServices): Hono<HttpEnv> {
  const { adminKey, database, metrics, serviceKeys, tokens } = services;
  const app = new Hono<HttpEnv>();
  app.use("/admin/*", requireOperator({ metrics: metrics.http, adminKey, tokens }));
  app.route("/", userAdminRoutes(services));
  app.get("/admin/pools", descriptions.pools, async (c) => c.json(await readPools(database)));
  app.get("/admin/audit", descriptions.audit, auditQuery, async (c) => {
    const search = c.req.valid("query");
    const rows = await readAudit(database, search);
    return pageAnswer(c, rows, { limit: search.limit, idOf: ({ number }) => String(number) });
  });
  app.route("/", leaseAdminRoutes(services));
  app.route("/", stopRoutes(services));
  app.get("/admin/service-keys", descriptions.keys, async (c) => c.json(await serviceKeys.list()));
  app.post("/admin/service-keys", descriptions.addKey, keyBody, async (c) =>
    c.json(await serviceKeys.add(operatorOf(c), c.req.valid("json").name), 201),
  );
  app.delete("/admin/service-keys/:name", descriptions.revokeKey, keyPath, async (c) => {
    await serviceKeys.revoke(operatorOf(c), c.req.valid("param").name);
    return c.body(null, 204);
  });
  return app;
}

type AuditRow = StoredAnswer<typeof peeringAuditAnswer>;

interface AuditSearch {
  readonly limit: number;
  /** Number of the last one seen. */
  readonly after?: number | undefined;
  readonly user?: string | undefined;
  readonly actor?: string | undefined;
}

/** Changes, newest first. */
function readAudit(database: Database, search: AuditSearch): Promise<ListPage<AuditRow>> {
  const { sql } = database;
  const { user, actor } = search;
  return readPage(
    database,
    "admin_audit",
    search,
    (limit, after = Number.MAX_SAFE_INTEGER) => sql<AuditRow[]>`
      SELECT change_number AS number, at, actor, action, user_hash, prefix, details FROM changes
      WHERE change_number < ${after} ${user === undefined ? sql`` : sql`AND user_hash = ${user}`}
        ${actor === undefined ? sql`` : sql`AND actor = ${actor}`}
      ORDER BY change_number DESC LIMIT ${limit}`,
  );
}
