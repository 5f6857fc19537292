/** `/admin/users`: find, limit and suspend users, release their ASN. */
import { Hono } from "hono";
import * as v from "valibot";
import { erasureAnswer } from "../../../../lib/base/api/erasure.ts";
import { userHash, wholeNumber } from "../../../../lib/base/api/fields.ts";
import { historyAnswer } from "../../../../lib/base/api/leases.ts";
import { peeringUserAnswer } from "../../../../lib/base/api/peering-admin.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { pageAnswer, pageQuery } from "../../../../lib/engines/http/page.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import { userSearchQuery } from "../../../../lib/engines/service/user-search.ts";
import { leaseHoursMax, leasesPerUserMax } from "../../../../lib/peering/lease/limits.ts";
import { leaseHistory } from "../leases/history.ts";
import { bodyBytesMax } from "../limits.ts";
import type { UserAdminServices } from "./admin-services.ts";
import { eraseUser, exportUser } from "./erasure.ts";
import { afterNumber, common, note } from "./fields.ts";
import {
  limitUser,
  listUsers,
  readUser,
  releaseAsn,
  resumeUser,
  suspendUser,
  type UserRow,
} from "./users.ts";

const path = pathInput(v.object({ hash: userHash }));
const search = queryInput(
  v.object({
    ...pageQuery,
    after: v.optional(userHash),
    ...userSearchQuery,
  }),
);
const page = queryInput(v.object({ ...pageQuery, after: afterNumber }));
const limits = jsonInput(
  v.strictObject({
    leases_max: v.optional(v.nullable(wholeNumber(0, leasesPerUserMax))),
    lease_hours_max: v.optional(v.nullable(wholeNumber(1, leaseHoursMax))),
    may_poison: v.optional(v.boolean()),
    may_blackhole: v.optional(v.boolean()),
  }),
  { bytesMax: bodyBytesMax },
);
const suspension = jsonInput(v.strictObject({ reason: note }), { bytesMax: bodyBytesMax });

const one = { ...common, ok: peeringUserAnswer, problems: [400, 404] } as const;
const changed = { ...one, problems: [400, 404, 415, 422] } as const;
const descriptions = {
  list: describe({
    ...common,
    summary: "List users",
    description:
      "`who` finds whoever may be meant by a text, `hash` users whose hash starts with it; `suspended` those that " +
      "are suspended, or not.",
    ok: v.array(peeringUserAnswer),
    problems: [400],
  }),
  show: describe({ ...one, summary: "Show a user" }),
  leases: describe({ ...one, summary: "All leases of a user, newest first", ok: historyAnswer }),
  limit: describe({
    ...changed,
    summary: "Change a user's limits",
    description:
      "Null = the gateway's default. Omitted members and live leases stay unchanged. `may_poison` lets the user put " +
      "others' ASNs into paths, `may_blackhole` have packets to single addresses discarded.",
  }),
  suspend: describe({
    ...changed,
    summary: "Suspend a user",
    description: "The user's prefixes leave the mappings at once; leases run on and can be used again.",
  }),
  resume: describe({ ...one, summary: "End a suspension" }),
  erase: describe({
    ...common,
    summary: "Erase a user, with leases and ASN",
    description: "Live leases end at once. The answer says what is left where.",
    ok: erasureAnswer,
    problems: [400, 404],
  }),
  export: describe({
    ...common,
    summary: "All that is kept about a user",
    ok: v.looseObject({
      user: v.looseObject({ subject: v.string() }),
      leases: v.array(v.looseObject({})),
      changes: v.array(v.looseObject({})),
    }),
    problems: [400, 404],
  }),
  asn: describe({
    ...one,
    summary: "Take a user's ASN back",
    problems: { 400: "No hash", 404: "No such user", 409: "`asn_in_use`: the user has live leases" },
  }),
};

export function userAdminRoutes(services: UserAdminServices): Hono<HttpEnv> {
  const { database, feed, tokens } = services;
  const named = (user: UserRow) => ({ ...user, name: tokens.names?.of(user.user_hash) ?? null });
  const app = new Hono<HttpEnv>();
  const done = (user: UserRow) => {
    feed.look();
    return user;
  };
  app.get("/admin/users", descriptions.list, search, async (c) => {
    const asked = c.req.valid("query");
    const { rows, total } = await listUsers(database, asked, tokens.names);
    return pageAnswer(
      c,
      { rows: rows.map(named), total },
      { limit: asked.limit, idOf: ({ user_hash }) => user_hash },
    );
  });
  app.get("/admin/users/:hash", descriptions.show, path, async (c) =>
    c.json(named(await readUser(database.sql, c.req.valid("param").hash))),
  );
  app.get("/admin/users/:hash/leases", descriptions.leases, path, page, async (c) => {
    const order = c.req.valid("query");
    const rows = await leaseHistory(services, c.req.valid("param").hash, order);
    return pageAnswer(c, rows, { limit: order.limit, idOf: ({ lease_id }) => String(lease_id) });
  });
  app.patch("/admin/users/:hash", descriptions.limit, path, limits, async (c) =>
    c.json(done(await limitUser(database, operatorOf(c), c.req.valid("param").hash, c.req.valid("json")))),
  );
  app.post("/admin/users/:hash/suspend", descriptions.suspend, path, suspension, async (c) =>
    c.json(
      done(await suspendUser(database, operatorOf(c), c.req.valid("param").hash, c.req.valid("json").reason)),
    ),
  );
  app.post("/admin/users/:hash/resume", descriptions.resume, path, async (c) =>
    c.json(done(await resumeUser(database, operatorOf(c), c.req.valid("param").hash))),
  );
  app.delete("/admin/users/:hash", descriptions.erase, path, async (c) => {
    const erased = await eraseUser(services, operatorOf(c), c.req.valid("param").hash);
    feed.look();
    return c.json(erased);
  });
  app.get("/admin/users/:hash/export", descriptions.export, path, async (c) =>
    c.json(await exportUser(services, c.req.valid("param").hash)),
  );
  app.delete("/admin/users/:hash/asn", descriptions.asn, path, async (c) =>
    c.json(done(await releaseAsn(database, operatorOf(c), c.req.valid("param").hash))),
  );
  return app;
}
