/** Periodic work: warns of leases that end soon, closes expired ones, ends announcements, deletes old history. */
import { repeatWork } from "../../../lib/engines/service/repeat-work.ts";
import { historyDeletesMax, sweepLeasesMax, sweepMs } from "./limits.ts";
import type { ChangeFeed } from "./service/change-feed.ts";
import type { Services } from "./services.ts";

interface SweepServices extends Pick<Services, "config" | "database" | "log"> {
  readonly feed: Pick<ChangeFeed, "look">;
}

/** Sweeps twice a second until it is disposed. Several gateways may: each lease is warned of once. */
export function startSweep(services: SweepServices): AsyncDisposable {
  return repeatWork({
    look: async () => {
      await sweep(services);
      return sweepMs;
    },
    complain: (error) => services.log.warn("Cannot sweep leases; trying again", { error }),
    waitMs: sweepMs,
  });
}

async function sweep({ config, database, feed }: SweepServices): Promise<void> {
  const { sql, timed } = database;
  const { endsSoonMs, historyDays } = config.leases;
  const soonSec = endsSoonMs / 1000;
  const [row] = await timed(
    "leases_sweep",
    () => sql<{ swept: number }[]>`
      SELECT sweep_leases(make_interval(secs => ${soonSec}), ${sweepLeasesMax}) AS swept`,
  );
  const [ended] = await timed(
    "announcements_sweep",
    () => sql<{ swept: number }[]>`SELECT sweep_announcements(${sweepLeasesMax}) AS swept`,
  );
  if ((row?.swept ?? 0) + (ended?.swept ?? 0) > 0) {
    feed.look();
  }
  if (historyDays !== null) {
    await timed(
      "history_delete",
      () => sql`
        DELETE FROM leases WHERE lease_id IN (
          SELECT lease_id FROM leases
          WHERE closed_at < vantage_now() - make_interval(days => ${historyDays}) AND held_until < vantage_now()
          ORDER BY closed_at LIMIT ${historyDeletesMax})`,
    );
  }
}
