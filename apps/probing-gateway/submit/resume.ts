/** Resumes the accepted measurements of an earlier process of this gateway, from their progress on disk. */
import type { Sql } from "postgres";
import { recordBytesMax } from "../../../lib/broker/broker.ts";
import { parseAddress } from "../../../lib/ip/address.ts";
import type { Target } from "../../../lib/submission/targets.ts";
import type { MeasurementShare } from "../safety/destination-share.ts";
import { Outgoing } from "./outgoing.ts";
import type { SpoolFolder } from "./spool-folder.ts";

interface Row {
  readonly measurement_id: string;
  readonly probes: number;
  readonly record_probes: number;
  readonly not_after: Date;
  readonly share: MeasurementShare | null;
  readonly targets: readonly { readonly agent: string; readonly source: string | null }[];
}

/**
 * Accepted measurements that are not published yet, oldest first, with their room in the spool folder reserved.
 * `measurementIds`: only these.
 */
export async function unpublished(
  sql: Sql,
  gatewayId: string,
  folder: SpoolFolder,
  measurementIds?: readonly string[],
): Promise<Outgoing[]> {
  const rows = await sql<Row[]>`
    SELECT measurement_id, probes, record_probes, not_after, share, targets
    FROM measurements AS whole, LATERAL (
      SELECT jsonb_agg(jsonb_build_object('agent', agent_id, 'source', host(source_address))) AS targets
      FROM measurement_targets AS target WHERE target.measurement_id = whole.measurement_id
    ) AS target
    WHERE gateway_id = ${gatewayId} AND published_at IS NULL AND ended_at IS NULL
      ${measurementIds === undefined ? sql`` : sql`AND measurement_id = ANY(${measurementIds as string[]}::uuid[])`}
    ORDER BY started_at`;
  return rows.map((row) => outgoingOf(row, folder));
}

/** The size limit of a record may have changed; its number of probes keeps the record boundaries. */
function outgoingOf(row: Row, folder: SpoolFolder) {
  const { measurement_id, probes, record_probes, not_after, share, targets } = row;
  const order = {
    measurementId: measurement_id,
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
  const known = new Set(accepted.map(({ measurementId }) => measurementId));
  const orphans = folder.list().filter((id) => !known.has(id));
  for (const id of orphans) {
    await folder.remove(id);
  }
  return orphans.length;
}
