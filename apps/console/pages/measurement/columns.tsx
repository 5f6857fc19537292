/** @jsxImportSource hono/jsx */
/** Columns that all tables of measurements have. */
import type * as v from "valibot";
import type { measurementAnswer } from "../../../../lib/base/api/measurements.ts";
import { Foreign } from "../../parts/foreign.tsx";
import { Mark, statusLooks } from "../../parts/mark.tsx";
import type { Column } from "../../parts/table.tsx";
import { Age } from "../../parts/time.tsx";

export type Measurement = v.InferOutput<typeof measurementAnswer>;

export const titleColumn: Column<Measurement> = {
  head: "Measurement",
  isName: true,
  cell: ({ measurement_id: id, title }) => (
    <a href={`/console/measurements/${id}`} title={id}>
      <Foreign text={title} />
    </a>
  ),
};

export const stateColumn: Column<Measurement> = {
  head: "State",
  cell: ({ status }) => <Mark look={statusLooks[status]} word={status} />,
};

export function startedColumn(nowMs: number): Column<Measurement> {
  return { head: "Started", cell: ({ started_at: at }) => <Age at={at} nowMs={nowMs} /> };
}
