/** @jsxImportSource hono/jsx */
/** The last day of a campaign by hour, beside the same hours a week before. */
import { figureRowsDefault } from "../../../../lib/answers/results/limits.ts";
import type { Visit } from "../../page.ts";
import { columnsOf, rowsAnswer } from "../../parts/api-rows.tsx";
import { PagedTable } from "../../parts/paging.tsx";

const heads = {
  ...{ time: "Hour (UTC)", loss_percent: "Loss %", rtt_median_ms: "Median (ms)" },
  ...{
    loss_week_before_percent: "Loss % a week before",
    rtt_median_week_before_ms: "Median a week before (ms)",
  },
  ...{ path_changes: "Path changes", agent: "Agent", destination: "Destination", submitted: "Submitted" },
} as const;

export async function Trend(visit: Visit, id: string) {
  const since = new Date(visit.nowMs - 86_400_000).toISOString();
  const query = new URLSearchParams({ since });
  const rows = await visit.api.get(`/api/campaigns/${encodeURIComponent(id)}/trend?${query}`, rowsAnswer);
  return (
    <PagedTable
      visit={visit}
      caption="The last 24 hours, beside the week before"
      columns={columnsOf(heads, visit)}
      rows={rows}
      isCut={rows.length === figureRowsDefault}
      none="No run was planned in the last 24 hours."
    />
  );
}
