/** Schedules the evaluation of a run for when its replies are stored; written with its end. */
import type { TransactionSql } from "postgres";

interface RunPlace {
  readonly campaign_id: string;
  readonly run: number;
}

/** Nothing for definitions without alerts. */
export async function planEvaluations(
  tx: TransactionSql,
  runs: readonly RunPlace[],
  settleMs: number,
): Promise<void> {
  const places = runs.map(({ campaign_id, run }) => ({ campaign_id, run }));
  await tx`
    INSERT INTO campaign_evaluations (campaign_id, run, due_at)
    SELECT campaign_id, run, now() + ${settleMs} * interval '1 ms'
    FROM jsonb_to_recordset(${tx.json(places)}) AS ended (campaign_id uuid, run integer)
      JOIN campaign_runs USING (campaign_id, run) JOIN campaign_revisions USING (campaign_id, revision)
    WHERE definition->'alerts' IS NOT NULL AND state IN ('done', 'refused', 'missed')
    ON CONFLICT DO NOTHING`;
}
