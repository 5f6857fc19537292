/** Runs tests on each engine of the tier, each on an empty one. */
import { afterAll, beforeAll, describe } from "bun:test";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type EngineHome, engines, startEngine } from "../../postgres/engines.ts";
import { type HomeOptions, PeeringHome } from "./peering-home.ts";

/** A gateway of its own on an empty database; only one at a time. */
export type StartHome = (options?: Omit<HomeOptions, "database">) => Promise<PeeringHome>;

export function onBothEngines(tests: (start: StartHome) => void, databases = engines): void {
  describe.each(databases)("on %s", (engine) => {
    let home: EngineHome | null = null;
    let database: Database | null = null;

    beforeAll(async () => {
      home = await startEngine(engine);
      database = await openDatabase(await home.freshDatabase(), { applicationName: "vantage test" });
    });
    afterAll(async () => {
      await database?.[Symbol.asyncDispose]();
      await home?.[Symbol.asyncDispose]();
    });

    tests(async (options = {}) => {
      if (database === null) {
        throw new Error("The database has not been started");
      }
      await empty(database);
      return PeeringHome.start({ ...options, database });
    });
  });
}

/** Faster than another database, above all where it is embedded. */
async function empty({ sql }: Database): Promise<void> {
  await sql`DROP SCHEMA public CASCADE`;
  await sql`CREATE SCHEMA public`;
}
