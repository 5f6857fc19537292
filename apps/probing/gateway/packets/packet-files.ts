/** Packet files that agents recorded for users' measurements: stores, lists, returns and removes them. */
import type { packetFileAnswer } from "../../../../lib/base/api/measurements.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { storedBytes } from "../../campaigns/stored-bytes.ts";
import {
  packetBytesMax,
  packetBytesOfUserMax,
  packetFileKeepHours,
  packetFilesOfAgentMax,
} from "../limits.ts";
import { unknownMeasurement } from "../measurements/find-measurement.ts";

interface PacketFileOrder {
  readonly measurementId: string;
  readonly agentId: string;
  readonly interfaceName: string;
  readonly sent: number;
  readonly heard: number;
  readonly leftOut: number;
  readonly content: Uint8Array;
}

type PacketFileRow = StoredAnswer<typeof packetFileAnswer>;

/** Throws Problem 403. */
export async function checkMayRecord({ sql, timed }: Database, userHash: string): Promise<void> {
  const [row] = await timed(
    "packets_right",
    () => sql<{ may_record_packets: boolean }[]>`
      SELECT may_record_packets FROM users WHERE user_hash = ${userHash}`,
  );
  if (row?.may_record_packets !== true) {
    throw problem(
      403,
      "packets_not_granted",
      "Recording packets needs a grant from the gateway's operator: ask for one",
    );
  }
}

/**
 * Stores a file once. Throws Problem: 404 for a measurement in which the agent has no part, or whose user did not
 * request packets; 409 when there is no room for it.
 */
export async function storePackets(
  { sql, timed }: Database,
  bytesMax: number,
  order: PacketFileOrder,
): Promise<void> {
  const { measurementId: id, agentId, interfaceName, sent, heard, leftOut, content } = order;
  await timed("packets_store", () =>
    sql.begin(async (tx) => {
      const [owner] = await tx<{ user_hash: string }[]>`
        SELECT whole.user_hash FROM measurements AS whole JOIN measurement_agents USING (measurement_id)
        WHERE measurement_id = ${id} AND agent_id = ${agentId} AND records_packets`;
      if (owner === undefined) {
        throw unknownMeasurement();
      }
      // Serialised by user, so that the sums stay right.
      await tx`SELECT FROM users WHERE user_hash = ${owner.user_hash} FOR UPDATE`;
      const [room] = await tx<{ is_known: boolean; has_room: boolean }[]>`
        SELECT EXISTS (SELECT FROM packet_files WHERE measurement_id = ${id} AND agent_id = ${agentId}
            AND interface_name = ${interfaceName}) AS is_known,
          coalesce(sum(size_bytes) FILTER (WHERE user_hash = ${owner.user_hash}), 0) + ${content.length}
              <= ${packetBytesOfUserMax}
            AND coalesce(sum(size_bytes), 0) + ${content.length} <= ${packetBytesMax}
            AND count(*) FILTER (WHERE measurement_id = ${id} AND agent_id = ${agentId}) < ${packetFilesOfAgentMax}
            AS has_room
        FROM packet_files JOIN measurements USING (measurement_id)`;
      if (room?.is_known === true) {
        return;
      }
      const stored = await storedBytes(tx, owner.user_hash);
      if (room?.has_room !== true || stored + content.length > bytesMax) {
        throw problem(409, "packets_full", "There is no room for more packets");
      }
      await tx`
        INSERT INTO packet_files (measurement_id, agent_id, interface_name, sent_packets, heard_packets,
          left_out_packets, size_bytes, content, expires_at)
        VALUES (${id}, ${agentId}, ${interfaceName}, ${sent}, ${heard}, ${leftOut}, ${content.length}, ${content},
          now() + ${packetFileKeepHours} * interval '1 hour')`;
    }),
  );
}

/** The caller has checked that the measurement is the user's. */
export function listPackets({ sql, timed }: Database, { id }: Owned): Promise<PacketFileRow[]> {
  return timed(
    "packets_list",
    () => sql<PacketFileRow[]>`
      SELECT agent_id, interface_name AS interface, sent_packets, heard_packets, left_out_packets, size_bytes,
        stored_at, expires_at
      FROM packet_files WHERE measurement_id = ${id} AND expires_at > now()
      ORDER BY agent_id, interface_name`,
  );
}

interface WantedFile {
  readonly own: Owned;
  readonly agentId: string;
  readonly interfaceName: string;
}

/** Throws Problem 404 for a file that does not exist, or is another user's. */
export async function readPackets({ sql, timed }: Database, wanted: WantedFile): Promise<Uint8Array> {
  const { own, agentId, interfaceName } = wanted;
  const [row] = await timed(
    "packets_read",
    () => sql<{ content: Uint8Array }[]>`
      SELECT content FROM packet_files JOIN measurements USING (measurement_id)
      WHERE measurement_id = ${own.id} AND user_hash = ${own.userHash} AND agent_id = ${agentId}
        AND interface_name = ${interfaceName} AND expires_at > now()`,
  );
  if (row === undefined) {
    throw problem(404, "packets_not_found", "There are no packets of this measurement, agent and interface");
  }
  return row.content;
}

export async function removeExpiredPackets({ sql, timed }: Database): Promise<void> {
  await timed("packets_expire", () => sql`DELETE FROM packet_files WHERE expires_at <= now()`);
}
