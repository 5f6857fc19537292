/** `/admin/leases`: what users may announce now, and the end of it. */

import { Hono } from "hono";
import * as v from "valibot";
import { liveLeaseAnswer } from "../../../../lib/base/api/peering-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../../lib/engines/http/input.ts";
import { pageAnswer, pageQuery } from "../../../../lib/engines/http/page.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import { closeLease } from "../leases/release.ts";
import { prefixParam } from "../leases/schemas.ts";
import { noLease } from "../no-lease.ts";
import type { UserAdminServices } from "./admin-services.ts";
import { afterNumber, common } from "./fields.ts";

type LiveLease = StoredAnswer<typeof liveLeaseAnswer>;

const descriptions = {
  list: describe({
    ...common,
    summary: "The live leases of all users: what they may announce now",
    ok: v.array(liveLeaseAnswer),
    problems: [400, 403],
  }),
  revoke: describe({
    ...common,
    summary: "End the lease of any user",
    ok: [{ status: 204, description: "Done" }],
    problems: [400, 403, 404],
  }),
};
const leaseQuery = queryInput(v.object({ ...pageQuery, after: afterNumber }));

export function leaseAdminRoutes(services: UserAdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/admin/leases", descriptions.list, leaseQuery, async (c) => {
    const page = c.req.valid("query");
    const rows = await liveLeases(services, page);
    return pageAnswer(c, rows, { limit: page.limit, idOf: ({ lease_id }) => String(lease_id) });
  });
  app.delete("/admin/leases/:prefix", descriptions.revoke, async (c) => {
    await revokeLease(services, operatorOf(c), prefixParam(c.req.param("prefix")));
    services.feed.look();
    return c.body(null, 204);
  });
  return app;
}

/** In order of their start. */
function liveLeases(
  { database, rpki }: UserAdminServices,
  page: PageOrder<number>,
): Promise<ListPage<LiveLease>> {
  const { sql } = database;
  return readPage(
    database,
    "admin_leases",
    page,
    (limit, after = 0) => sql<LiveLease[]>`
      SELECT lease_id, prefix, user_hash, asn, suspended_at IS NOT NULL AS suspended, start_time, end_time,
        (rpki_enabled OR ${rpki.isAlwaysOn}) AS rpki_enabled
      FROM leases JOIN users USING (user_hash)
      WHERE lease_id > ${after} AND closed_at IS NULL AND end_time > (SELECT vantage_now())
      ORDER BY lease_id LIMIT ${limit}`,
  );
}

/** Throws Problem 404. */
async function revokeLease(services: UserAdminServices, by: string, prefix: string): Promise<void> {
  const { sql } = services.database;
  const [live] = await sql<{ user_hash: string }[]>`
    SELECT user_hash FROM leases
    WHERE prefix = ${prefix} AND closed_at IS NULL AND end_time > (SELECT vantage_now())`;
  if (live === undefined) {
    throw noLease("There is no live lease of this prefix");
  }
  await closeLease(services, { userHash: live.user_hash, prefix, as: "revoked", actor: by });
}
