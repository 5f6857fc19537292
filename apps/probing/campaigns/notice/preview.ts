/**
 * The alerts that rules would have raised over a campaign's runs: the detectors run over the results that are stored,
 * from no baseline, and nothing is kept or sent.
 */
import * as v from "valibot";
import type { alertPreviewAnswer } from "../../../../lib/base/api/alerts.ts";
import { wholeNumber } from "../../../../lib/base/api/fields.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import { counted } from "../../../../lib/base/terminal/figures.ts";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Work } from "../../../../lib/engines/http/work.ts";
import type { NoticeServices } from "../campaign-services.ts";
import { cellBytes, cellsMax, previewAlertsMax, previewCellsMax, previewRunsMax } from "../limits.ts";
import { alertsSchema, rulesOf } from "./alerts-definition.ts";
import { type EndedRun, partsOf } from "./ended-run.ts";
import { runNotices, type SeriesChange, type SeriesRow } from "./notice-run.ts";

export const previewSchema = v.strictObject({
  alerts: alertsSchema,
  runs: v.optional(wholeNumber(1, previewRunsMax), 100),
});

type Order = v.InferOutput<typeof previewSchema>;
type Preview = StoredAnswer<typeof alertPreviewAnswer>;
type Services = Pick<NoticeServices, "database" | "results">;

/** Throws Problem 503 while the store is unavailable, and as Work. */
export async function previewAlerts(
  services: Services,
  { id }: Owned,
  { alerts, runs }: Order,
  work: Work,
): Promise<Preview> {
  await work.next();
  work.hold(cellsMax * cellBytes);
  work.rest();
  const ended = await endedRuns(services, id, runs);
  const rules = rulesOf(alerts);
  const states = new Map<string, SeriesRow>();
  const events: Preview["events"][number][] = [];
  const notes = new Set<string>();
  let [read, done] = [0, 0];
  for (const run of ended) {
    const cells = await cellsOf(services, run);
    read += cells.length;
    if (read > previewCellsMax) {
      notes.add(`Only the first ${counted(done, "run")} of ${ended.length}: ask for fewer`);
      break;
    }
    await work.next();
    const asnOf = services.results.asnOf(run.planned_at);
    const looked = { rules, asnOf, cells: cells.slice(0, cellsMax) };
    const { rows, changes, note } = runNotices(run, [...states.values()], looked);
    for (const row of rows) {
      states.set(`${row.agent_id} ${row.destination}`, row);
    }
    events.push(...changes.map((change) => eventOf(run, change)));
    notes.add(note ?? "");
    notes.add(cells.length > cellsMax ? `Only ${cellsMax} probed hops of a run are evaluated` : "");
    done++;
    work.rest();
  }
  return summary(ended.slice(0, done), events, [...notes]);
}

function summary(ended: readonly EndedRun[], events: Preview["events"][number][], notes: readonly string[]) {
  const count = (kind: "raised" | "cleared") => events.filter((one) => one.kind === kind).length;
  const [raised, cleared] = [count("raised"), count("cleared")];
  const note = notes.filter((one) => one !== "").join("; ");
  return {
    runs: ended.length,
    first_run: ended[0]?.run ?? null,
    last_run: ended.at(-1)?.run ?? null,
    ...{ raised, cleared, active: raised - cleared },
    events: events.slice(0, previewAlertsMax),
    note: note === "" ? null : note,
  };
}

function eventOf({ run, planned_at }: EndedRun, { text: reason, ...change }: SeriesChange) {
  return { run, planned_at, ...change, reason };
}

/** The newest runs whose replies are stored, the oldest first. */
async function endedRuns({ database, results }: Services, id: string, runs: number): Promise<EndedRun[]> {
  const { sql, timed } = database;
  const rows = await timed(
    "campaign_preview",
    () => sql<EndedRun[]>`
      SELECT run.campaign_id, run.run, name, run.state, run.reason, planned_at, definition->'alerts' AS alerts,
        deliveries, false AS is_late, ${partsOf(sql)}
      FROM campaign_runs AS run JOIN campaigns USING (campaign_id) JOIN campaign_revisions AS revised
        ON (revised.campaign_id, revised.revision) = (run.campaign_id, run.revision)
      WHERE run.campaign_id = ${id} AND run.state IN ('done', 'refused', 'missed')
        AND (run.ended_at <= now() - ${results.settleMs} * interval '1 ms' OR EXISTS (
          SELECT FROM campaign_evaluations AS done WHERE evaluated_at IS NOT NULL
            AND (done.campaign_id, done.run) = (run.campaign_id, run.run)))
      ORDER BY run.run DESC LIMIT ${runs}`,
  );
  return rows.reverse();
}

async function cellsOf({ results }: Services, { parts }: EndedRun) {
  const ids = [...new Set(parts.filter(({ hasSent }) => hasSent).map((part) => part.measurementId))];
  try {
    return ids.length === 0 ? [] : await results.cells(ids, cellsMax + 1);
  } catch (error) {
    if (isFailure(error, "store")) {
      const message = "The column store is unavailable; try again in a moment";
      throw new Problem({ status: 503, code: "store_unavailable", message, cause: error });
    }
    throw error;
  }
}
