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
        <Foreign
          text={agent === "" || destination === "" ? agent || destination : `${agent} to ${destination}`}
        />
      ),
    },
    { head: "Why", cell: ({ reason }) => <Foreign text={reason} /> },
    {
      head: "Follow-up",
      cell: ({ follow_up: what, follow_up_id: id, follow_up_state: state, follow_up_reason: reason }) =>
        id === null ? (
          <Foreign text={reason === null ? (state ?? "–") : `not started: ${reason}`} />
        ) : (
          <a href={`/console/${what === "discover" ? "discoveries" : "measurements"}/${id}`}>
            {what} <code>{id.slice(0, 8)}</code>
          </a>
        ),
    },
    { head: "Run", isFigure: true, cell: ({ raised_run: run }) => String(run) },
    { head: "Raised", cell: ({ raised_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { head: "Cleared", cell: ({ cleared_at: at }) => (at === null ? "–" : <Age at={at} nowMs={nowMs} />) },
  ];
}
