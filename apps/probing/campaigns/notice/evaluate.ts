/**
 * Evaluates ended runs, each exactly once and in order, with any number of gateways: claims a run, reads its replies,
 * and writes the results in one transaction with marking it as evaluated. If a gateway is killed before that, another
 * one evaluates the run; none does after it.
 */
import type { TransactionSql } from "postgres";
import type { RunCell } from "../../../../lib/answers/results/run-cells.ts";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import type { NoticeServices } from "../campaign-services.ts";
import {
  cellsMax,
  evaluationClaimSec,
  evaluationGiveUpSec,
  evaluationRetrySec,
  evaluationsAtOnceMax,
} from "../limits.ts";
import { writeChanges } from "./alert-journal.ts";
import { rulesOf } from "./alerts-definition.ts";
import { type EndedRun, partsOf } from "./ended-run.ts";
import { noticeRun } from "./notice-run.ts";

/** Evaluates due runs, up to a number. Never rejects on store failures: these are retried. */
export async function evaluateRuns(services: NoticeServices): Promise<void> {
  for (let looks = 0; looks < evaluationsAtOnceMax; looks++) {
    const run = await claim(services);
    if (run === null) {
      return;
    }
    await evaluate(services, run);
  }
}

/** A campaign's first run that was not evaluated yet. */
async function claim({ database: { sql, timed } }: NoticeServices): Promise<EndedRun | null> {
  const [row = null] = await timed(
    "campaign_look",
    () => sql<EndedRun[]>`
      WITH due AS (
        SELECT campaign_id, run FROM campaign_evaluations AS look
        WHERE evaluated_at IS NULL AND due_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
          AND NOT EXISTS (SELECT FROM campaign_evaluations AS before WHERE before.evaluated_at IS NULL
            AND before.campaign_id = look.campaign_id AND before.run < look.run)
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE campaign_evaluations AS look SET claimed_until = now() + ${evaluationClaimSec} * interval '1 s'
        FROM due WHERE (look.campaign_id, look.run) = (due.campaign_id, due.run) RETURNING look.*
      )
      SELECT run.campaign_id, run.run, name, run.state, run.reason, planned_at, definition->'alerts' AS alerts,
        deliveries, now() > claimed.due_at + ${evaluationGiveUpSec} * interval '1 s' AS is_late,
        ${partsOf(sql)}
      FROM claimed JOIN campaign_runs AS run USING (campaign_id, run)
        JOIN campaigns AS campaign USING (campaign_id)
        JOIN campaign_revisions AS revised
          ON (revised.campaign_id, revised.revision) = (run.campaign_id, run.revision)`,
  );
  return row;
}

async function evaluate(services: NoticeServices, run: EndedRun): Promise<void> {
  const { database, results, log } = services;
  const { campaign_id, run: number } = run;
  const ids = [...new Set(run.parts.filter(({ hasSent }) => hasSent).map((part) => part.measurementId))];
  let cells: readonly RunCell[] = [];
  let note: string | null = run.state === "done" ? null : run.state;
  try {
    cells = ids.length === 0 ? [] : await results.cells(ids, cellsMax + 1);
  } catch (error) {
    if (!isFailure(error, "store")) {
      throw error;
    }
    if (!run.is_late) {
      log.warn("Cannot evaluate a campaign's run; trying again", { campaign_id, run: number, error });
      await database.sql`
        UPDATE campaign_evaluations SET claimed_until = now() + ${evaluationRetrySec} * interval '1 s'
        WHERE campaign_id = ${campaign_id} AND run = ${number} AND evaluated_at IS NULL`;
      return;
    }
    note = "The column store was unavailable for too long";
  }
  await database.timed("campaign_looked", () =>
    database.sql.begin((tx) => write(tx, services, { run, cells, note })),
  );
}

interface Looked {
  readonly run: EndedRun;
  readonly cells: readonly RunCell[];
  readonly note: string | null;
}

async function write(tx: TransactionSql, { results }: NoticeServices, { run, cells, note }: Looked) {
  const { campaign_id, run: number } = run;
  const mine = await tx`
    UPDATE campaign_evaluations SET evaluated_at = now()
    WHERE campaign_id = ${campaign_id} AND run = ${number} AND evaluated_at IS NULL`;
  if (mine.count === 0) {
    return;
  }
  const rules = rulesOf(run.alerts);
  const asnOf = results.asnOf(run.planned_at);
  const found = await noticeRun(tx, run, { rules, asnOf, cells: cells.slice(0, cellsMax) });
  await writeChanges(tx, run, { rules, changes: found.changes });
  const notes = [
    note,
    cells.length > cellsMax ? `Only ${cellsMax} probed hops were checked` : null,
    found.note,
  ];
  const said = notes.filter((one) => one !== null).join("; ");
  await tx`
    UPDATE campaign_evaluations SET note = ${said === "" ? null : said}
    WHERE campaign_id = ${campaign_id} AND run = ${number}`;
}
