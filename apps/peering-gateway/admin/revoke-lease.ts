/** Ends any user's lease, as an admin. */

import { noLease } from "../leases/no-lease.ts";
import { closeLease } from "../leases/release.ts";
import type { Services } from "../services.ts";

/** Throws Problem 404. */
export async function revokeLease(services: Services, prefix: string): Promise<void> {
  const { sql } = services.database;
  const [live] = await sql<{ user_hash: string }[]>`
    SELECT user_hash FROM leases
    WHERE prefix = ${prefix} AND closed_at IS NULL AND end_time > (SELECT vantage_now())`;
  if (live === undefined) {
    throw noLease("There is no live lease of this prefix");
  }
  await closeLease(services, { userHash: live.user_hash, prefix, as: "revoked", actor: "admin" });
}
