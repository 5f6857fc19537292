/** The hour itself: gateways that are killed and come back, campaigns that go on, and agents that end what they get. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { makeCampaign } from "../../../apps/probing/campaigns/campaigns.ts";
import { definitionSchema, scheduleOf } from "../../../apps/probing/campaigns/definition.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { insertAgent } from "../../contract/probing-gateway/gateway-home.ts";
import { GatewayProcess } from "../../contract/probing-gateway/gateway-process.ts";
import { startPostgres } from "../../postgres/postgres.ts";

interface HourOrder {
  readonly minutes: number;
  readonly campaigns: number;
  readonly gateways: number;
  readonly killSec: number;
}

/** What is known when all is over. */
export interface Hour {
  readonly database: Database;
  readonly broker: string;
  readonly startMs: number;
  /** Runs that each campaign has planned. */
  readonly runs: number;
  readonly kills: number;
  /** Times with no gateway at all: from the kill of the last one until one served again. */
  readonly outages: readonly { readonly fromMs: number; readonly toMs: number }[];
}

export const everySec = 60;
/** One of so many kills is of all gateways. */
const allKillsOneIn = 8;
const restartSec = { least: 1, most: 8 };

/** The account is taken while the database still runs. */
export async function playHour<Account>(
  order: HourOrder,
  folder: string,
  accountOf: (hour: Hour) => Promise<Account>,
): Promise<Account> {
  await using stack = new AsyncDisposableStack();
  const address = await stack.use(await startPostgres()).createDatabase();
  const broker = `embedded:${folder}/broker`;
  const names = Array.from({ length: order.gateways }, (_, i) => `gateway-${i + 1}`);
  const fleet = new Fleet(names, (name) => configOf({ name, folder, address, broker }));
  stack.defer(() => fleet.stop());
  await fleet.startAll();
  const database = stack.use(await openDatabase(address, { applicationName: "test" }));
  const startMs = Math.ceil(Date.now() / 1000) * 1000 + 5000;
  await makeAll(database, order, startMs);
  const endMs = startMs + order.minutes * everySec * 1000;
  const ending = endAll(database, endMs);
  await fleet.torment(order.killSec, endMs);
  await fleet.startAll();
  await ending;
  await settled(database);
  const { kills, outages } = fleet;
  return await accountOf({ database, broker, startMs, runs: order.minutes, kills, outages });
}

interface Place {
  readonly name: string;
  readonly folder: string;
  readonly address: string;
  readonly broker: string;
}

function configOf({ name, folder, address, broker }: Place): string {
  const path = join(folder, `${name}.yaml`);
  const lines = [
    `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/${name}", bypass_authentication: true }`,
    `database: { address: "${address}" }`,
    `kafka: { brokers: "${broker}" }`,
    "limits: { probes_per_day: 1000000, submissions_per_minute: 100000 }",
    "safety: { block_reserved_ranges: false }",
  ];
  writeFileSync(path, lines.join("\n"));
  return path;
}

/** Gateways, of which some are away. */
class Fleet {
  kills = 0;
  readonly outages: { fromMs: number; toMs: number }[] = [];
  readonly #configs: ReadonlyMap<string, string>;
  readonly #running = new Map<string, GatewayProcess>();
  readonly #starting = new Map<string, Promise<void>>();
  #aloneSinceMs: number | null = null;

  constructor(names: readonly string[], configOf: (name: string) => string) {
    this.#configs = new Map(names.map((name) => [name, configOf(name)]));
  }

  async startAll(): Promise<void> {
    await Promise.all([...this.#configs.keys()].map((name) => this.#start(name, 0)));
  }

  /** Kills one after another, at random, until a time; each comes back after some seconds. */
  async torment(killSec: number, untilMs: number): Promise<void> {
    while (Date.now() < untilMs) {
      await Bun.sleep(Math.min(2 * killSec * Math.random() * 1000, Math.max(0, untilMs - Date.now())));
      const running = [...this.#running.keys()];
      const isAll = Math.random() * allKillsOneIn < 1;
      const one = running[Math.floor(Math.random() * running.length)];
      const killed = isAll ? running : one === undefined ? [] : [one];
      await Promise.all(killed.map((name) => this.#kill(name)));
      for (const name of killed) {
        const { least, most } = restartSec;
        void this.#start(name, 1000 * (least + Math.random() * (most - least)));
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#starting.values());
    await Promise.all([...this.#running.keys()].map((name) => this.#kill(name)));
  }

  /** Once at a time for each. */
  #start(name: string, afterMs: number): Promise<void> {
    const starting =
      this.#starting.get(name) ??
      (this.#running.has(name) ? Promise.resolve() : this.#startAfter(name, afterMs));
    return starting;
  }

  #startAfter(name: string, afterMs: number): Promise<void> {
    const starting = (async () => {
      await Bun.sleep(afterMs);
      this.#running.set(name, await GatewayProcess.start(this.#configs.get(name) ?? ""));
      this.#starting.delete(name);
      if (this.#aloneSinceMs !== null) {
        this.outages.push({ fromMs: this.#aloneSinceMs, toMs: Date.now() });
        this.#aloneSinceMs = null;
      }
    })();
    this.#starting.set(name, starting);
    return starting;
  }

  async #kill(name: string): Promise<void> {
    const gateway = this.#running.get(name);
    this.#running.delete(name);
    if (this.#running.size === 0) {
      this.#aloneSinceMs ??= Date.now();
    }
    this.kills++;
    await gateway?.kill();
  }
}

/** Their starts are spread over the minute, so that kills fall on runs of some of them. */
async function makeAll(
  database: Database,
  { minutes, campaigns }: HourOrder,
  startMs: number,
): Promise<void> {
  const { userHash } = identityOf("test-user-id");
  await insertAgent(database.sql, "west");
  await database.sql`INSERT INTO users (user_hash, user_id) VALUES (${userHash}, ${0xc95b3f80})`;
  for (let i = 0; i < campaigns; i++) {
    const probes = "192.0.2.1,24000,33434,7,UDP";
    const start = new Date(startMs + Math.floor((i * everySec) / campaigns) * 1000).toISOString();
    const plain = { agents: "west", probes, every: everySec, spread: 0, max_runs: minutes };
    const definition = v.parse(definitionSchema, { name: `watch ${i}`, start, ...plain });
    const schedule = scheduleOf(definition, Date.now());
    const caps = { campaignsMax: campaigns, probesPerDayMax: 1_000_000, storedBytesMax: 2 ** 40 };
    await makeCampaign(database, { userHash, definition, schedule, probes, probesPerDay: 1440, caps });
  }
}

/** Ends measurements, as agents do that have got them from the broker and sent them. */
async function endSent({ sql }: Database): Promise<void> {
  await sql`
    UPDATE measurements SET ended_at = now()
    WHERE ended_at IS NULL AND published_at < now() - interval '1 s'`;
}

async function endAll(database: Database, untilMs: number): Promise<void> {
  while (Date.now() < untilMs) {
    await endSent(database);
    await Bun.sleep(1000);
  }
}

/** Waits until every campaign has ended, and nothing is to be published any more. */
async function settled(database: Database): Promise<void> {
  const isOpen = async () => {
    await endSent(database);
    const [open] = await database.sql`
      SELECT EXISTS (SELECT FROM campaigns WHERE phase <> 'ended')
        OR EXISTS (SELECT FROM measurements WHERE published_at IS NULL) AS is_open`;
    return open?.is_open === true;
  };
  while (await isOpen()) {
    await Bun.sleep(500);
  }
}
