/** Cancels the rest of a measurement; published probes stay charged until their agent reports them as not sent. */
import type { TransactionSql } from "postgres";
import type { cancellationAnswer } from "../../../../lib/base/api/measurements.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { type PartStatus, wholeStatus } from "../../../../lib/measuring/probing/lifecycle.ts";
import { endParts } from "./end-parts.ts";
import { unknownMeasurement } from "./find-measurement.ts";
import { partStatus } from "./measurement-view.ts";

type Cancellation = StoredAnswer<typeof cancellationAnswer>;

interface CancelOrder {
  readonly own: Owned;
  /** The rest is no longer needed: the measurement counts as complete. */
  readonly isFinished: boolean;
}

/** Throws Problem 404 for a measurement of another user. */
export function cancelMeasurement(database: Database, order: CancelOrder): Promise<Cancellation> {
  return database.timed("measurement_cancel", () => database.sql.begin((tx) => cancel(tx, order)));
}

async function cancel(
  tx: TransactionSql,
  { own: { userHash, id: measurement_id }, isFinished }: CancelOrder,
): Promise<Cancellation> {
  const [found] = await tx`
    SELECT FROM measurements
    WHERE measurement_id = ${measurement_id} AND user_hash = ${userHash} AND part_of IS NULL FOR UPDATE`;
  if (found === undefined) {
    throw unknownMeasurement();
  }
  const ending = {
    measurementIds: [measurement_id],
    agentId: null,
    status: "cancelled",
    error: null,
    isSettled: false,
  } as const;
  const agents_cancelled = await endParts(tx, ending);
  if (agents_cancelled > 0) {
    if (isFinished) {
      await tx`UPDATE measurements SET finished_at = now() WHERE measurement_id = ${measurement_id}`;
    }
    const message = isFinished ? "Measurement finished" : "Measurement cancelled";
    return { measurement_id, cancelled: true, measurement_cancelled: !isFinished, agents_cancelled, message };
  }
  const status = await statusOf(tx, measurement_id);
  const isCancelled = status === "cancelled";
  return {
    measurement_id,
    cancelled: false,
    measurement_cancelled: isCancelled,
    agents_cancelled,
    message: isCancelled
      ? "Measurement already cancelled"
      : `Measurement already ${status}; nothing to cancel`,
  };
}

async function statusOf(tx: TransactionSql, measurementId: string): Promise<PartStatus> {
  const parts = await tx<{ status: PartStatus }[]>`
    SELECT ${partStatus(tx)} AS status FROM measurement_agents AS part JOIN measurements AS whole USING (measurement_id)
    WHERE measurement_id = ${measurementId}`;
  return wholeStatus(parts.map(({ status }) => status));
}
