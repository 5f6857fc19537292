/** @jsxImportSource hono/jsx */
/** The last day of a campaign by hour, beside the same hours a week before. */
import type { Visit } from "../../page.ts";
import { columnsOf, rowsAnswer, rowsMax } from "../../parts/api-rows.tsx";
import { Table } from "../../parts/table.tsx";

const heads = {
  ...{ time: "Hour", loss_percent: "Loss %", rtt_median_ms: "Median (ms)" },
  ...{
    loss_week_before_percent: "Loss % a week before",
    rtt_median_week_before_ms: "Median a week before (ms)",
  },
  ...{ path_changes: "Path changes", agent: "Agent", destination: "Destination", submitted: "Submitted" },
} as const;

export async function Trend(visit: Visit, id: string) {
  const since = new Date(visit.nowMs - 86_400_000).toISOString();
  const query = new URLSearchParams({ since, limit: String(rowsMax + 1) });
  const rows = await visit.api.get(`/api/campaigns/${encodeURIComponent(id)}/trend?${query}`, rowsAnswer);
  return (
    <>
      <Table
        caption="The last 24 hours, beside the week before"
        columns={columnsOf(heads, visit)}
        rows={rows.slice(0, rowsMax)}
        none="No run was planned in the last 24 hours."
      />
      {rows.length > rowsMax ? <p class="soft">{`The first ${rowsMax} rows are in the table.`}</p> : null}
    </>
  );
}
