/** A journal of campaigns, with what a test needs around it: time, measurements, an end. */
import { afterAll, beforeAll } from "bun:test";
import * as v from "valibot";
import { makeCampaign } from "../../../apps/probing/campaigns/campaigns.ts";
import { databaseJournal } from "../../../apps/probing/campaigns/database-journal.ts";
import { definitionSchema, probeLinesOf, scheduleOf } from "../../../apps/probing/campaigns/definition.ts";
import type { Journal } from "../../../apps/probing/campaigns/journal.ts";
import { probingSchema } from "../../../apps/probing/gateway/migrations.ts";
import { atOnce } from "../../../lib/base/list/steps.ts";
import { migrate } from "../../../lib/engines/store/postgres/migrate.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type engines, startEngine } from "../../postgres/engines.ts";
import { bringForward } from "../probing-gateway/campaign-time.ts";

type JournalEngine = (typeof engines)[number];

export interface JournalHome extends AsyncDisposable {
  readonly journal: Journal;
  /** A new campaign, alone in the journal. */
  make(definition: object): Promise<void>;
  /** A process that was killed comes back: nobody holds a step any more. */
  reopen(): Promise<void>;
  pass(seconds: number): Promise<void>;
  /** A measurement under this key: what a gateway, or the broker, knows; another call gives the same. */
  measure(key: string): Promise<string>;
  /** Agents have ended all measurements. */
  end(): Promise<void>;
  /** `0 done`, `1-2 missed`: the oldest first. */
  runs(): Promise<string[]>;
}

function definitionOf(given: object, nowMs: number) {
  const plain = { name: "watch", agents: "west,east", every: 3600, spread: 0, slip: "30m", forever: true };
  const start = new Date(nowMs - 10_000).toISOString();
  const probes = "192.0.2.1,24000,33434,1,UDP";
  const definition = v.parse(definitionSchema, { ...plain, start, probes, ...given });
  const made = atOnce(probeLinesOf(definition));
  return {
    definition,
    schedule: scheduleOf(definition, nowMs),
    probes: made.ok ? made.lines : made.reason,
  };
}

const userHash = "0".repeat(64);

async function startJournal(engine: JournalEngine): Promise<JournalHome> {
  await using undo = new AsyncDisposableStack();
  const home = undo.use(await startEngine(engine));
  const database = undo.use(await openDatabase(await home.freshDatabase(), { applicationName: "test" }));
  await migrate(database, probingSchema);
  const { sql } = database;
  await sql`INSERT INTO users (user_hash, user_id) VALUES (${userHash}, ${0xc95b3f80})`;
  const owned = undo.move();
  return {
    journal: databaseJournal(database, { settleMs: 0, storedBytesMax: 2 ** 29 }),
    make: async (given) => {
      await sql`DELETE FROM campaigns`;
      await sql`DELETE FROM measurements`;
      const caps = { campaignsMax: 1, probesPerDayMax: 1000, storedBytesMax: 2 ** 40 };
      await makeCampaign(database, { userHash, ...definitionOf(given, Date.now()), probesPerDay: 1, caps });
    },
    reopen: async () => {
      await sql`UPDATE campaign_steps SET claimed_until = NULL`;
    },
    pass: (seconds) => bringForward(sql, seconds),
    measure: async (key) => {
      await sql`
        INSERT INTO measurements (measurement_id, user_hash, gateway_id, idempotency_key, request_digest, answer,
          probes, record_probes, day, not_after)
        VALUES (gen_random_uuid(), ${userHash}, 'test', ${key}, '', '{}', 1, 1, now(), now() + interval '1 h')
        ON CONFLICT DO NOTHING`;
      const [made] = await sql`SELECT measurement_id FROM measurements WHERE idempotency_key = ${key}`;
      return String(made?.measurement_id);
    },
    end: async () => {
      await sql`UPDATE measurements SET ended_at = now() WHERE ended_at IS NULL`;
    },
    runs: async () => {
      const rows = await sql<{ run: number; last_run: number; state: string; reason: string | null }[]>`
        SELECT run, last_run, state, reason FROM campaign_runs ORDER BY run`;
      return rows.map(inShort);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Run {
  readonly run: number;
  readonly last_run: number;
  readonly state: string;
  readonly reason: string | null;
}

function inShort({ run, last_run, state, reason }: Run): string {
  return state === "passed" ? `${run} to ${last_run} ${reason}` : `${run} ${state}`;
}

/** For the tests of a group: opened before the first, closed after the last; a function that gives it. */
export function openedJournal(engine: JournalEngine): () => JournalHome {
  let opened: JournalHome | null = null;
  const home = (): JournalHome => {
    if (opened === null) {
      throw new Error("The journal has not been opened");
    }
    return opened;
  };
  beforeAll(async () => {
    opened = await startJournal(engine);
  });
  afterAll(() => home()[Symbol.asyncDispose]());
  return home;
}
