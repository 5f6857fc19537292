/** @jsxImportSource hono/jsx */
/** Alerts: what was seen, from where, in which runs. */
import type * as v from "valibot";
import type { alertAnswer } from "../../../../lib/base/api/alerts.ts";
import { Foreign } from "../../parts/foreign.tsx";
import { Mark } from "../../parts/mark.tsx";
import type { Column } from "../../parts/table.tsx";
import { Age } from "../../parts/time.tsx";

type Alert = v.InferOutput<typeof alertAnswer>;

export function alertColumns(nowMs: number): Column<Alert>[] {
  return [
    { head: "Alert", isName: true, cell: ({ detector }) => detector },
    {
      head: "State",
      cell: ({ cleared_at: at }) =>
        at === null ? <Mark look="bad" word="raised" /> : <Mark look="plain" word="cleared" />,
    },
    {
      head: "Campaign",
      cell: ({ campaign, campaign_id: id }) => (
        <a href={`/console/campaigns/${id}?view=alerts`}>
          <Foreign text={campaign} />
        </a>
      ),
    },
    {
      head: "From, to",
      cell: ({ agent, destination }) => (
        <Foreign text={destination === "" ? agent : `${agent} to ${destination}`} />
      ),
    },
    { head: "Why", cell: ({ reason }) => <Foreign text={reason} /> },
    { head: "Run", isFigure: true, cell: ({ raised_run: run }) => String(run) },
    { head: "Raised", cell: ({ raised_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { head: "Cleared", cell: ({ cleared_at: at }) => (at === null ? "–" : <Age at={at} nowMs={nowMs} />) },
  ];
}
