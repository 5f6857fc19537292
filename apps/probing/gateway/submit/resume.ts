/** Resumes the accepted measurements of an earlier process of this gateway, from their progress on disk. */
import type { Sql } from "postgres";
import { recordBytesMax } from "../../../../lib/engines/broker/broker.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { shapeOfJson } from "../../../../lib/net/wire/probe-shape.ts";
import type { MeasurementShare } from "../safety/destination-share.ts";
import { Outgoing } from "./outgoing.ts";
import type { SpoolFolder } from "./spool-folder.ts";

interface Row {
  readonly id: string;
  readonly measurement_id: string;
  readonly first_probe: number;
  readonly is_open: boolean;
  readonly interval_ms: number | null;
  readonly records_packets: boolean;
  readonly request_id: string | null;
  readonly shape: unknown;
  readonly probes: number;
  readonly record_probes: number;
  readonly not_after: Date;
  readonly share: MeasurementShare | null;
  readonly targets: readonly { readonly agent: string; readonly source: string | null }[];
}

/**
 * Accepted measurements that are not published yet, oldest first, with their room in the spool folder reserved.
 * `ids`: only these. Includes additions to open measurements.
 */
export async function unpublished(
  sql: Sql,
  gatewayId: string,
  folder: SpoolFolder,
  ids?: readonly string[],
): Promise<Outgoing[]> {
  const rows = await sql<Row[]>`
    SELECT piece.measurement_id AS id, whole.measurement_id, piece.first_probe, whole.open_until IS NOT NULL AS is_open,
      piece.interval_ms, whole.records_packets, piece.probes, piece.record_probes, piece.not_after, piece.share,
      targets, piece.answer->>'request_id' AS request_id, piece.answer->'shape' AS shape
    FROM measurements AS piece
      JOIN measurements AS whole ON whole.measurement_id = coalesce(piece.part_of, piece.measurement_id),
    LATERAL (
      SELECT jsonb_agg(jsonb_build_object('agent', agent_id, 'source', host(source_address))) AS targets
      FROM measurement_targets AS target WHERE target.measurement_id = whole.measurement_id
    ) AS target
    WHERE piece.gateway_id = ${gatewayId} AND piece.published_at IS NULL AND whole.ended_at IS NULL
      AND (piece.ended_at IS NULL OR piece.part_of IS NOT NULL AND piece.publishing_ended_at IS NULL)
      ${ids === undefined ? sql`` : sql`AND piece.measurement_id = ANY(${ids as string[]}::uuid[])`}
    ORDER BY piece.started_at`;
  return rows.map((row) => outgoingOf(row, folder));
}

/** The size limit of a record may have changed; its number of probes keeps the record boundaries. */
function outgoingOf(row: Row, folder: SpoolFolder) {
  const { id, measurement_id, probes, record_probes, not_after, share, targets } = row;
  const order = {
    id,
    measurementId: measurement_id,
    firstProbe: row.first_probe,
    isOpen: row.is_open,
    intervalMs: row.interval_ms,
    recordsPackets: row.records_packets,
    requestId: row.request_id,
    shape: shapeOfJson(row.shape ?? {}) ?? {},
    targets: targets.map(targetOf),
    probes,
    recordProbes: record_probes,
    recordBytesMax,
    notAfterMs: not_after.getTime(),
    share,
  };
  const outgoing = new Outgoing(order, folder, null);
  folder.takeAnyway(outgoing.spoolBytes);
  return outgoing;
}

function targetOf({ agent, source }: Row["targets"][number]): Target {
  return { agent, source: source === null ? null : parseAddress(source) };
}

/** Removes the files of submissions that were never accepted, or have ended. Resolves to their number. */
export async function removeOrphans(folder: SpoolFolder, accepted: readonly Outgoing[]): Promise<number> {
  const known = new Set(accepted.map(({ id }) => id));
  const orphans = folder.list().filter((id) => !known.has(id));
  for (const id of orphans) {
    await folder.remove(id);
  }
  return orphans.length;
}
