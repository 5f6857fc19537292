/** A run that has ended is to be looked at when its answers have come in: written down with its end. */
import type { TransactionSql } from "postgres";

interface RunPlace {
  readonly campaign_id: string;
  readonly run: number;
}

/** Nothing, where its definition asks for no alerts. */
export async function planEvaluation(
  tx: TransactionSql,
  { campaign_id, run }: RunPlace,
  settleMs: number,
): Promise<void> {
  await tx`
    INSERT INTO campaign_evaluations (campaign_id, run, due_at)
    SELECT campaign_id, run, now() + ${settleMs} * interval '1 ms'
    FROM campaign_runs JOIN campaign_revisions USING (campaign_id, revision)
    WHERE campaign_id = ${campaign_id} AND run = ${run} AND definition->'alerts' IS NOT NULL
      AND state IN ('done', 'refused', 'missed')
    ON CONFLICT DO NOTHING`;
}
