/** `/admin/users`: finds, limits and suspends users. */
import { Hono } from "hono";
import * as v from "valibot";
import { userHash, wholeNumber } from "../../../../lib/base/api/fields.ts";
import { probingUserAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { pageAnswer } from "../../../../lib/engines/http/page.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import { userSearchQuery } from "../../../../lib/engines/service/user-search.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { AdminServices } from "./admin-services.ts";
import { note } from "./fields.ts";
import { pageQuery } from "./page.ts";
import { limitUser, listUsers, readUser, resumeUser, suspendUser, type UserRow } from "./users.ts";

const querySchema = v.object({
  ...pageQuery,
  ...userSearchQuery,
});
const path = pathInput(v.object({ hash: userHash }));
const limits = v.strictObject({
  probes_per_day_max: v.optional(v.nullable(wholeNumber(0, 2 ** 50))),
  rate_probes_per_sec_max: v.optional(v.nullable(wholeNumber(1, 2 ** 31 - 1))),
  may_record_packets: v.optional(v.boolean()),
});
const limitsBody = jsonInput(limits, { bytesMax: jsonBytesMax });
const suspensionBody = jsonInput(v.strictObject({ reason: note }), { bytesMax: jsonBytesMax });

const common = { tags: ["admin"], auth: "admin", ok: probingUserAnswer, problems: [400, 403, 404] } as const;
const descriptions = {
  list: describe({
    ...common,
    summary: "List users",
    description:
      "`who` finds whoever may be meant by a text, `hash` users whose hash starts with it; `suspended` those that " +
      "are suspended, or not.",
    ok: v.array(probingUserAnswer),
    problems: [400, 403],
  }),
  show: describe({ ...common, summary: "Show a user" }),
  limit: describe({
    ...common,
    summary: "Change a user's limits",
    description: "Null = the gateway's default. Omitted members stay unchanged.",
    problems: [403, 404, ...bodyProblems],
  }),
  suspend: describe({
    ...common,
    summary: "Suspend a user",
    description: "Submissions get 403 `user_suspended` with the reason; running measurements continue.",
    problems: [403, 404, ...bodyProblems],
  }),
  resume: describe({ ...common, summary: "Let a user submit again" }),
};

export function userAdminRoutes({ database, tokens }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const named = (user: UserRow) => ({ ...user, name: tokens.names?.of(user.user_hash) ?? null });
  app.get("/admin/users", descriptions.list, queryInput(querySchema), async (c) => {
    const search = c.req.valid("query");
    const { rows, total } = await listUsers(database, search, tokens.names);
    return pageAnswer(
      c,
      { rows: rows.map(named), total },
      { limit: search.limit, idOf: ({ user_hash }) => user_hash },
    );
  });
  app.get("/admin/users/:hash", descriptions.show, path, async (c) =>
    c.json(named(await readUser(database.sql, c.req.valid("param").hash))),
  );
  app.patch("/admin/users/:hash", descriptions.limit, path, limitsBody, async (c) =>
    c.json(await limitUser(database, operatorOf(c), c.req.valid("param").hash, c.req.valid("json"))),
  );
  app.post("/admin/users/:hash/suspend", descriptions.suspend, path, suspensionBody, async (c) =>
    c.json(await suspendUser(database, operatorOf(c), c.req.valid("param").hash, c.req.valid("json").reason)),
  );
  app.post("/admin/users/:hash/resume", descriptions.resume, path, async (c) =>
    c.json(await resumeUser(database, operatorOf(c), c.req.valid("param").hash)),
  );
  return app;
}
