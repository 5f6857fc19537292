/** `/admin/kill-switch` and `/admin/blocklist`: stop probing, everywhere or to a destination. */
import { Hono } from "hono";
import * as v from "valibot";
import { blockedAnswer, killAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { pageAnswer } from "../../../../lib/engines/http/page.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import { writeAudit } from "../audit.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { AdminServices } from "./admin-services.ts";
import { block, listBlocked, unblock } from "./blocked-prefixes.ts";
import { note, prefixText } from "./fields.ts";
import { pageQuery } from "./page.ts";

const limit = { bytesMax: jsonBytesMax };
const killBody = jsonInput(v.strictObject({ reason: note }), limit);
const blockBody = jsonInput(v.strictObject({ prefix: prefixText, reason: note }), limit);
const path = pathInput(v.object({ prefix: prefixText }));
const blockedQuery = queryInput(v.object({ ...pageQuery, after: v.optional(prefixText) }));

const common = { tags: ["admin"], auth: "admin" } as const;
const descriptions = {
  show: describe({
    ...common,
    summary: "Whether probing is stopped",
    ok: killAnswer,
    problems: [403],
  }),
  kill: describe({
    ...common,
    summary: "Stop all probing of all agents",
    description: "Within 2 s; submissions get 503 with the reason. Queued probes are sent once it is lifted.",
    ok: killAnswer,
    problems: [403, ...bodyProblems],
  }),
  lift: describe({
    ...common,
    summary: "Resume probing",
    ok: killAnswer,
    problems: [403],
  }),
  list: describe({
    ...common,
    summary: "List the destinations that admins have blocked",
    ok: v.array(blockedAnswer),
    problems: [400, 403],
  }),
  block: describe({
    ...common,
    summary: "Block a destination",
    description: "New submissions to it are refused, and agents send nothing more to it, within 2 s.",
    ok: [{ status: 201, description: "Blocked", schema: blockedAnswer }],
    problems: [403, ...bodyProblems],
  }),
  unblock: describe({
    ...common,
    summary: "Allow a destination again",
    description: "The prefix is percent-encoded: `192.0.2.0%2F24`.",
    ok: [{ status: 204, description: "Allowed" }],
    problems: [400, 403, 404],
  }),
};

export function safetyAdminRoutes({ database, safety }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/admin/kill-switch", descriptions.show, async (c) => c.json(await readKillSwitch(database)));
  app.put("/admin/kill-switch", descriptions.kill, killBody, async (c) =>
    c.json(await setKillSwitch(database, operatorOf(c), c.req.valid("json").reason)),
  );
  app.delete("/admin/kill-switch", descriptions.lift, async (c) =>
    c.json(await setKillSwitch(database, operatorOf(c), null)),
  );
  app.get("/admin/blocklist", descriptions.list, blockedQuery, async (c) => {
    const page = c.req.valid("query");
    return pageAnswer(c, await listBlocked(database, page), {
      limit: page.limit,
      idOf: ({ prefix }) => prefix,
    });
  });
  app.post("/admin/blocklist", descriptions.block, blockBody, async (c) => {
    const { prefix, reason } = c.req.valid("json");
    const row = await block(database, operatorOf(c), prefix, reason);
    safety.destinationsChanged();
    return c.json(row, 201);
  });
  app.delete("/admin/blocklist/:prefix", descriptions.unblock, path, async (c) => {
    await unblock(database, operatorOf(c), c.req.valid("param").prefix);
    safety.destinationsChanged();
    return c.body(null, 204);
  });
  return app;
}

type KillSwitch = StoredAnswer<typeof killAnswer>;

async function readKillSwitch({ sql, timed }: Database): Promise<KillSwitch> {
  const rows = await timed(
    "kill_switch",
    () => sql<KillSwitch[]>`SELECT killed_at, killed_reason FROM platform`,
  );
  return rowOf(rows);
}

/** Agents receive it with their next report, within a second. `reason` null = resume probing. */
async function setKillSwitch(database: Database, by: string, reason: string | null): Promise<KillSwitch> {
  await database.timed("kill_switch_change", () =>
    database.sql.begin(async (tx) => {
      await tx`
        UPDATE platform SET killed_reason = ${reason},
          killed_at = CASE WHEN ${reason}::text IS NOT NULL THEN coalesce(killed_at, now()) END`;
      const action = reason === null ? "platform.resume" : "platform.kill";
      await writeAudit(tx, { actor: by, action, subject: "platform", details: { reason } });
    }),
  );
  return readKillSwitch(database);
}
