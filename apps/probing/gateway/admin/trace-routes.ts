/** `/admin/trace/ID`: what happened to a measurement, or to a request, from what is stored. */
import { Hono } from "hono";
import * as v from "valibot";
import { traceAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { countProbes, countReplies } from "../../../../lib/engines/store/clickhouse/count-rows.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { wholeStatus } from "../../../../lib/measuring/probing/lifecycle.ts";
import { isRequestId } from "../../../../lib/net/wire/target-header.ts";
import { heldByHost } from "../agent-state.ts";
import { tracedChangesMax, tracedMeasurementsMax } from "../limits.ts";
import { partStatus } from "../measurements/measurement-view.ts";
import type { AdminServices } from "./admin-services.ts";

type Answer = StoredAnswer<typeof traceAnswer>;
type Traced = Answer["measurements"][number];
type Refusal = Answer["refusals"][number];
type Stored = Pick<Traced, "stored_probes" | "stored_replies" | "store_trouble">;
type Row = Omit<Traced, keyof Stored | "status">;

const uuid = v.pipe(v.string(), v.uuid());

const description = describe({
  tags: ["admin"],
  auth: "admin",
  summary: "What happened to a measurement",
  description:
    "By the measurement's id, or the `request_id` of its submission. Refused submissions of users with a valid login " +
    "are there, too, from a second after the response on, for a week: of each user the latest 200.",
  ok: traceAnswer,
  problems: [400, 403, 404],
});

export function traceRoutes({ database, store }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/admin/trace/:id", description, async (c) => {
    const id = c.req.param("id");
    if (!isRequestId(id)) {
      throw problem(
        400,
        "invalid_id",
        "Give a measurement's id, or a request's: 8 to 64 letters, digits, _ . -",
      );
    }
    const [rows, refusals] = await Promise.all([findTraced(database, id), findRefusals(database, id)]);
    if (rows.length + refusals.length === 0) {
      const text =
        "No measurement has this id, and no request with it was accepted, or refused in the last week";
      throw problem(404, "unknown_trace", `${text}: see the gateway's log`);
    }
    const traced: Traced[] = [];
    for (const row of rows) {
      const status = wholeStatus(row.agents.map((part) => part.status));
      traced.push({ ...row, status, ...(await storedOf(store, row.measurement_id)) });
    }
    return c.json({ measurements: traced, refusals });
  });
  return app;
}

function findRefusals({ sql, timed }: Database, id: string): Promise<Refusal[]> {
  return timed(
    "admin_trace_refusals",
    () => sql<Refusal[]>`
      SELECT request_id, user_hash, gateway_id, made_by, refused_at, status, code, reason, added_to
      FROM refused_submissions WHERE request_id = ${id} OR added_to = ${id}
      ORDER BY refused_at DESC, refusal_id DESC LIMIT ${tracedMeasurementsMax}`,
  );
}

function findTraced({ sql, timed }: Database, id: string): Promise<Row[]> {
  const byId = v.is(uuid, id) ? sql`OR measurement_id = ${id}` : sql``;
  return timed(
    "admin_trace",
    () => sql<Row[]>`
      WITH found AS (
        SELECT DISTINCT coalesce(part_of, measurement_id) AS measurement_id FROM measurements
        WHERE answer->>'request_id' = ${id} ${byId}
      )
      SELECT whole.measurement_id, whole.answer->>'request_id' AS request_id, whole.user_hash, whole.gateway_id,
        whole.made_by, whole.probes, whole.published_probes, whole.started_at, whole.published_at, whole.ended_at,
        whole.not_after, coalesce(whole.answer->'rejected', '[]') AS rejected, (
          SELECT jsonb_agg(jsonb_build_object(
            'agent_id', agent_id, 'status', ${partStatus(sql)}, 'expected_probes', expected_probes,
            'sent_probes', sent_probes, 'received_replies', received_replies, 'failed_probes', failed_probes,
            'held_probes', held_probes, 'credited_probes', credited_probes, 'error', error,
            'held_by_host', CASE WHEN part.status IN ('queued', 'running') THEN ${heldByHost(sql)} END,
            'updated_at', part.updated_at) ORDER BY agent_id)
          FROM measurement_agents AS part JOIN agents USING (agent_id)
          WHERE part.measurement_id = whole.measurement_id
        ) AS agents, (
          SELECT coalesce(jsonb_agg(jsonb_build_object('request_id', answer->>'request_id', 'probes', probes,
            'started_at', started_at) ORDER BY started_at), '[]')
          FROM measurements AS piece WHERE piece.part_of = whole.measurement_id
        ) AS additions, (
          SELECT coalesce(jsonb_agg(to_jsonb(change) ORDER BY audit_id), '[]') FROM (
            SELECT audit_id, at, actor, action, subject, details FROM audit
            WHERE subject = 'measurement:' || whole.measurement_id
              OR at BETWEEN whole.started_at AND coalesce(whole.ended_at, now()) AND subject = ANY(
                ARRAY['platform', 'user:' || whole.user_hash] || ARRAY(
                  SELECT 'agent:' || agent_id FROM measurement_agents AS part
                  WHERE part.measurement_id = whole.measurement_id))
            ORDER BY audit_id LIMIT ${tracedChangesMax}
          ) AS change
        ) AS changes
      FROM found JOIN measurements AS whole USING (measurement_id)
      ORDER BY whole.started_at DESC LIMIT ${tracedMeasurementsMax}`,
  );
}

/** A store that does not respond is part of the answer. */
async function storedOf(store: AdminServices["store"], measurementId: string): Promise<Stored> {
  try {
    return await store.ask(async (open) => ({
      stored_probes: await countProbes(open, { measurementId }),
      stored_replies: await countReplies(open, { measurementId }),
      store_trouble: null,
    }));
  } catch (error) {
    if (isFailure(error, "store")) {
      return { stored_probes: null, stored_replies: null, store_trouble: error.message };
    }
    throw error;
  }
}
