/** Users' discoveries: campaigns whose runs discover. Shows their rounds, and pauses between two of them. */
import type { TransactionSql } from "postgres";
import type { discoveryAnswer, discoveryDetailAnswer } from "../../../lib/base/api/discoveries.ts";
import type { StoredAnswer } from "../../../lib/base/api/stored-answer.ts";
import type { Owned } from "../../../lib/engines/http/owned.ts";
import { problem } from "../../../lib/engines/http/problem.ts";
import { type ListPage, type PageOrder, readPage } from "../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { isDiscovery } from "./campaign-rows.ts";
import type { StepMeasure } from "./campaign-services.ts";
import { changeCampaign } from "./campaigns.ts";
import { restOf } from "./discovery/rest.ts";

type Row = Omit<
  StoredAnswer<typeof discoveryAnswer>,
  | "state"
  | "complete"
  | "round"
  | "units"
  | "links"
  | "nodes"
  | "probes_planned"
  | "probes_sent"
  | "probes_rest"
> & {
  readonly phase: "active" | "paused" | "ended";
  readonly definition: Record<string, unknown>;
  readonly measurement_ids: readonly string[];
  readonly rounds: StoredAnswer<typeof discoveryDetailAnswer>["rounds"];
  readonly shares: StoredAnswer<typeof discoveryDetailAnswer>["shares"];
};

interface ListOrder extends PageOrder {
  readonly userHash: string;
  /** Null = all. */
  readonly id: string | null;
}

const states = { active: "running", paused: "paused", ended: "ended" } as const;

/** The newest first. */
export async function listDiscoveries(
  database: Database,
  { userHash, id, ...page }: ListOrder,
): Promise<ListPage<StoredAnswer<typeof discoveryDetailAnswer>>> {
  const { sql } = database;
  const { rows, total } = await readPage(
    database,
    "discovery_list",
    page,
    (limit, after) => sql<Row[]>`
      SELECT campaign.campaign_id AS id, name, phase, definition, latest.run, latest.state AS run_state,
        latest.reason, definition->'discover'->>'strategy' AS strategy,
        (definition->'discover'->>'probes_max')::float8 AS probes_max, campaign.created_at, campaign.ended_at,
        coalesce(rounds.rounds, '[]') AS rounds, coalesce(parts.ids, '{}') AS measurement_ids,
        coalesce(shares.shares, '[]') AS shares
      FROM campaigns AS campaign JOIN campaign_revisions AS revised USING (campaign_id, revision)
        LEFT JOIN LATERAL (
          SELECT run, state, reason FROM campaign_runs AS run
          WHERE run.campaign_id = campaign.campaign_id AND state <> 'passed' ORDER BY run DESC LIMIT 1
        ) AS latest ON true
        LEFT JOIN LATERAL (
          SELECT jsonb_agg(jsonb_build_object('round', round, 'probes', probes, 'units', units, 'links', links,
            'nodes', nodes, 'sent', coalesce(sent, 0),
            'computed_at', to_char(computed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY round)
            AS rounds
          FROM discovery_rounds AS noted, LATERAL (
            SELECT sum(sent_probes)::float8 AS sent
            FROM campaign_steps AS step JOIN measurement_agents USING (measurement_id)
            WHERE (step.campaign_id, step.run) = (noted.campaign_id, noted.run)
              AND (given->>'round')::integer = noted.round
          ) AS sum
          WHERE (noted.campaign_id, noted.run) = (campaign.campaign_id, latest.run)
        ) AS rounds ON true
        LEFT JOIN LATERAL (
          SELECT array_agg(measurement_id::text ORDER BY step) AS ids FROM (
            SELECT measurement_id, step FROM campaign_steps AS step
            WHERE (step.campaign_id, step.run) = (campaign.campaign_id, latest.run) AND measurement_id IS NOT NULL
            ORDER BY step LIMIT 1000) AS first
        ) AS parts ON true
        LEFT JOIN LATERAL (
          SELECT jsonb_agg(jsonb_build_object('agent', agent, 'prefixes', prefixes) ORDER BY agent) AS shares
          FROM discovery_shares AS share
          WHERE (share.campaign_id, share.run) = (campaign.campaign_id, latest.run)
        ) AS shares ON true
      WHERE user_hash = ${userHash} AND ${isDiscovery(sql)}
      ${id === null ? sql`` : sql`AND campaign.campaign_id = ${id}`}
      ${
        after === undefined
          ? sql``
          : sql`AND (campaign.created_at, campaign.campaign_id) < (
              SELECT created_at, campaign_id FROM campaigns
              WHERE campaign_id::text = ${after} AND user_hash = ${userHash})`
      }
      ORDER BY campaign.created_at DESC, campaign.campaign_id DESC LIMIT ${limit}`,
  );
  return { rows: rows.map(answerOf), total };
}

function answerOf({ phase, ...row }: Row): StoredAnswer<typeof discoveryDetailAnswer> {
  const { rounds } = row;
  const last = rounds.at(-1);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return {
    ...row,
    state: states[phase],
    complete: phase === "ended" ? row.run_state === "done" && last?.units === 0 : null,
    round: last?.round ?? null,
    ...{ units: last?.units ?? null, links: last?.links ?? null, nodes: last?.nodes ?? null },
    probes_planned: sum(rounds.map(({ probes }) => probes)),
    probes_sent: sum(rounds.map(({ sent }) => sent)),
    probes_rest: phase === "ended" ? 0 : restOf(rounds),
    measurement_ids: [...row.measurement_ids],
    shares: row.shares,
  };
}

/** Throws Problem 404. */
export async function readDiscovery(database: Database, { id, userHash }: Owned) {
  const {
    rows: [row],
  } = await listDiscoveries(database, { userHash, id, limit: 1 });
  if (row === undefined) {
    throw problem(404, "discovery_not_found", "Discovery not found");
  }
  return row;
}

/**
 * Pauses a discovery: unsent probes of current parts stay unsent, and are planned again when it continues. Throws
 * Problem: 404, 409 for one that has ended.
 */
export async function pauseDiscovery(database: Database, measure: StepMeasure, own: Owned): Promise<void> {
  const { id, userHash } = own;
  await readDiscovery(database, own);
  await changeCampaign(database, own, { kind: "pause" }, (tx) => putOff(tx, id));
  const open = await database.timed(
    "discovery_open",
    () => database.sql<{ id: string }[]>`
      SELECT measurement_id::text AS id FROM campaign_steps JOIN measurements USING (measurement_id)
      WHERE campaign_steps.campaign_id = ${id} AND ended_at IS NULL`,
  );
  for (const { id: measurementId } of open) {
    await measure.cancel(userHash, measurementId);
  }
}

/** Due steps are taken when the discovery continues. */
async function putOff(tx: TransactionSql, id: string): Promise<void> {
  await tx`UPDATE campaign_steps SET state = 'later' WHERE campaign_id = ${id} AND state = 'due'`;
}

/** Ends it permanently; what it found stays. Throws Problem 404. */
export async function stopDiscovery(database: Database, own: Owned): Promise<void> {
  await readDiscovery(database, own);
  await changeCampaign(database, own, { kind: "stop" });
}

export async function resumeDiscovery(database: Database, own: Owned): Promise<void> {
  await readDiscovery(database, own);
  await changeCampaign(database, own, { kind: "resume" });
}
