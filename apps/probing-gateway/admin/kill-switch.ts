/** The kill switch of the whole platform: agents learn of it with their next report, within a second. */
import type { Database } from "../../../lib/store/postgres/open.ts";
import { writeAudit } from "../audit.ts";

interface KillSwitch {
  /** Null = probing goes on. */
  readonly killed_at: Date | null;
  readonly killed_reason: string | null;
}

export async function readKillSwitch({ sql, timed }: Database): Promise<KillSwitch> {
  const [state] = await timed(
    "kill_switch",
    () => sql<KillSwitch[]>`SELECT killed_at, killed_reason FROM platform`,
  );
  return state ?? { killed_at: null, killed_reason: null };
}

/** `reason` null = resume probing. */
export async function setKillSwitch(database: Database, reason: string | null): Promise<KillSwitch> {
  await database.timed("kill_switch_change", () =>
    database.sql.begin(async (tx) => {
      await tx`
        UPDATE platform SET killed_reason = ${reason},
          killed_at = CASE WHEN ${reason}::text IS NOT NULL THEN coalesce(killed_at, now()) END`;
      const action = reason === null ? "platform.resume" : "platform.kill";
      await writeAudit(tx, { actor: "admin", action, subject: "platform", details: { reason } });
    }),
  );
  return readKillSwitch(database);
}
