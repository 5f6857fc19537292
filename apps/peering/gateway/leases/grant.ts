/** New leases, and longer ones. */
import type { Identity } from "../../../../lib/engines/auth/token-verifier.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import { noLease } from "../no-lease.ts";
import type { Rpki } from "../rpki/rpki.ts";
import type { Services } from "../services.ts";
import { type AccountServices, suspended, withAccount } from "../users/accounts.ts";
import { noAsn } from "../users/asn.ts";

interface Granted {
  readonly prefix: string;
  readonly start_time: Date;
  readonly end_time: Date;
  readonly rpki_enabled: boolean;
}

type Outcome =
  | ("granted" | "renewed")
  | ("bad_duration" | "suspended" | "no_asn" | "too_many" | "no_prefix" | "no_lease")
  | "unknown_user";

interface GrantRow extends Granted {
  readonly outcome: Outcome;
  /** The limit that held. */
  readonly hours_max: number;
}

export interface LeaseServices extends Pick<Services, "config" | "metrics">, AccountServices {
  readonly rpki: Rpki;
}

/** Also assigns an ASN to who has none. Throws Problem. */
export async function grantLease(
  services: LeaseServices,
  identity: Identity,
  hours: number,
): Promise<Granted> {
  const { config, database, metrics, rpki } = services;
  const { hoursMax, perUserMax, coolDownMinutes } = config.leases;
  const answer = await withAccount(services, identity, () =>
    oneAnswer(
      database.timed(
        "lease_grant",
        () => database.sql<GrantRow[]>`
          SELECT outcome, hours_max, (given).prefix, (given).start_time, (given).end_time, (given).rpki_enabled
          FROM grant_lease(${identity.userHash}, ${clamped(hours)}, ${hoursMax}, ${perUserMax},
            make_interval(mins => ${coolDownMinutes}), ${rpki.isOnFromStart})`,
      ),
    ),
  );
  if (answer.outcome !== "granted") {
    throw refusal(answer, metrics);
  }
  metrics.leaseGranted();
  return granted(services, answer);
}

/** `hours` from now. Throws Problem. */
export async function renewLease(
  services: LeaseServices,
  { userHash }: Identity,
  { prefix, hours }: { readonly prefix: string; readonly hours: number },
): Promise<Granted> {
  const { config, database, metrics } = services;
  const { hoursMax, coolDownMinutes } = config.leases;
  const answer = await oneAnswer(
    database.timed(
      "lease_renew",
      () => database.sql<GrantRow[]>`
        SELECT outcome, hours_max, (given).prefix, (given).start_time, (given).end_time, (given).rpki_enabled
        FROM renew_lease(${userHash}, ${prefix}, ${clamped(hours)}, ${hoursMax},
          make_interval(mins => ${coolDownMinutes}))`,
    ),
  );
  if (answer.outcome !== "renewed") {
    throw refusal(answer, metrics);
  }
  return granted(services, answer);
}

async function oneAnswer(asked: Promise<GrantRow[]>): Promise<GrantRow> {
  return rowOf(await asked);
}

/** What fits the database's integer; no limit is near its ends. */
function clamped(hours: number): number {
  return Math.max(-1, Math.min(hours, 2 ** 31 - 1));
}

function granted({ rpki }: LeaseServices, { prefix, start_time, end_time, rpki_enabled }: GrantRow): Granted {
  return { prefix, start_time, end_time, rpki_enabled: rpki.isAlwaysOn || rpki_enabled };
}

function refusal({ outcome, hours_max }: GrantRow, { http }: LeaseServices["metrics"]): Problem {
  switch (outcome) {
    case "bad_duration":
      return problem(400, "invalid_duration", `Duration must be between 1 and ${hours_max} hours`);
    case "suspended":
      return suspended();
    case "no_asn":
      return noAsn();
    case "no_lease":
      return noLease();
    case "too_many":
      http.quotaViolation();
      return problem(403, "lease_limit", "Maximum lease limit reached.");
    case "no_prefix":
      return problem(503, "prefix_pool_empty", "No available prefixes at this time");
    default:
      throw new Error(`Cannot explain the outcome ${outcome}`);
  }
}
