/** @jsxImportSource hono/jsx */
/** A measurement's progress, as a whole and at each agent; follows its events while it runs. */
import * as v from "valibot";
import { measurementAnswer, measurementPartAnswer } from "../../../../lib/base/api/measurements.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { Action } from "../../parts/field.tsx";
import { Figure } from "../../parts/figure.tsx";
import { Id } from "../../parts/id.tsx";
import { Mark, statusLooks } from "../../parts/mark.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age, Time } from "../../parts/time.tsx";

export const statusAnswer = v.object({
  ...measurementAnswer.entries,
  agents: v.array(measurementPartAnswer),
});
export type OwnStatus = v.InferOutput<typeof statusAnswer>;
/** The part that others may see. */
export type MeasurementStatus = Omit<OwnStatus, "note" | "origin" | "folded_runs">;
type Part = MeasurementStatus["agents"][number];

interface ProgressProps {
  readonly status: MeasurementStatus;
  readonly nowMs: number;
  /** While it runs. */
  readonly everySec: number;
  /** Whether the visitor may cancel it. */
  readonly isOwn: boolean;
}

export function Progress({ status, nowMs, everySec, isOwn }: ProgressProps) {
  const {
    total_sent_probes: sent,
    total_expected_probes: expected,
    measurement_complete: isComplete,
  } = status;
  return (
    <section id="progress" aria-label="Progress" data-every-s={isComplete ? undefined : String(everySec)}>
      <p>
        <Id id={status.measurement_id} /> <Mark look={statusLooks[status.status]} word={status.status} />
      </p>
      <dl class="figures">
        <Figure name="Sent" value={`${grouped(sent)} of ${grouped(expected)}`} />
        <Figure name="Answers" value={grouped(status.total_received_replies)} />
        <Figure name="Failed" value={grouped(status.total_failed_probes)} />
        <Figure name="Agents done" value={`${status.completed_agents} of ${status.total_agents}`} />
      </dl>
      {isComplete ? null : <progress value={sent} max={Math.max(1, expected)} aria-label="Probes sent" />}
      {isComplete || !isOwn ? null : (
        <div class="actions">
          <Action
            call={`POST /api/measurements/${status.measurement_id}/cancel`}
            word="Cancel"
            of="the measurement"
            done="Cancelled: unsent probes are refunded"
            isDangerous
          />
        </div>
      )}
      <p class="soft">
        Started <Time at={status.started_at} />
        {status.ended_at === null ? null : (
          <>
            , ended <Time at={status.ended_at} />
          </>
        )}
      </p>
      <details>
        <summary>Agents</summary>
        <Table
          caption="Agents of the measurement"
          columns={columns(nowMs)}
          rows={status.agents}
          none="No agent."
        />
      </details>
    </section>
  );
}

function columns(nowMs: number): Column<Part>[] {
  return [
    { head: "Agent", isName: true, cell: ({ agent_id: id }) => id },
    { head: "State", cell: ({ status }) => <Mark look={statusLooks[status]} word={status} /> },
    { head: "Expected", isFigure: true, cell: ({ expected_probes: count }) => grouped(count) },
    { head: "Sent", isFigure: true, cell: ({ sent_probes: count }) => grouped(count) },
    { head: "Answers", isFigure: true, cell: ({ received_replies: count }) => grouped(count) },
    { head: "Failed", isFigure: true, cell: ({ failed_probes: count }) => grouped(count) },
    {
      head: "Reason",
      cell: ({ error, held_by_host: held }) => error ?? (held && `The agent is ${held}`) ?? "–",
    },
    { head: "Last update", cell: ({ updated_at: at }) => <Age at={at} nowMs={nowMs} /> },
  ];
}
