/**
 * Counts of parts that continue: they end nothing, and nothing depends on them. So all agents that report at the same
 * time share a statement that waits for no lock. Rows that another statement has locked at that moment, and parts that
 * are not running, are left to progress.ts, which locks in order.
 */
import { Together } from "../../../../lib/engines/service/together.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { Progress } from "../../../../lib/measuring/probing/agent-report.ts";
import type { PartStatus } from "../../../../lib/measuring/probing/lifecycle.ts";
import { progressAtOnceMax, steadySeenEveryMs } from "../limits.ts";
import { largestProgress } from "./largest-progress.ts";

/** An agent's part of a measurement after its report. */
export interface PartRow {
  readonly measurement_id: string;
  readonly status: PartStatus;
  readonly sent_probes: number;
  readonly updated_at: Date;
}

interface Asked {
  readonly agentId: string;
  readonly reports: ReadonlyMap<string, Progress>;
}

interface KeptRow extends PartRow {
  readonly agent_id: string;
}

export class SteadyProgress {
  readonly #together: Together<Asked, KeptRow[]>;

  constructor(database: Database) {
    this.#together = new Together({
      asksMax: progressAtOnceMax,
      underWayMax: 2,
      answer: async (asks) => {
        const rows = await database.timed("agent_counts", () => keepAll(database, asks));
        const parts = Map.groupBy(rows, (row) => row.agent_id);
        return ({ agentId }) => parts.get(agentId) ?? [];
      },
    });
  }

  /** `reports` by measurement; skips those that end a part. Resolves to the updated parts. */
  async keep(agentId: string, reports: ReadonlyMap<string, Progress>): Promise<readonly PartRow[]> {
    const steady = new Map([...reports].filter(([, report]) => isSteady(report)));
    const kept = steady.size === 0 ? [] : await this.#together.ask({ agentId, reports: steady });
    return kept.filter(({ measurement_id }) => steady.has(measurement_id));
  }
}

function isSteady({ is_complete, is_stopped, error }: Progress): boolean {
  return !is_complete && !is_stopped && error === null;
}

/** A statement changes a row once: an agent that has sent two reports has one of both. */
function byAgent(asks: readonly Asked[]): ReadonlyMap<string, ReadonlyMap<string, Progress>> {
  const all = new Map<string, Map<string, Progress>>();
  for (const { agentId, reports } of asks) {
    const own = all.get(agentId) ?? new Map<string, Progress>();
    all.set(agentId, own);
    for (const [id, report] of reports) {
      own.set(id, largestProgress(own.get(id) ?? report, report));
    }
  }
  return all;
}

/** One by one, by the table's key: a plan for all of them would read the table when it is small, and its dead rows. */
function keepAll({ sql }: Database, asks: readonly Asked[]): PromiseLike<KeptRow[]> {
  const rows = [...byAgent(asks)].flatMap(([agent_id, reports]) =>
    [...reports].map(([measurement_id, report]) => ({ agent_id, measurement_id, ...report })),
  );
  return sql<KeptRow[]>`
    WITH own AS (
      SELECT report.*, part.place
      FROM jsonb_to_recordset(${sql.json(rows)}) AS report (
        agent_id text, measurement_id uuid, sent_probes bigint, received_replies bigint, failed_probes bigint,
        held_probes bigint),
      LATERAL (
        SELECT ctid AS place FROM measurement_agents AS part
        WHERE part.measurement_id = report.measurement_id AND part.agent_id = report.agent_id
          AND part.status = 'running'
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS part
    ), kept AS (
      UPDATE measurement_agents AS part SET
        sent_probes = greatest(part.sent_probes, own.sent_probes),
        received_replies = greatest(part.received_replies, own.received_replies),
        failed_probes = greatest(part.failed_probes, own.failed_probes),
        held_probes = greatest(part.held_probes, own.held_probes),
        updated_at = now()
      FROM own
      WHERE part.ctid = own.place AND part.measurement_id = own.measurement_id AND part.agent_id = own.agent_id
      RETURNING part.agent_id, part.measurement_id, part.status, part.sent_probes, part.updated_at
    ), wholes AS (
      UPDATE measurements SET updated_at = now() WHERE measurement_id IN (
        SELECT measurement_id FROM measurements
        WHERE measurement_id = ANY(ARRAY(SELECT DISTINCT measurement_id FROM kept))
          AND updated_at < now() - ${steadySeenEveryMs} * interval '1 millisecond'
        FOR NO KEY UPDATE SKIP LOCKED)
    ), reporters AS (
      UPDATE agents SET last_seen_at = now() WHERE agent_id IN (
        SELECT agent_id FROM agents
        WHERE agent_id = ANY(ARRAY(SELECT DISTINCT agent_id FROM kept))
          AND last_seen_at < now() - ${steadySeenEveryMs} * interval '1 millisecond'
        FOR NO KEY UPDATE SKIP LOCKED)
    )
    SELECT agent_id, measurement_id::text, status, sent_probes, updated_at FROM kept`;
}
