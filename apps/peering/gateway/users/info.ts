/**
 * A user's own data: ASN and live leases.
 *
 * Requests that come while one statement is running share the next one, so that many requests cost a few statements.
 * Each still sees the database as it is after the request has come.
 */
import type { infoAnswer } from "../../../../lib/base/api/leases.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { endsSoon } from "../../../../lib/peering/lease/lease-state.ts";
import { infoBatchMax } from "../limits.ts";

type UserInfo = StoredAnswer<typeof infoAnswer>;

interface InfoRow {
  readonly user_hash: string;
  readonly asn: number | null;
  readonly leases_max: number | null;
  readonly lease_hours_max: number | null;
  readonly suspended: boolean;
  readonly now: Date;
  /** Prefix, start and end in milliseconds, RPKI. */
  readonly leases: readonly (readonly [string, number, number, boolean])[];
}

interface InfoRules {
  readonly perUserMax: number;
  readonly hoursMax: number;
  readonly endsSoonMs: number;
  readonly platformAsn: number | null;
  /** All leases are authorised by the pool's own authorisation. */
  readonly isRpkiAlways: boolean;
}

export class InfoReader {
  readonly #database: Database;
  readonly #rules: InfoRules;
  #waiting = new Map<string, PromiseWithResolvers<UserInfo>>();
  #isReading = false;

  constructor(database: Database, rules: InfoRules) {
    this.#database = database;
    this.#rules = rules;
  }

  /** Also for an unknown user. */
  read(userHash: string): Promise<UserInfo> {
    const waiting = this.#waiting.get(userHash) ?? Promise.withResolvers<UserInfo>();
    this.#waiting.set(userHash, waiting);
    if (!this.#isReading) {
      this.#isReading = true;
      void this.#readAll();
    }
    return waiting.promise;
  }

  async #readAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const some = [...this.#waiting].slice(0, infoBatchMax);
      for (const [userHash] of some) {
        this.#waiting.delete(userHash);
      }
      await this.#readSome(some);
    }
    this.#isReading = false;
  }

  async #readSome(some: readonly (readonly [string, PromiseWithResolvers<UserInfo>])[]): Promise<void> {
    try {
      const rows = new Map((await this.#rows(some.map(([hash]) => hash))).map((row) => [row.user_hash, row]));
      for (const [hash, { resolve }] of some) {
        resolve(this.#info(hash, rows.get(hash)));
      }
    } catch (error) {
      for (const [, { reject }] of some) {
        reject(error);
      }
    }
  }

  #rows(userHashes: string[]): Promise<InfoRow[]> {
    const { sql, timed } = this.#database;
    return timed(
      "user_info",
      () => sql<InfoRow[]>`
        WITH clock AS MATERIALIZED (SELECT vantage_now() AS now)
        SELECT user_hash, asn, leases_max, lease_hours_max, suspended_at IS NOT NULL AS suspended, now, (
          SELECT coalesce(jsonb_agg(jsonb_build_array(prefix, (extract(epoch FROM start_time) * 1000)::bigint,
            (extract(epoch FROM end_time) * 1000)::bigint, rpki_enabled) ORDER BY end_time DESC), '[]')
          FROM leases WHERE leases.user_hash = users.user_hash AND closed_at IS NULL AND end_time > now
        ) AS leases
        FROM users, clock WHERE user_hash = ANY (${userHashes}::text[])`,
    );
  }

  #info(userHash: string, row: InfoRow | undefined): UserInfo {
    const { perUserMax, hoursMax, endsSoonMs, isRpkiAlways, platformAsn } = this.#rules;
    const nowMs = row?.now.getTime() ?? 0;
    return {
      user_hash: userHash,
      asn: row?.asn ?? null,
      platform_asn: platformAsn,
      max_leases: row?.leases_max ?? perUserMax,
      max_duration_hours: row?.lease_hours_max ?? hoursMax,
      suspended: row?.suspended ?? false,
      active_leases: (row?.leases ?? []).map(([prefix, startMs, endMs, isEnabled]) => {
        const end_time = new Date(endMs);
        return {
          prefix,
          start_time: new Date(startMs),
          end_time,
          rpki_enabled: isRpkiAlways || isEnabled,
          ends_soon: endsSoon({ end_time, closed_as: null }, nowMs, endsSoonMs),
        };
      }),
    };
  }
}
