/**
 * Accepts submissions: one statement charges the quota and creates the measurement of each, or does nothing for it
 * (sql/postgres/probing/024-accept-together.sql). Several gateways and any number of concurrent submissions keep to the
 * limit, because charging locks the day's row. Concurrent ones share a statement, and so a disk sync.
 */
import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import { Together } from "../../../../lib/engines/service/together.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import type { ProbeSummary } from "../../../../lib/measuring/probing/measurement-title.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import type { ProbeShape } from "../../../../lib/net/packet/probe.ts";
import type { ShapeJson } from "../../../../lib/net/wire/probe-shape.ts";
import { acceptsAtOnceMax, dayBytesOfProbe, openIdleMs } from "../limits.ts";
import type { Labels } from "../measurements/labels.ts";
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
  /** Milliseconds from now, after which nothing is sent. */
  readonly lifeMs: number;
  /** Size of the body, unpacked. */
  readonly bytes: number;
  readonly day: DayLimits;
  readonly share: MeasurementShare | null;
  readonly destinations: Uint8Array;
  readonly publishing: Publishing;
  /** The submitting API token; null = a login, or the gateway itself. */
  readonly token: SubmittingToken | null;
  readonly labels: Labels;
  readonly origin: SubmissionOrigin;
  readonly summary: ProbeSummary;
  /** Prefixes that contain all destinations. */
  readonly targetPrefixes: readonly string[];
}

/** A measurement's origin, besides the token. */
export interface SubmissionOrigin {
  /** The program, by its User-Agent; null = this gateway. */
  readonly madeBy: string | null;
  /** The step of a campaign or a discovery; null = none. */
  readonly step: { readonly campaignId: string; readonly run: number; readonly round: number | null } | null;
}

export interface SubmittingToken {
  readonly id: string;
  /** Probes x agents of a UTC day; null = the user's quota. */
  readonly probesPerDayMax: number | null;
}

/** How a measurement is sent to its agents. */
export interface Publishing {
  /** Its user may add probes. */
  readonly isOpen: boolean;
  /** Between its records; null = as fast as the broker accepts them. */
  readonly intervalMs: number | null;
  /** Its agents record its packets. */
  readonly recordsPackets: boolean;
  /** What its probes look like. */
  readonly shape: ProbeShape;
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
  /** The accepted request; absent for the gateway's own submissions, and those of earlier versions. */
  readonly request_id?: string;
  readonly shape?: ShapeJson;
  /** Absent without selectors. */
  readonly selections?: readonly Selection[];
}

/** `repeated`: the idempotency key belongs to another measurement, accepted a moment ago. */
export type AcceptOutcome =
  | { readonly kind: "accepted"; readonly accepted: Accepted }
  | { readonly kind: "refused" }
  | { readonly kind: "repeated" };

interface OutcomeRow {
  readonly order_place: number;
  readonly outcome: "accepted" | "refused" | "repeated" | "failed";
  readonly ends_at: Date | null;
  readonly reason: string | null;
}

/** An order accepted before, under the same id, returns the same result. */
export class Acceptances {
  readonly #together: Together<AcceptOrder, AcceptOutcome>;

  constructor(database: Database) {
    this.#together = new Together({
      asksMax: acceptsAtOnceMax,
      // So that a user whose day is locked does not hold up all others.
      underWayMax: 2,
      answer: async (orders) => {
        const rows = await acceptAll(database, orders);
        const byOrder = new Map(rows.map((row) => [orders[row.order_place], row]));
        return (order) => outcomeOf(byOrder.get(order));
      },
    });
  }

  /** Rejects alone when the database refuses this order; with others when it is unreachable. */
  accept(order: AcceptOrder): Promise<AcceptOutcome> {
    return this.#together.ask(order);
  }
}

function acceptAll({ sql, timed }: Database, orders: readonly AcceptOrder[]): Promise<OutcomeRow[]> {
  return timed(
    "submission_accept",
    () => sql<OutcomeRow[]>`SELECT * FROM accept_submissions(${sql.json(orders.map(orderRow))})`,
  );
}

function outcomeOf(row: OutcomeRow | undefined): AcceptOutcome {
  if (row === undefined || row.outcome === "failed") {
    throw new Error(`Cannot accept the submission: ${row?.reason ?? "no result from the database"}`);
  }
  const { outcome: kind, ends_at: notAfter } = row;
  return kind === "accepted"
    ? { kind, accepted: { notAfter: notAfter ?? new Date(), firstProbe: 0 } }
    : { kind };
}

/** The names are those of accept_submissions. */
function orderRow(order: AcceptOrder, place: number) {
  const { id, probes, targets, bytes, day, publishing, token, share } = order;
  return {
    ...{ place, id, probes, bytes },
    user_hash: order.userHash,
    gateway_id: order.gatewayId,
    idempotency_key: order.idempotencyKey,
    request_digest: base64Of(order.requestDigest),
    answer: { ...order.answer },
    record_probes: order.recordProbes,
    amount: probes * targets.length,
    share: share && { ...share },
    destinations: base64Of(order.destinations),
    probes_per_day: day.probesPerDay,
    bytes_per_day: day.submissionBytesPerDay,
    bytes_of_probe: dayBytesOfProbe,
    interval_ms: publishing.intervalMs,
    records_packets: publishing.recordsPackets,
    open_ms: publishing.isOpen ? openIdleMs : null,
    life_ms: order.lifeMs,
    token_id: token?.id ?? null,
    token_max: token?.probesPerDayMax ?? null,
    ...order.labels,
    ...findingRow(order),
    parts: parts(targets, probes),
    sources: sources(targets),
  };
}

function findingRow({ summary, targetPrefixes, origin: { madeBy, step } }: AcceptOrder) {
  const digest = createHash("sha256").update(targetPrefixes.join("\n")).digest("base64");
  return {
    summary: { ...summary },
    target_set: digest,
    target_list: targetPrefixes,
    made_by: madeBy,
    campaign_id: step?.campaignId ?? null,
    campaign_run: step?.run ?? null,
    discovery_round: step?.round ?? null,
  };
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Constraint that fails the whole statement when the token has too few probes left. */
export const tokenQuotaConstraint = "api_token_days_quota";

/** Charges the token for the day of `charged`: a common table expression with its comma, or nothing. */
export function tokenCharge(sql: TransactionSql, token: SubmittingToken | null, amount: number) {
  return token === null
    ? sql``
    : sql`by_token AS (
      INSERT INTO api_token_days AS spent (token_id, day, charged, charged_max)
      SELECT ${token.id}::uuid, day, ${amount}, coalesce(${token.probesPerDayMax}::bigint, 9223372036854775807)
      FROM charged
      ON CONFLICT (token_id, day) DO UPDATE SET charged = spent.charged + excluded.charged
    ), `;
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
