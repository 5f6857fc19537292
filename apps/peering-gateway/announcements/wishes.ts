/** Changes of a user's announcements, and what the user's client stack makes of them. */
import type * as v from "valibot";
import type { changedAnswer, reportBody } from "../../../lib/api/announcements.ts";
import { Problem } from "../../../lib/http/problem.ts";
import { noLease } from "../leases/no-lease.ts";
import { reportMachinesMax } from "../limits.ts";
import type { Services } from "../services.ts";
import { suspended } from "../users/accounts.ts";
import type { StoredWay } from "./way.ts";

interface Wish {
  readonly userHash: string;
  readonly prefix: string;
  readonly servers: readonly string[];
  readonly announce: boolean;
  /** What the API takes besides: kept as it is. */
  readonly how: StoredWay;
  readonly until: string | null;
}

type Changed = v.InferOutput<typeof changedAnswer>;

interface Row {
  readonly outcome: "no_lease" | "suspended" | "past" | "too_soon" | Changed["outcome"];
  readonly retry_at: Date | null;
  readonly version: number | null;
}

type WishServices = Pick<Services, "config" | "database" | "metrics">;

/** Throws Problem. With `isCheck` nothing is changed; the answer says what would be. */
export async function setWish(services: WishServices, wish: Wish, isCheck: boolean): Promise<Changed> {
  const { database, config } = services;
  const { sql, timed } = database;
  const { prefixMinutes, perHourMax } = config.announcements;
  const { userHash, prefix, servers, announce, how, until } = wish;
  const asked = (["poison", "blackhole"] as const).filter((right) => how[right] !== undefined);
  if (asked.length > 0) {
    await mustBeGranted(database, userHash, asked);
  }
  const [row] = await timed(
    "announcement_set",
    () => sql<Row[]>`
      SELECT outcome, retry_at, version FROM set_announcement(${userHash}, ${prefix},
        ${[...new Set(servers)]}::text[], ${announce}, ${sql.json(how)}, ${until}::timestamptz,
        make_interval(mins => ${prefixMinutes}), ${perHourMax}, ${isCheck})`,
  );
  if (row === undefined) {
    throw new Error("Cannot read the database's answer: it has no row");
  }
  const { outcome, retry_at: retryAt, version } = row;
  switch (outcome) {
    case "changed":
    case "renewed":
    case "same":
      return { outcome, version };
    case "no_lease":
      throw noLease();
    case "suspended":
      throw suspended();
    case "past":
      throw new Problem({ status: 422, code: "invalid_body", message: "Cannot use the body: until is over" });
    default:
      throw tooSoon(services, retryAt ?? new Date());
  }
}

/** The exchange asks again, by what it has from here: a right that is taken back ends the route. */
async function mustBeGranted(
  { sql, timed }: Services["database"],
  userHash: string,
  rights: readonly (keyof typeof rightInWords)[],
): Promise<void> {
  const [user] = await timed(
    "announcement_grant",
    () => sql<{ poison: boolean; blackhole: boolean }[]>`
      SELECT may_poison AS poison, may_blackhole AS blackhole FROM users WHERE user_hash = ${userHash}`,
  );
  const missing = rights.find((right) => user?.[right] !== true);
  if (missing !== undefined) {
    const message = `Cannot announce so: ${rightInWords[missing]} is a right that an operator gives; ask for it`;
    throw new Problem({ status: 403, code: "not_granted", message });
  }
}

const rightInWords = { poison: "to poison paths", blackhole: "to have addresses discarded" } as const;

function tooSoon({ config, metrics }: WishServices, retryAt: Date): Problem {
  metrics.http.quotaViolation();
  const { prefixMinutes, perHourMax } = config.announcements;
  const rule = `a prefix may change every ${prefixMinutes} min, a user's prefixes ${perHourMax} times an hour`;
  const seconds = Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1000));
  return new Problem({
    status: 429,
    code: "announcement_limit",
    message: `Too soon: ${rule}; the next change is allowed at ${retryAt.toISOString()}`,
    headers: { "retry-after": String(seconds) },
  });
}

type Report = v.InferOutput<typeof reportBody>;

/** Withdraws all prefixes of the user everywhere; how many there are. Always allowed. */
export async function withdrawAll(
  { database }: Pick<Services, "database">,
  userHash: string,
  actor: string,
): Promise<number> {
  const { sql, timed } = database;
  const [row] = await timed(
    "announcements_withdraw",
    () => sql<{ count: number }[]>`SELECT withdraw_all(${userHash}, ${actor}) AS count`,
  );
  return row?.count ?? 0;
}

/** Keeps the last report of a machine's client stack. False for a user that the gateway does not know. */
export async function keepReport(
  { database }: Pick<Services, "database">,
  userHash: string,
  { machine, version, taken_ns: takenNs, states }: Report,
): Promise<boolean> {
  const { sql, timed } = database;
  const kept = await timed(
    "announcement_report",
    () => sql`
      WITH old AS (
        DELETE FROM announcement_reports WHERE user_hash = ${userHash} AND machine IN (
          SELECT machine FROM announcement_reports WHERE user_hash = ${userHash} AND machine <> ${machine}
          ORDER BY received_at DESC OFFSET ${reportMachinesMax - 1}))
      INSERT INTO announcement_reports (user_hash, machine, version, taken_ns, received_at, states)
      SELECT user_hash, ${machine}, ${version}, ${takenNs}, vantage_now(), ${sql.json(states)}
      FROM users WHERE user_hash = ${userHash}
      ON CONFLICT (user_hash, machine) DO UPDATE SET version = excluded.version, taken_ns = excluded.taken_ns,
        received_at = excluded.received_at, states = excluded.states
      RETURNING 1`,
  );
  return kept.length > 0;
}
