/**
 * The gateway's work of each second: expired measurements, measurements ended by others while they wait here, the
 * progress of long ones, and pending acceptances. Any gateway expires any measurement.
 */
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { repeatWork } from "../../../lib/engines/service/repeat-work.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { probeMessageBytes } from "../../../lib/net/wire/probe-codec.ts";
import type { Reachability } from "./agents/reachability.ts";
import { expiriesAtOnceMax, sweepMs } from "./limits.ts";
import { endParts } from "./measurements/end-parts.ts";
import { lockForRefund, refundUnsent } from "./measurements/refunds.ts";
import { removeExpiredPackets } from "./packets/packet-files.ts";
import type { Dispatcher } from "./submit/dispatcher.ts";
import type { MeasurementLedger } from "./submit/measurement-ledger.ts";
import type { PendingAccepts } from "./submit/pending-accepts.ts";
import { removeOldRefusals } from "./submit/refusals.ts";
import { unpublished } from "./submit/resume.ts";
import type { SpoolFolder } from "./submit/spool-folder.ts";

interface SweepParts {
  readonly database: Database;
  readonly gatewayId: string;
  readonly dispatcher: Dispatcher;
  readonly ledger: MeasurementLedger;
  readonly spoolFolder: SpoolFolder;
  readonly pendingAccepts: PendingAccepts;
  readonly log: Logger;
  readonly reachability: Pick<Reachability, "seen">;
}

/** Starts the sweep; disposing waits for the current round. */
export function startSweep(parts: SweepParts): AsyncDisposable {
  return repeatWork({
    look: async () => {
      await sweep(parts);
      parts.reachability.seen();
      return sweepMs;
    },
    complain: (error) => parts.log.error("Cannot sweep measurements; trying again", { error }),
    waitMs: sweepMs,
    waitsFirst: true,
  });
}

async function sweep(parts: SweepParts): Promise<void> {
  const { dispatcher, ledger, database } = parts;
  const expired = await expire(database);
  dispatcher.stop(expired);
  dispatcher.stop(await closeAbandoned(database));
  await settleOverdue(database);
  await removeExpiredPackets(database);
  await removeOldRefusals(database);
  dispatcher.stop(await endedElsewhere(database, dispatcher.waitingIds()));
  await ledger.note(dispatcher.underWay());
  await settleDoubts(parts);
}

/** Expires measurements and resolves to their ids. */
export function expire({ sql, timed }: Database): Promise<string[]> {
  return timed("measurement_expire", () =>
    sql.begin(async (tx) => {
      const rows = await tx<{ measurement_id: string }[]>`
        SELECT measurement_id FROM measurements
        WHERE ended_at IS NULL AND not_after < now()
        ORDER BY not_after LIMIT ${expiriesAtOnceMax} FOR UPDATE SKIP LOCKED`;
      const measurementIds = rows.map(({ measurement_id }) => measurement_id);
      if (measurementIds.length > 0) {
        const error = "Not finished in time";
        await endParts(tx, { measurementIds, agentId: null, status: "expired", error, isSettled: true });
      }
      return measurementIds;
    }),
  );
}

/**
 * Closes abandoned open measurements once their agents have sent all, as their user would have: they are complete.
 * Resolves to their ids.
 */
export function closeAbandoned({ sql, timed }: Database): Promise<string[]> {
  return timed("measurement_close", () =>
    sql.begin(async (tx) => {
      const rows = await tx<{ measurement_id: string }[]>`
        SELECT measurement_id FROM measurements AS whole
        WHERE open_until < now() AND ended_at IS NULL AND NOT EXISTS (
          SELECT FROM measurement_agents AS part
          WHERE part.measurement_id = whole.measurement_id AND sent_probes + failed_probes < expected_probes)
        ORDER BY open_until LIMIT ${expiriesAtOnceMax} FOR UPDATE SKIP LOCKED`;
      const measurementIds = rows.map(({ measurement_id }) => measurement_id);
      if (measurementIds.length > 0) {
        const ending = {
          measurementIds,
          agentId: null,
          status: "cancelled",
          error: null,
          isSettled: false,
        } as const;
        await endParts(tx, ending);
        await tx`UPDATE measurements SET finished_at = now() WHERE measurement_id = ANY(${measurementIds}::uuid[])`;
      }
      return measurementIds;
    }),
  );
}

/** Unreported probes of measurements that ended early count as not sent: agents skip them from now on. */
export function settleOverdue({ sql, timed }: Database): Promise<void> {
  return timed("measurement_settle", () =>
    sql.begin(async (tx) => {
      const rows = await tx<{ measurement_id: string }[]>`
        SELECT measurement_id FROM measurements WHERE settle_at < now()
        ORDER BY settle_at LIMIT ${expiriesAtOnceMax} FOR UPDATE SKIP LOCKED`;
      const ids = rows.map(({ measurement_id }) => measurement_id);
      if (ids.length > 0) {
        await lockForRefund(tx, ids);
        await tx`
          UPDATE measurement_agents SET settled_at = now()
          WHERE measurement_id = ANY(${ids}::uuid[]) AND settled_at IS NULL AND status IN ('cancelled', 'failed')`;
        await refundUnsent(tx, ids);
        await tx`UPDATE measurements SET settle_at = NULL WHERE measurement_id = ANY(${ids}::uuid[])`;
      }
    }),
  );
}

async function endedElsewhere({ sql, timed }: Database, waiting: readonly string[]): Promise<string[]> {
  if (waiting.length === 0) {
    return [];
  }
  const rows = await timed(
    "measurement_ended",
    () => sql<{ measurement_id: string }[]>`
      SELECT measurement_id FROM measurements
      WHERE measurement_id = ANY(${waiting as string[]}::uuid[]) AND ended_at IS NOT NULL`,
  );
  return rows.map(({ measurement_id }) => measurement_id);
}

/** Publishes submissions that were accepted after all, and removes the rest. */
async function settleDoubts({
  database,
  gatewayId,
  dispatcher,
  spoolFolder,
  pendingAccepts,
  log,
}: SweepParts): Promise<void> {
  const settled = pendingAccepts.settled();
  if (settled.length === 0) {
    return;
  }
  const ids = settled.map(({ measurementId }) => measurementId);
  const accepted = await unpublished(database.sql, gatewayId, spoolFolder, ids);
  for (const { measurementId, probes } of settled) {
    pendingAccepts.resolve(measurementId);
    spoolFolder.give(probes * probeMessageBytes);
    if (!accepted.some((outgoing) => outgoing.measurementId === measurementId)) {
      await spoolFolder.remove(measurementId);
    }
  }
  for (const outgoing of accepted) {
    const { measurementId: measurement_id, requestId: request_id } = outgoing;
    log.info("A pending submission was accepted", { measurement_id, request_id });
    dispatcher.add(outgoing);
  }
}
