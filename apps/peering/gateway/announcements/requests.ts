/** Changes of a user's announcements, and what the user's client stack makes of them. */
import type * as v from "valibot";
import type { changedAnswer, reportBody } from "../../../../lib/base/api/announcements.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { reportMachinesMax, requestServersOfPrefixMax } from "../limits.ts";
import { noLease } from "../no-lease.ts";
import type { Services } from "../services.ts";
import { suspended } from "../users/accounts.ts";
import type { StoredWay } from "./way.ts";

export interface AnnouncementRequest {
  readonly prefix: string;
  readonly servers: readonly string[];
  readonly announce: boolean;
  /** What the API takes besides: kept as it is. */
  readonly how: StoredWay;
  readonly until: string | null;
}

type Changed = v.InferOutput<typeof changedAnswer>;

export interface RequestRow {
  readonly outcome:
    | "no_lease"
    | "not_granted"
    | "stopped"
    | "suspended"
    | "past"
    | "too_soon"
    | "too_many_servers"
    | Changed["outcome"];
  /** Prefix that stands against it; null = none, or it is not about a prefix. */
  readonly refused: string | null;
  readonly retry_at: Date | null;
  readonly version: number | null;
  /** The right that is missing, or why all announcements are stopped. */
  readonly why: string | null;
}

export type RequestServices = Pick<Services, "config" | "database" | "metrics">;

export interface Change {
  readonly userHash: string;
  /** All or none of them; each pair of prefix and server once. */
  readonly requests: readonly AnnouncementRequest[];
  /** Nothing is changed; the answer says what would be. */
  readonly isCheck: boolean;
}

/** Throws Problem. */
export async function setAnnouncements(
  services: RequestServices,
  { userHash, requests, isCheck }: Change,
): Promise<Changed> {
  const { database, config } = services;
  const { sql, timed } = database;
  const { prefixMinutes, perHourMax } = config.announcements;
  const [row] = await timed(
    "announcement_set",
    () => sql<RequestRow[]>`
      SELECT outcome, refused, retry_at, version, why
      FROM set_announcements(${userHash}, ${sql.json(storedRequests(requests))},
        make_interval(mins => ${prefixMinutes}), ${perHourMax}, ${requestServersOfPrefixMax}, ${isCheck})`,
  );
  return changedBy(services, row);
}

/** As the database takes them. */
export function storedRequests(requests: readonly AnnouncementRequest[]) {
  return requests.map(({ how, servers, ...rest }) => ({
    ...rest,
    servers: [...new Set(servers)],
    wish: how,
  }));
}

/** Throws Problem for a refusal. */
export function changedBy(services: RequestServices, row: RequestRow | undefined): Changed {
  if (row === undefined) {
    throw new Error("Cannot read the database's answer: it has no row");
  }
  const { outcome, refused, retry_at: retryAt, version, why } = row;
  switch (outcome) {
    case "changed":
    case "renewed":
    case "same":
      return { outcome, version };
    case "not_granted":
      throw notGranted(why ?? "");
    case "stopped":
      throw stopped(why ?? "");
    case "no_lease":
      throw noLease();
    case "suspended":
      throw suspended();
    case "past":
      throw problem(422, "invalid_body", "Cannot use the body: until is over");
    case "too_many_servers": {
      const most = `${requestServersOfPrefixMax} exchange servers at most may have their own requests for ${refused}`;
      throw problem(
        422,
        "invalid_body",
        `Cannot use the body: ${most}; announce or withdraw it at all (*) first`,
      );
    }
    default:
      throw tooSoon(services, retryAt ?? new Date(), refused);
  }
}

/** Exchange servers would refuse it: the caller gets the reason, and a program that renews stops. */
function stopped(reason: string): Problem {
  return problem(
    403,
    "announcements_stopped",
    `Cannot announce now: the operator has stopped all announcements (${reason}); try again once they are resumed`,
  );
}

/** The exchange checks again, by what it has from here: a revoked right ends the route. */
function notGranted(right: string): Problem {
  const words = rightsInWords.get(right) ?? right;
  return problem(
    403,
    "not_granted",
    `Cannot announce this: the right ${words} is granted by an operator; ask for it`,
  );
}

const rightsInWords: ReadonlyMap<string, string> = new Map([
  ["poison", "to poison paths"],
  ["blackhole", "to have addresses discarded"],
]);

function tooSoon({ config, metrics }: RequestServices, retryAt: Date, prefix: string | null): Problem {
  metrics.http.quotaViolation();
  const { prefixMinutes, perHourMax } = config.announcements;
  const rule = `a prefix may change every ${prefixMinutes} min, a user's prefixes ${perHourMax} times an hour`;
  const seconds = Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1000));
  return new Problem({
    status: 429,
    code: "announcement_limit",
    message: `Too soon: ${rule}; the next change of ${prefix} is allowed at ${retryAt.toISOString()}`,
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
