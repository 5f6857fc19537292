/**
 * Accepts a submission: one statement charges the quota and creates the measurement, or does nothing. Several gateways
 * and any number of concurrent submissions keep to the limit, because charging locks the day's row.
 */
import type { Sql, TransactionSql } from "postgres";
import { formatAddress } from "../../../lib/ip/address.ts";
import type { Target } from "../../../lib/submission/targets.ts";
import { dayBytesOfProbe, openIdleMs } from "../limits.ts";
import type { MeasurementShare } from "../safety/destination-share.ts";
import type { DayLimits } from "../users/quota.ts";
import type { Selection } from "./choose-agents.ts";

export interface AcceptOrder {
  /** Id of the row: that of the measurement, or of what is added to an open one. */
  readonly id: string;
  /** The open measurement that gets these probes; null = they are a measurement of their own. */
  readonly whole: string | null;
  readonly userHash: string;
  readonly gatewayId: string;
  readonly idempotencyKey: string | null;
  readonly requestDigest: Uint8Array;
  readonly answer: SubmissionAnswer;
  /** Probes of each target. */
  readonly probes: number;
  readonly recordProbes: number;
  readonly targets: readonly Target[];
  /** Milliseconds from now until nothing is sent any more. */
  readonly lifeMs: number;
  /** Size of the body, unpacked. */
  readonly bytes: number;
  readonly day: DayLimits;
  readonly share: MeasurementShare | null;
  readonly destinations: Uint8Array;
  readonly publishing: Publishing;
  /** The API token that submits it; null = a login does, or the gateway itself. */
  readonly token: SubmittingToken | null;
}

export interface SubmittingToken {
  readonly id: string;
  /** Probes x agents of a UTC day; null = as its user. */
  readonly probesPerDayMax: number | null;
}

/** How a measurement goes to its agents. */
export interface Publishing {
  /** Its user may add probes. */
  readonly isOpen: boolean;
  /** Between its records; null = as fast as the broker takes them. */
  readonly intervalMs: number | null;
  /** Its agents keep its packets. */
  readonly recordsPackets: boolean;
}

export interface Accepted {
  /** When it expires. */
  readonly notAfter: Date;
  /** Index in the measurement of the first of these probes. */
  readonly firstProbe: number;
}

export interface SubmissionAnswer {
  readonly id: string;
  /** Probes x targets. */
  readonly probes: number;
  readonly agents: readonly { readonly id: string; readonly ip_address: string | null }[];
  readonly rejected: readonly {
    readonly id: string;
    readonly ip_address: string | null;
    readonly reason: string;
  }[];
  /** Without selectors it is left out. */
  readonly selections?: readonly Selection[];
}

/** Null = the day's quota has no room for it, or the user may not measure. */
export async function acceptMeasurement(sql: Sql, order: AcceptOrder): Promise<Accepted | null> {
  const { id, userHash, probes, targets, bytes, day, publishing } = order;
  const amount = probes * targets.length;
  const [made] = await sql<{ not_after: Date }[]>`
    WITH own AS (
      SELECT probes_max, greatest(${day.submissionBytesPerDay}, ${dayBytesOfProbe} * probes_max) AS bytes_max
      FROM users, LATERAL (SELECT coalesce(probes_per_day_max, ${day.probesPerDay})::bigint) AS limits (probes_max)
      WHERE user_hash = ${userHash} AND suspended_at IS NULL
    ), charged AS (
      INSERT INTO quota_days AS quota (user_hash, day, charged, bytes, submissions, last_submitted_at)
      SELECT ${userHash}, (now() AT TIME ZONE 'UTC')::date, ${amount}, ${bytes}, 1, now()
      FROM own WHERE probes_max >= ${amount} AND bytes_max >= ${bytes}
      ON CONFLICT (user_hash, day) DO UPDATE
      SET charged = quota.charged + excluded.charged, bytes = quota.bytes + excluded.bytes,
        submissions = quota.submissions + 1, last_submitted_at = excluded.last_submitted_at
      WHERE quota.charged - quota.credited + excluded.charged <= (SELECT probes_max FROM own)
        AND quota.bytes + excluded.bytes <= (SELECT bytes_max FROM own)
      RETURNING quota.day
    ), made AS (
      INSERT INTO measurements (
        measurement_id, user_hash, gateway_id, idempotency_key, request_digest, answer, probes, record_probes, day,
        share, destinations, interval_ms, records_packets, open_until, not_after)
      SELECT ${id}, ${userHash}, ${order.gatewayId}, ${order.idempotencyKey}, ${order.requestDigest},
        ${sql.json({ ...order.answer })}, ${probes}, ${order.recordProbes}, day,
        ${order.share === null ? null : sql.json({ ...order.share })}, ${order.destinations},
        ${publishing.intervalMs}, ${publishing.recordsPackets}, ${publishing.isOpen ? openUntil(sql) : null},
        now() + ${order.lifeMs} * interval '1 millisecond'
      FROM charged
      RETURNING measurement_id, not_after
    ), ${tokenCharge(sql, order.token, amount)}
    parts AS (
      INSERT INTO measurement_agents (measurement_id, agent_id, expected_probes)
      SELECT measurement_id, agent_id, expected FROM made, jsonb_to_recordset(${sql.json(parts(targets, probes))})
        AS part (agent_id text, expected bigint)
    ), sources AS (
      INSERT INTO measurement_targets (measurement_id, agent_id, source_address)
      SELECT measurement_id, agent_id, source FROM made, jsonb_to_recordset(${sql.json(sources(targets))})
        AS target (agent_id text, source inet)
    )
    SELECT not_after FROM made`;
  return made === undefined ? null : { notAfter: made.not_after, firstProbe: 0 };
}

/** Constraint by which a statement fails as a whole when the token has too few probes left. */
export const tokenQuotaConstraint = "api_token_days_quota";

/** Charges the token for the day of `charged`: a common table expression with its comma, or nothing. */
export function tokenCharge(sql: Sql | TransactionSql, token: SubmittingToken | null, amount: number) {
  return token === null
    ? sql``
    : sql`by_token AS (
      INSERT INTO api_token_days AS spent (token_id, day, charged, charged_max)
      SELECT ${token.id}::uuid, day, ${amount}, coalesce(${token.probesPerDayMax}::bigint, 9223372036854775807)
      FROM charged
      ON CONFLICT (token_id, day) DO UPDATE SET charged = spent.charged + excluded.charged
    ), `;
}

/** An open measurement whose user adds nothing until then is closed. */
export function openUntil(sql: Sql | TransactionSql) {
  return sql`now() + ${openIdleMs} * interval '1 millisecond'`;
}

/** Each agent has one part, with the probes of all its sources. */
export function parts(targets: readonly Target[], probes: number) {
  const expected = new Map<string, number>();
  for (const { agent } of targets) {
    expected.set(agent, (expected.get(agent) ?? 0) + probes);
  }
  return [...expected].map(([agent_id, sum]) => ({ agent_id, expected: sum }));
}

function sources(targets: readonly Target[]) {
  return targets.map(({ agent, source }) => ({ agent_id: agent, source: source && formatAddress(source) }));
}
