/** Decides who may submit now and where probes may go: kill switch, suspended users, rates, lists, reserved ranges. */
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { Together } from "../../../../lib/engines/service/together.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import type { Address } from "../../../../lib/net/ip/address.ts";
import type { LimitsConfig, SafetyConfig } from "../config.ts";
import { retryAfterSeconds, sharedAsksMax } from "../limits.ts";
import { DestinationDay } from "./destination-day.ts";
import { DestinationLoad } from "./destination-load.ts";
import { DestinationSource, type ListName } from "./destination-source.ts";
import type { Destinations } from "./destinations.ts";
import type { AdmissionRefusal, DestinationReview, Safety } from "./safety.ts";
import { UserPace } from "./user-pace.ts";

interface SafetyParts {
  readonly database: Database;
  readonly config: SafetyConfig;
  readonly limits: LimitsConfig;
  readonly log: Logger;
  /** Called for each list file that has become invalid. */
  readonly onBadList: (list: ListName) => void;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
}

interface Standing {
  readonly killed_reason: string | null;
  readonly suspended_reason: string | null;
  readonly rate_probes_per_sec_max: number | null;
}

export class GatewaySafety implements Safety {
  readonly #database: Database;
  readonly #limits: LimitsConfig;
  readonly #nowMs: () => number;
  readonly #source: DestinationSource;
  readonly #pace = new UserPace();
  readonly #day: DestinationDay;
  readonly #standings: Together<string, Standing>;

  private constructor({ database, limits }: SafetyParts, source: DestinationSource, nowMs: () => number) {
    this.#database = database;
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#source = source;
    this.#day = new DestinationDay(limits.prefixProbesPerDay, nowMs);
    this.#standings = new Together({
      asksMax: sharedAsksMax,
      underWayMax: 1,
      answer: (userHashes) => this.#standingsOf([...new Set(userHashes)]),
    });
  }

  /** Rejects with an Error that names file, line and reason when a list is bad. */
  static async open(parts: SafetyParts): Promise<GatewaySafety> {
    const nowMs = parts.nowMs ?? Date.now;
    return new GatewaySafety(parts, await DestinationSource.open({ ...parts, nowMs }), nowMs);
  }

  async admit(userHash: string): Promise<AdmissionRefusal | null> {
    const standing = await this.#standings.ask(userHash);
    if (standing.killed_reason !== null) {
      return {
        status: 503,
        code: "platform_stopped",
        message: `All probing is stopped: ${standing.killed_reason}`,
        retryAfterSeconds,
      };
    }
    if (standing.suspended_reason !== null) {
      const message = `Your account is suspended: ${standing.suspended_reason}`;
      return { status: 403, code: "user_suspended", message };
    }
    const paceLimits = {
      requestsPerMinute: this.#limits.submissionsPerMinute,
      probesPerSec: standing.rate_probes_per_sec_max,
    };
    const waitSec = this.#pace.request(userHash, paceLimits, this.#nowMs());
    if (waitSec > 0) {
      const message = `You submit faster than you may: try again in ${waitSec} s`;
      return { status: 429, code: "too_fast", message, retryAfterSeconds: waitSec };
    }
    await this.#source.read();
    return null;
  }

  review(userHash: string): DestinationReview {
    const destinations = this.#source.current;
    const share = this.#day.begin();
    const load = new DestinationLoad();
    let probes = 0;
    let counted = 0;
    return {
      load,
      check: (destination: Address, isCostly: boolean) => {
        probes++;
        load.add(destination, isCostly);
        share.add(destination);
        return destinations.refusal(destination);
      },
      finish: async (targets) => {
        if (!share.finish(targets)) {
          const { prefixProbesPerDay } = this.#limits;
          return `One destination network (/24 or /48) would get more than ${prefixProbesPerDay} probes today`;
        }
        counted = probes * targets;
        this.#pace.probes(userHash, counted, this.#nowMs());
        return null;
      },
      undo: () => {
        share.undo();
        this.#pace.probes(userHash, -counted, this.#nowMs());
        counted = 0;
      },
    };
  }

  destinations(): Promise<Destinations> {
    return this.#source.read();
  }

  destinationsChanged(): void {
    this.#source.changed();
  }

  reload(): Promise<void> {
    return this.#source.reload();
  }

  /** A user who has no row yet is stopped with the others. */
  async #standingsOf(userHashes: string[]): Promise<(userHash: string) => Standing> {
    const { sql, timed } = this.#database;
    const standings = await timed(
      "user_standing",
      () => sql<(Standing & { readonly user_hash: string | null })[]>`
        SELECT user_hash,
          CASE WHEN killed_at IS NOT NULL THEN coalesce(killed_reason, 'by the operator') END AS killed_reason,
          CASE WHEN suspended_at IS NOT NULL THEN coalesce(suspended_reason, 'by the operator') END AS suspended_reason,
          rate_probes_per_sec_max
        FROM platform LEFT JOIN users ON user_hash = ANY(${userHashes})`,
    );
    const byUser = new Map(standings.map((standing) => [standing.user_hash, standing]));
    const { killed_reason } = rowOf(standings);
    const unknown = { killed_reason, suspended_reason: null, rate_probes_per_sec_max: null };
    return (userHash) => byUser.get(userHash) ?? unknown;
  }
}
