/**
 * Runs readers' statements: what they may see, their share of the engine, their day's time. That a statement sees no
 * more, changes nothing and stays within its limits is the engine's own doing (docs/internals/sql.md); the door is shut
 * while the engine does not prove it.
 */
import { randomBytes } from "node:crypto";
import { FairSlots } from "../../../../lib/engines/http/fair-slots.ts";
import { GuestEngine } from "../../../../lib/engines/store/clickhouse/guest-engine.ts";
import { proveDoor } from "../../../../lib/engines/store/clickhouse/prove-door.ts";
import {
  type ReadableSet,
  storeReadableSet,
} from "../../../../lib/engines/store/clickhouse/readable-sets.ts";
import type { Services } from "../services.ts";
import type { StoreLink } from "../store-link.ts";
import {
  firstByteMs,
  heavyQueriesAtOnceMax,
  queriesAtOnceMax,
  queriesOfUserMax,
  queryLineMax,
  queryWaitMs,
  selfTestAgainMs,
  setMs,
  setsKnownMax,
} from "./limits.ts";
import { readableOf, type SetName } from "./readable.ts";
import { RecentTime } from "./recent-time.ts";
import { Refusal } from "./refusal.ts";
import { chargeSqlDay, sqlDayOf } from "./sql-days.ts";
import type { Statement } from "./statement.ts";

export interface SqlServices extends Services {
  readonly store: Pick<StoreLink, "ask">;
}

export interface SqlReader {
  /** Null = the public reader. */
  readonly userHash: string | null;
  /** For fair shares. */
  readonly who: string;
}

interface SqlAnswer {
  /** The engine's, also where it refuses. */
  readonly response: Response;
  /** Whether older measurements were left out. */
  readonly leftOut: boolean;
  /** To be called when the response has ended. */
  readonly end: () => void;
}

const databaseDefault = "vantage";
const fairness = {
  ...{ ofOneMax: queriesOfUserMax, lineMax: queryLineMax, waitMs: queryWaitMs },
  safeMs: Number.POSITIVE_INFINITY,
};

export class SqlDoor {
  readonly #services: SqlServices;
  readonly #engine: GuestEngine;
  readonly #slots = new FairSlots({ ...fairness, placesMax: queriesAtOnceMax });
  readonly #heavySlots = new FairSlots({ ...fairness, placesMax: heavyQueriesAtOnceMax });
  readonly #key = randomBytes(32);
  readonly #recent = new RecentTime();
  readonly #knownSets = new Set<string>();
  #proof: { readonly untilMs: number; readonly reason: Promise<string | null> } | null = null;

  constructor(services: SqlServices, engineAddress: string) {
    this.#services = services;
    this.#engine = new GuestEngine(engineAddress);
  }

  /** Throws Refusal; rejects with Failure `store` and those of the database. */
  async run(reader: SqlReader, statement: Statement, signal: AbortSignal): Promise<SqlAnswer> {
    const { userHash } = reader;
    const { links } = statement;
    const [{ sets, leftOut }] = await Promise.all([
      readableOf(this.#services.database, { userHash, links }, this.setName),
      this.#checkDay(reader),
      this.#checkProof(),
    ]);
    for (const set of sets) {
      await this.#keep(set);
    }
    const slot = await this.#takeSlot(reader);
    const startedAtMs = performance.now();
    const end = () => {
      slot[Symbol.dispose]();
      const usedMs = performance.now() - startedAtMs;
      this.#recent.add(reader.who, usedMs, performance.now());
      void this.#charge(reader, usedMs);
    };
    try {
      const { sql, format, database, params, settings, protocolVersion } = statement;
      const response = await this.#engine.run({
        ...{ sql, format, params, settings, protocolVersion, database: database ?? databaseDefault },
        sets: sets.map(({ digest }) => digest),
        nice: this.#recent.niceOf(reader.who, startedAtMs),
        signal: AbortSignal.any([signal, AbortSignal.timeout(firstByteMs)]),
      });
      return { response, leftOut, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  get setName(): SetName {
    return { key: this.#key, period: Math.floor(Date.now() / setMs) };
  }

  /** The day's time is checked before a query, so the last one may exceed it by its own. */
  async #checkDay({ userHash }: SqlReader): Promise<void> {
    if (userHash === null) {
      return;
    }
    const limitSec = this.#services.config.sql.secondsPerDay;
    const { used_ms, day_ends_in_sec } = await sqlDayOf(this.#services.database, userHash);
    if (used_ms >= 1000 * limitSec) {
      const message = `Your queries of today have used ${limitSec} s of the column store, the daily limit`;
      throw new Refusal("quotaExceeded", 429, message, { "retry-after": String(day_ends_in_sec) });
    }
  }

  /** Fails closed: a new or changed engine has to refuse what it must before it gets a reader's statement. */
  async #checkProof(): Promise<void> {
    const nowMs = performance.now();
    if (this.#proof === null || nowMs > this.#proof.untilMs) {
      const reason = proveDoor(this.#engine);
      this.#proof = { untilMs: nowMs + selfTestAgainMs.ok, reason };
      reason.then(
        (found) => this.#remember(found === null ? selfTestAgainMs.ok : selfTestAgainMs.failed),
        () => this.#remember(0),
      );
    }
    const reason = await this.#proof.reason;
    if (reason !== null) {
      throw new Refusal("accessDenied", 503, `SQL is not open at this column store: ${reason}`);
    }
  }

  #remember(forMs: number): void {
    if (this.#proof !== null) {
      this.#proof = { ...this.#proof, untilMs: performance.now() + forMs };
    }
  }

  async #keep(set: ReadableSet): Promise<void> {
    if (this.#knownSets.has(set.digest)) {
      return;
    }
    await this.#services.store.ask((open) => storeReadableSet(open, set));
    if (this.#knownSets.size >= setsKnownMax) {
      this.#knownSets.clear();
    }
    this.#knownSets.add(set.digest);
  }

  async #takeSlot({ who }: SqlReader) {
    const isHeavy = this.#heavySlots.heldBy(who) > 0 || this.#recent.isHeavy(who, performance.now());
    const slot = await (isHeavy ? this.#heavySlots : this.#slots).take(who);
    if (slot === null) {
      const message = `Too many queries are waiting; one waited for ${queryWaitMs / 1000} s at most`;
      throw new Refusal("tooManyQueries", 503, message, { "retry-after": "5" });
    }
    slot.keep();
    return slot;
  }

  async #charge({ userHash }: SqlReader, usedMs: number): Promise<void> {
    if (userHash === null) {
      return;
    }
    const { database, log } = this.#services;
    await chargeSqlDay(database, userHash, usedMs).catch((error: unknown) =>
      log.error("Cannot count the time of a query", { error }),
    );
  }
}
