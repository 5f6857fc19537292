/** `/admin/enrolment-keys`. */
import { Hono } from "hono";
import * as v from "valibot";
import { wholeNumber } from "../../../../lib/base/api/fields.ts";
import { enrolmentKeyAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { pageAnswer } from "../../../../lib/engines/http/page.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { AdminServices } from "./admin-services.ts";
import { createEnrolmentKey, listEnrolmentKeys, revokeEnrolmentKey } from "./enrolment-keys.ts";
import { grantedPrefixes, note, placeFields, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

const newSchema = v.strictObject({
  label: note,
  uses: v.optional(wholeNumber(1, 1_000_000), 1),
  expires_at: v.optional(v.nullable(timestamp), null),
  granted_prefixes: v.optional(grantedPrefixes, []),
  ...placeFields,
});
const newBody = jsonInput(newSchema, { bytesMax: jsonBytesMax });
const path = pathInput(
  v.object({ key: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, "must be 16 hex digits")) }),
);

const common = { tags: ["admin"], auth: "admin" } as const;
const descriptions = {
  list: describe({
    ...common,
    summary: "List enrolment keys",
    ok: v.array(enrolmentKeyAnswer),
    problems: [400, 403],
  }),
  create: describe({
    ...common,
    summary: "Make an enrolment key",
    description:
      "The key is shown in this answer only. `uses` = agents that it lets in; they may send from " +
      "`granted_prefixes`, and have its `location`, `country`, `asn` and `tags`.",
    ok: [
      {
        status: 201,
        description: "Made",
        schema: v.object({ ...enrolmentKeyAnswer.entries, enrolment_key: v.string() }),
      },
    ],
    problems: [403, ...bodyProblems],
  }),
  revoke: describe({
    ...common,
    summary: "Revoke an enrolment key",
    ok: [{ status: 204, description: "Revoked" }],
    problems: [400, 403, 404],
  }),
};

export function enrolmentRoutes({ database }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/admin/enrolment-keys", descriptions.list, queryInput(v.object(pageQuery)), async (c) => {
    const page = c.req.valid("query");
    const rows = await listEnrolmentKeys(database, page);
    return pageAnswer(c, rows, { limit: page.limit, idOf: ({ key_id }) => key_id });
  });
  app.post("/admin/enrolment-keys", descriptions.create, newBody, async (c) => {
    const { label, uses, expires_at, granted_prefixes, ...place } = c.req.valid("json");
    const expiresAt = expires_at === null ? null : new Date(expires_at);
    return c.json(
      await createEnrolmentKey(database, operatorOf(c), {
        label,
        uses,
        expiresAt,
        grantedPrefixes: granted_prefixes,
        place,
      }),
      201,
    );
  });
  app.delete("/admin/enrolment-keys/:key", descriptions.revoke, path, async (c) => {
    await revokeEnrolmentKey(database, operatorOf(c), c.req.valid("param").key);
    return c.body(null, 204);
  });
  return app;
}
