/**
 * Route origin authorisations of leased prefixes: the port, and its adapters.
 *
 * `none`: another system authorises, or none; nothing can be switched here. `local`: this gateway publishes the
 * authorisations, in a form that an RTR server reads. `krill`: so it does, and makes them ROAs, and of users' ASNs ASPA
 * objects where configured (krill-publisher.ts).
 * The platform's AS is the origin of everything.
 */
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { leaseLengthBits } from "../../../../lib/peering/lease/limits.ts";
import { blocksOf } from "../../../../lib/peering/lease/prefix-number.ts";
import type { RpkiConfig } from "../config.ts";
import type { Aspa } from "./aspa.ts";
import type { Roa } from "./roa.ts";

export interface Rpki {
  /** The whole pool is authorised, so each lease is, and cannot be switched. */
  readonly isAlwaysOn: boolean;
  /** Initial state of a new lease. */
  readonly isOnFromStart: boolean;
  /** Null = it cannot be switched here. */
  readonly publisher: RpkiPublisher | null;
}

export interface RpkiPublisher {
  /** The current authorisations. */
  authorised(): Promise<Roa[]>;
  /** Each ASN that a user has, with the platform's AS as its one provider. */
  aspas(): Promise<Aspa[]>;
  /** Switches the authorisation of a live lease of the user. */
  switch(userHash: string, prefix: string, isOn: boolean): Promise<"no_lease" | "same" | "changed">;
}

export function openRpki(database: Database, { mode, adapter, originAsn }: RpkiConfig): Rpki {
  const isOurs = adapter !== "none" && originAsn !== null;
  return {
    isAlwaysOn: mode === "pool",
    isOnFromStart: mode === "pool" || isOurs,
    publisher: isOurs ? ownPublisher(database, mode, originAsn) : null,
  };
}

function ownPublisher(database: Database, mode: RpkiConfig["mode"], asn: number): RpkiPublisher {
  const prefixes = mode === "pool" ? poolPrefixes : leasePrefixes;
  return {
    authorised: async () =>
      (await prefixes(database)).map((prefix) => ({ asn, prefix, maxLength: leaseLengthBits })),
    aspas: async () => (await assignedAsns(database)).map((customer) => ({ customer, providers: [asn] })),
    switch: async (userHash, prefix, isOn) => {
      const [row] = await database.timed(
        "lease_rpki",
        () => database.sql<{ outcome: "no_lease" | "same" | "changed" }[]>`
          SELECT set_lease_rpki(${userHash}, ${prefix}, ${isOn}) AS outcome`,
      );
      return row?.outcome ?? "no_lease";
    },
  };
}

async function poolPrefixes({ sql, timed }: Database): Promise<string[]> {
  const runs = await timed(
    "pool_runs",
    () => sql<{ first: number; last: number }[]>`
      SELECT first_number AS first, last_number AS last FROM pool_runs ORDER BY first_number`,
  );
  return [...blocksOf(runs)];
}

async function leasePrefixes({ sql, timed }: Database): Promise<string[]> {
  const rows = await timed(
    "authorised_leases",
    () => sql<{ prefix: string }[]>`
      SELECT prefix FROM leases JOIN users USING (user_hash)
      WHERE closed_at IS NULL AND end_time > (SELECT vantage_now()) AND rpki_enabled AND suspended_at IS NULL
      ORDER BY prefix`,
  );
  return rows.map(({ prefix }) => prefix);
}

async function assignedAsns({ sql, timed }: Database): Promise<number[]> {
  const rows = await timed(
    "assigned_asns",
    () => sql<{ asn: number }[]>`SELECT asn FROM users WHERE asn IS NOT NULL ORDER BY asn`,
  );
  return rows.map(({ asn }) => asn);
}
