/** `/admin/…/hidden`: operators hide what a user shares, and show it again. */
import { Hono } from "hono";
import * as v from "valibot";
import { sharingAnswer } from "../../../../lib/base/api/sharing.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import type { ObjectName } from "../../../../lib/engines/http/owned.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import { writeAudit } from "../audit.ts";
import { bodyProblems } from "../problem-statuses.ts";
import { hide } from "../sharing/shares.ts";
import type { AdminServices } from "./admin-services.ts";
import { note } from "./fields.ts";

const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be an id"), v.toLowerCase()) }));
const reasonBody = jsonInput(v.strictObject({ reason: note }), { bytesMax: jsonBytesMax });
const common = { tags: ["admin"], auth: "admin", ok: sharingAnswer } as const;

export function sharingAdminRoutes({ database }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const set = (shared: ObjectName, actor: string, reason: string | null) =>
    database.timed("share_hide", () =>
      database.sql.begin(async (tx) => {
        const sharing = await hide(tx, { ...shared, because: reason });
        const action = reason === null ? "share.show" : "share.hide";
        await writeAudit(tx, { actor, action, subject: `${shared.kind}:${shared.id}`, details: { reason } });
        return sharing;
      }),
    );
  for (const kind of ["measurement", "campaign"] as const) {
    const route = `/admin/${kind}s/:id/hidden`;
    const hideOne = describe({
      ...common,
      summary: `Hide a ${kind} of any user`,
      description: "From all but its user, who sees the reason; caches forget it within a minute.",
      problems: [403, 404, ...bodyProblems],
    });
    const showOne = describe({ ...common, summary: `Hide a ${kind} no longer`, problems: [400, 403, 404] });
    app.put(route, hideOne, path, reasonBody, async (c) =>
      c.json(await set({ kind, id: c.req.valid("param").id }, operatorOf(c), c.req.valid("json").reason)),
    );
    app.delete(route, showOne, path, async (c) =>
      c.json(await set({ kind, id: c.req.valid("param").id }, operatorOf(c), null)),
    );
  }
  return app;
}
