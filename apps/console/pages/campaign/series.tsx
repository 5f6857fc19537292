/** @jsxImportSource hono/jsx */
/** A campaign over time: plots for each pair (client/series.ts), a picture without the script, and the figures. */

import * as v from "valibot";
import { figureRowsDefault } from "../../../../lib/answers/results/limits.ts";
import { alertAnswer } from "../../../../lib/base/api/alerts.ts";
import { visible } from "../../../../lib/base/terminal/foreign-text.ts";
import { type SeriesRow, seriesPicture } from "../../../../lib/measuring/pictures/charts/series-picture.ts";
import type { Visit } from "../../page.ts";
import { columnsOf, rowsAnswer } from "../../parts/api-rows.tsx";
import { PagedTable } from "../../parts/paging.tsx";
import { PictureFrame } from "../../parts/picture.tsx";

/** The newest ones; an axis with more cannot be read. */
const eventsMax = 100;

const heads = {
  ...{ run: "Run", loss_percent: "Loss %", rtt_median_ms: "Median (ms)", agent: "Agent" },
  ...{ destination: "Destination", submitted: "Submitted", answered: "Answered" },
  ...{ loss_low_percent: "Loss % at least (95 %)", loss_high_percent: "Loss % at most (95 %)" },
  ...{ rtt_p10_ms: "10th percentile (ms)", rtt_p90_ms: "90th percentile (ms)", paths: "Paths" },
} as const;

export async function Series(visit: Visit, id: string) {
  const path = `/api/campaigns/${encodeURIComponent(id)}`;
  const rows = await visit.api.get(`${path}/series`, rowsAnswer);
  const alerts = await visit.api.get(`${path}/alerts?limit=${eventsMax}`, v.array(alertAnswer));
  const series = rows as unknown as readonly SeriesRow[];
  return (
    <>
      <div data-series={JSON.stringify(seriesData(series))} data-events={JSON.stringify(alerts.map(eventOf))}>
        <PictureFrame picture={seriesPicture(series)} />
      </div>
      <PagedTable
        visit={visit}
        caption="Series, as the API has them"
        columns={columnsOf(heads, visit)}
        rows={rows}
        isCut={rows.length === figureRowsDefault}
        none="No run has results yet."
      />
    </>
  );
}

/** By pair, each figure a list in the order of the runs; times in seconds since the epoch. */
function seriesData(rows: readonly SeriesRow[]) {
  const planned = rows.filter((row): row is SeriesRow & { planned_at: string } => row.planned_at !== null);
  return [...Map.groupBy(planned, ({ agent, destination }) => `${agent} to ${destination}`)].map(
    ([name, own]) => ({
      name: visible(name),
      atSec: own.map(({ planned_at: at }) => Date.parse(at) / 1000),
      run: own.map(({ run }) => run),
      lowMs: own.map(({ rtt_p10_ms: ms }) => ms),
      medianMs: own.map(({ rtt_median_ms: ms }) => ms),
      highMs: own.map(({ rtt_p90_ms: ms }) => ms),
      lossPercent: own.map(({ loss_percent: percent }) => percent),
    }),
  );
}

function eventOf({ agent, destination, reason, raised_at: at }: v.InferOutput<typeof alertAnswer>) {
  const pair = destination === "" ? null : `${agent} to ${destination}`;
  return { atSec: Date.parse(at) / 1000, pair: pair && visible(pair), text: visible(reason) };
}
