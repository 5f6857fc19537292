/** Ends a lease early. */
import { noLease } from "../no-lease.ts";
import type { Services } from "../services.ts";

interface Closing {
  readonly userHash: string;
  readonly prefix: string;
  readonly as: "released" | "revoked";
  /** `user:HASH` or `admin`. */
  readonly actor: string;
}

/** Throws Problem 404. */
export async function closeLease(
  { config, database, metrics }: Pick<Services, "config" | "database" | "metrics">,
  { userHash, prefix, as, actor }: Closing,
): Promise<void> {
  const [row] = await database.timed(
    "lease_close",
    () => database.sql<{ closed: boolean }[]>`
      SELECT close_lease(${userHash}, ${prefix}, ${as}, make_interval(mins => ${config.leases.coolDownMinutes}),
        ${actor}) AS closed`,
  );
  if (row?.closed !== true) {
    throw noLease();
  }
  metrics.leaseClosed(as);
}
