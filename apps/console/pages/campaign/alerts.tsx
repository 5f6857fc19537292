/** @jsxImportSource hono/jsx */
/** Alerts: what was seen, from where, in which runs; and what was sent of them. */
import type * as v from "valibot";
import type { alertAnswer, alertDeliveryAnswer } from "../../../../lib/base/api/alerts.ts";
import { Foreign } from "../../parts/foreign.tsx";
import { type Look, Mark } from "../../parts/mark.tsx";
import type { Column } from "../../parts/table.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { nameOf } from "./alert-rules.tsx";

type Alert = v.InferOutput<typeof alertAnswer>;
type Delivery = v.InferOutput<typeof alertDeliveryAnswer>;

export function alertColumns(nowMs: number): Column<Alert>[] {
  return [
    { head: "Alert", isName: true, cell: ({ detector }) => nameOf(detector) },
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
    { head: "Reason", cell: ({ reason }) => <Foreign text={reason} /> },
    {
      head: "Follow-up",
      cell: ({ follow_up: what, follow_up_id: id, follow_up_state: state, follow_up_reason: reason }) =>
        id === null ? (
          <Foreign text={reason === null ? (state ?? "–") : `not started: ${reason}`} />
        ) : (
          <a
            href={what === "discover" ? `/console/discovery?discovery=${id}` : `/console/measurements/${id}`}
          >
            {what} <code>{id.slice(0, 8)}</code>
          </a>
        ),
    },
    { head: "Run", isFigure: true, cell: ({ raised_run: run }) => String(run) },
    { head: "Raised", cell: ({ raised_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { head: "Cleared", cell: ({ cleared_at: at }) => (at === null ? "–" : <Age at={at} nowMs={nowMs} />) },
  ];
}

const deliveryLooks: Readonly<Record<Delivery["state"], Look>> = {
  due: "wait",
  delivered: "good",
  failed: "bad",
};

export function deliveryColumns(nowMs: number): Column<Delivery>[] {
  return [
    { head: "To", isName: true, cell: ({ place }) => <Foreign text={place} /> },
    { head: "State", cell: ({ state }) => <Mark look={deliveryLooks[state]} word={state} /> },
    { head: "Run", isFigure: true, cell: ({ run }) => String(run) },
    { head: "Alerts", isFigure: true, cell: ({ events }) => String(events) },
    { head: "Attempts", isFigure: true, cell: ({ attempts }) => String(attempts.length) },
    {
      head: "Last attempt",
      isSentence: true,
      cell: ({ attempts }) => <Foreign text={attempts.at(-1)?.outcome ?? "–"} />,
    },
    { head: "Next attempt", cell: ({ next_at: at }) => <Time at={at} /> },
    { head: "Created", cell: ({ created_at: at }) => <Age at={at} nowMs={nowMs} /> },
  ];
}
