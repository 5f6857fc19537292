/** `/admin/audit`: the audit log, newest first. */
import { Hono } from "hono";
import * as v from "valibot";
import { digits } from "../../../../lib/base/api/fields.ts";
import { probingAuditAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../../lib/engines/http/input.ts";
import { pageAnswer } from "../../../../lib/engines/http/page.ts";
import { type ListPage, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import type { AdminServices } from "./admin-services.ts";
import { pageQuery } from "./page.ts";

type AuditRow = StoredAnswer<typeof probingAuditAnswer>;

const querySchema = v.object({
  ...pageQuery,
  after: v.optional(digits(15, "must be an audit_id")),
  subject: v.optional(plainText(255)),
  actor: v.optional(plainText(255)),
});
type Search = v.InferOutput<typeof querySchema>;

const description = describe({
  tags: ["admin"],
  auth: "admin",
  summary: "List changes, newest first",
  description:
    "`subject` and `actor` are exact: `agent:west`, `user:HASH`, `prefix:192.0.2.0/24`, `platform`, `admin`.",
  ok: v.array(probingAuditAnswer),
  problems: [400, 403],
});

export function auditRoutes({ database }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/admin/audit", description, queryInput(querySchema), async (c) => {
    const search = c.req.valid("query");
    const rows = await listAudit(database, search);
    return pageAnswer(c, rows, { limit: search.limit, idOf: ({ audit_id }) => String(audit_id) });
  });
  return app;
}

function listAudit(database: Database, search: Search): Promise<ListPage<AuditRow>> {
  const { sql } = database;
  const { subject, actor } = search;
  return readPage(
    database,
    "admin_audit",
    search,
    (limit, after) => sql<AuditRow[]>`
      SELECT audit_id, at, actor, action, subject, details FROM audit
      WHERE true
        ${after === undefined ? sql`` : sql`AND audit_id < ${after}`}
        ${subject === undefined ? sql`` : sql`AND subject = ${subject}`}
        ${actor === undefined ? sql`` : sql`AND actor = ${actor}`}
      ORDER BY audit_id DESC LIMIT ${limit}`,
  );
}
