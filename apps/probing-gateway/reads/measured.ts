/** What reading needs to know of a measurement: when it was, and where its probes came from. */
import { type Address, address, formatAddress } from "../../../lib/ip/address.ts";
import type { Attribution } from "../../../lib/store/clickhouse/attribution.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";
import { unknownMeasurement } from "../measurements/find-measurement.ts";
import { answersAfterMs, answersBeforeMs, rivalAgeHoursMax, rivalsMax } from "./limits.ts";

export interface Measured {
  readonly id: string;
  readonly startedAt: Date;
  /** Null while it goes on. */
  readonly endedAt: Date | null;
  /** By the database's clock, as the others. */
  readonly askedAt: Date;
  /** Agents and sources that were to send each probe. */
  readonly targets: number;
  /** Where the user gave them. */
  readonly sources: readonly Address[];
  /** Agents to which the source was left. */
  readonly agents: readonly string[];
}

interface MeasuredRow extends Omit<Measured, "sources"> {
  readonly sources: readonly string[];
}

/** Throws Problem 404 for what is not the user's. */
export async function findMeasured(
  { sql, timed }: Database,
  userHash: string,
  measurementId: string,
): Promise<Measured> {
  const [row] = await timed(
    "measurement_sources",
    () => sql<MeasuredRow[]>`
      SELECT measurement_id AS id, started_at AS "startedAt", ended_at AS "endedAt", now() AS "askedAt",
        (SELECT count(*)::integer FROM measurement_targets AS target
          WHERE target.measurement_id = whole.measurement_id) AS targets,
        ARRAY(SELECT DISTINCT host(source_address) FROM measurement_targets AS target
          WHERE target.measurement_id = whole.measurement_id AND source_address IS NOT NULL) AS sources,
        ARRAY(SELECT agent_id FROM measurement_targets AS target
          WHERE target.measurement_id = whole.measurement_id AND source_address IS NULL) AS agents
      FROM measurements AS whole WHERE measurement_id = ${measurementId} AND user_hash = ${userHash}`,
  );
  if (row === undefined) {
    throw unknownMeasurement();
  }
  return { ...row, sources: row.sources.map(address) };
}

/** How its replies without a measurement are found, as far as the measurement itself says. */
export function attributionOf({ startedAt, endedAt, askedAt, sources, agents }: Measured): Attribution {
  return {
    fromMs: startedAt.getTime() - answersBeforeMs,
    untilMs: (endedAt ?? askedAt).getTime() + answersAfterMs,
    sources,
    agents,
    rivals: [],
  };
}

/** Other measurements, of anybody, that may have sent the same probes from the same place at the time. */
export async function findRivals({ sql, timed }: Database, measured: Measured): Promise<readonly string[]> {
  const { id, sources, agents } = measured;
  const { fromMs, untilMs } = attributionOf(measured);
  const texts = sources.map(formatAddress);
  const rows = await timed(
    "measurement_rivals",
    () => sql<{ measurement_id: string }[]>`
      SELECT measurement_id FROM measurements JOIN measurement_targets AS target USING (measurement_id)
      WHERE started_at BETWEEN ${new Date(fromMs)}::timestamptz - ${rivalAgeHoursMax} * interval '1 hour'
          AND ${new Date(untilMs)}
        AND (ended_at IS NULL OR ended_at >= ${new Date(fromMs)})
        AND measurement_id <> ${id}
        AND (source_address = ANY(${texts}::inet[])
          OR source_address IS NULL AND agent_id = ANY(${agents as string[]}))
      GROUP BY measurement_id, started_at ORDER BY started_at DESC LIMIT ${rivalsMax}`,
  );
  return rows.map(({ measurement_id }) => measurement_id);
}
