/**
 * Adds probes to an open measurement: charges them to the measurement's own day and adds them to its agents' parts, or
 * does nothing. They continue the measurement's list of probes, so agents see one measurement that is published slowly.
 */

import type { Sql, TransactionSql } from "postgres";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import { addBuckets, bucketSetBytes } from "../../../../lib/measuring/probing/bucket-set.ts";
import { joined, type ProbeSummary } from "../../../../lib/measuring/probing/measurement-title.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import type { ProbeShape } from "../../../../lib/net/packet/probe.ts";
import { shapeOfJson } from "../../../../lib/net/wire/probe-shape.ts";
import { dayBytesOfProbe } from "../limits.ts";
import { unknownMeasurement } from "../measurements/find-measurement.ts";
import { openUntil } from "../measurements/keep-open.ts";
import { type Accepted, type AcceptOrder, parts, tokenCharge } from "./acceptance.ts";

export interface OpenMeasurement {
  readonly id: string;
  /** Targets whose agents still take part. */
  readonly targets: readonly Target[];
  /** As stored with the measurement: see lib/measuring/probing/bucket-set.ts. */
  readonly destinations: Uint8Array | null;
  /** What its probes look like; those that are added may have another size. */
  readonly shape: ProbeShape;
}

interface OpenRow {
  readonly is_open: boolean;
  readonly shape: unknown;
  readonly destinations: Uint8Array | null;
  readonly targets: readonly { readonly agent: string; readonly source: string | null }[] | null;
}

/** Throws Problem: 404 for another user's, 409 for one that accepts no more probes. */
export async function findOpen({ sql, timed }: Database, { userHash, id }: Owned): Promise<OpenMeasurement> {
  const [row] = await timed(
    "measurement_open",
    () => sql<OpenRow[]>`
      SELECT open_until IS NOT NULL AND ended_at IS NULL AS is_open, destinations, answer->'shape' AS shape, (
        SELECT jsonb_agg(jsonb_build_object('agent', agent_id, 'source', host(source_address))
          ORDER BY agent_id, source_address)
        FROM measurement_targets AS target JOIN measurement_agents AS part USING (measurement_id, agent_id)
        WHERE target.measurement_id = whole.measurement_id AND part.status IN ('queued', 'running')
      ) AS targets
      FROM measurements AS whole
      WHERE measurement_id = ${id} AND user_hash = ${userHash} AND part_of IS NULL`,
  );
  if (row === undefined) {
    throw unknownMeasurement();
  }
  if (!row.is_open || row.targets === null) {
    throw closed();
  }
  const targets = row.targets.map(({ agent, source }) => ({
    agent,
    source: source === null ? null : parseAddress(source),
  }));
  return { id, targets, destinations: row.destinations, shape: shapeOfJson(row.shape ?? {}) ?? {} };
}

/** Throws Problem 422 for probes to other networks: agents' limits per destination were computed at the start. */
export function checkDestinations({ destinations }: OpenMeasurement, added: Uint8Array): void {
  const known = new Uint8Array(bucketSetBytes);
  const both = new Uint8Array(bucketSetBytes);
  addBuckets(known, destinations);
  addBuckets(both, destinations);
  addBuckets(both, added);
  if (both.some((byte, at) => byte !== known[at])) {
    throw new Problem({
      status: 422,
      code: "other_destinations",
      message:
        "An open measurement takes more probes to the networks of its first ones only: " +
        "submit the others as a measurement of their own",
    });
  }
}

function closed(): Problem {
  return problem(
    409,
    "measurement_closed",
    "This measurement takes no more probes: submit them as a measurement of their own",
  );
}

/** Null = the day's quota is used up, the user may not measure, or the measurement has ended. */
export function addProbes(sql: Sql, order: AcceptOrder, whole: string): Promise<Accepted | null> {
  return sql.begin(async (tx) => {
    // In the lock order of erasing a user: user, measurement, day.
    await tx`SELECT FROM users WHERE user_hash = ${order.userHash} FOR KEY SHARE`;
    // Before the sum of its probes is read: else two concurrent additions would start at the same probe.
    await tx`SELECT FROM measurements WHERE measurement_id = ${whole} FOR UPDATE`;
    return await add(tx, order, whole);
  });
}

async function add(tx: TransactionSql, order: AcceptOrder, whole: string): Promise<Accepted | null> {
  const { id, userHash, probes, targets, bytes, day, summary } = order;
  const [before] = await tx<{ summary: ProbeSummary | null }[]>`
    SELECT summary FROM measurements WHERE measurement_id = ${whole}`;
  const amount = probes * targets.length;
  const [made] = await tx<{ not_after: Date; first_probe: number }[]>`
    WITH own AS (
      SELECT probes_max, greatest(${day.submissionBytesPerDay}, ${dayBytesOfProbe} * probes_max) AS bytes_max
      FROM users, LATERAL (SELECT coalesce(probes_per_day_max, ${day.probesPerDay})::bigint) AS limits (probes_max)
      WHERE user_hash = ${userHash} AND suspended_at IS NULL
    ), whole AS (
      SELECT measurement_id, day, not_after, (
        SELECT sum(probes)::bigint FROM measurements AS piece
        WHERE piece.measurement_id = whole.measurement_id OR piece.part_of = whole.measurement_id) AS first_probe
      FROM measurements AS whole
      WHERE measurement_id = ${whole} AND user_hash = ${userHash} AND open_until IS NOT NULL AND ended_at IS NULL
    ), charged AS (
      UPDATE quota_days AS quota
      SET charged = quota.charged + ${amount}, bytes = quota.bytes + ${bytes}, last_submitted_at = now()
      FROM whole, own
      WHERE quota.user_hash = ${userHash} AND quota.day = whole.day
        AND quota.charged - quota.credited + ${amount} <= probes_max AND quota.bytes + ${bytes} <= bytes_max
      RETURNING whole.*
    ), made AS (
      INSERT INTO measurements (
        measurement_id, part_of, first_probe, user_hash, gateway_id, idempotency_key, request_digest, answer, probes,
        record_probes, day, share, destinations, not_after, ended_at)
      SELECT ${id}, measurement_id, first_probe, ${userHash}, ${order.gatewayId}, ${order.idempotencyKey},
        ${order.requestDigest}, ${tx.json({ ...order.answer })}, ${probes}, ${order.recordProbes}, day,
        ${order.share === null ? null : tx.json({ ...order.share })}, ${order.destinations}, not_after, now()
      FROM charged
      RETURNING part_of, not_after, first_probe
    ), ${tokenCharge(tx, order.token, amount)}
    expected AS (
      UPDATE measurement_agents AS part SET expected_probes = expected_probes + more.expected
      FROM made, jsonb_to_recordset(${tx.json(parts(targets, probes))}) AS more (agent_id text, expected bigint)
      WHERE part.measurement_id = made.part_of AND part.agent_id = more.agent_id
    ), heard AS (
      UPDATE measurements SET open_until = ${openUntil(tx)}, updated_at = now(),
        summary = ${tx.json({ ...joined(before?.summary ?? null, summary) })}
      FROM made WHERE measurements.measurement_id = made.part_of
    )
    SELECT not_after, first_probe FROM made`;
  return made === undefined ? null : { notAfter: made.not_after, firstProbe: made.first_probe };
}
