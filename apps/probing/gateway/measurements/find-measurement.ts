/** Looks up a user's measurement; another user's gets the same response as one that does not exist. */
import type { Context } from "hono";
import * as v from "valibot";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { Owned } from "../../../../lib/engines/http/owned.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { userOf } from "../../../../lib/engines/http/require-user.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { heldByHost } from "../agent-state.ts";
import {
  type MeasurementRow,
  measurementColumns,
  measurementParts,
  type PartRow,
  partStatus,
} from "./measurement-view.ts";

const uuid = v.pipe(v.string(), v.uuid());

/** The id in canonical form. Throws Problem 400. */
export function measurementIdOf(text: string): string {
  const result = v.safeParse(uuid, text);
  if (!result.success) {
    throw problem(400, "invalid_measurement_id", "Invalid measurement ID format");
  }
  return result.output.toLowerCase();
}

/** A measurement named by the caller. Throws Problem: 400, and 403 for a token restricted to another one. */
export function ownMeasurement(c: Context<HttpEnv>, id: string): Promise<Owned> {
  return Owned.by(userOf(c), { kind: "measurement", id: measurementIdOf(id) });
}

export function unknownMeasurement(): Problem {
  return problem(404, "measurement_not_found", "Measurement not found");
}

/** A consistent snapshot of the measurement and its parts by agent: the sums match. Throws Problem 404. */
export async function findMeasurement(
  { sql, timed }: Database,
  { userHash, id: measurementId }: Owned,
): Promise<{ readonly row: MeasurementRow; readonly parts: readonly PartRow[] }> {
  const [[row], parts] = await timed("measurement_find", () =>
    sql.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY", (tx) =>
      Promise.all([
        tx<MeasurementRow[]>`
          SELECT ${measurementColumns(tx)} FROM measurements AS whole, ${measurementParts(tx)}
          WHERE whole.measurement_id = ${measurementId} AND user_hash = ${userHash} AND part_of IS NULL`,
        tx<PartRow[]>`
          SELECT agent_id, expected_probes, sent_probes, received_replies, failed_probes, held_probes,
            credited_probes, error, part.updated_at, ${partStatus(tx)} AS status,
            CASE WHEN part.status IN ('queued', 'running') THEN ${heldByHost(tx)} END AS held_by_host
          FROM measurement_agents AS part JOIN measurements AS whole USING (measurement_id) JOIN agents USING (agent_id)
          WHERE measurement_id = ${measurementId} AND whole.user_hash = ${userHash} ORDER BY agent_id`,
      ]),
    ),
  );
  if (row === undefined) {
    throw unknownMeasurement();
  }
  return { row, parts };
}
