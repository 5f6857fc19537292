/**
 * Both engines of the database for contract suites: `for (const engine of engines) describe(engine, …)` with
 * `await using home = await startEngine(engine)` once, and an address for each test.
 */
import { embeddedHome } from "./embedded.ts";
import { sharedPostgres } from "./shared-postgres.ts";

export const engines = ["pglite", "postgres"] as const;
type Engine = (typeof engines)[number];

export interface EngineHome extends AsyncDisposable {
  /** Address of a new empty database. */
  freshDatabase(): Promise<string>;
}

export async function startEngine(engine: Engine): Promise<EngineHome> {
  const owned = new AsyncDisposableStack();
  const server = engine === "postgres" ? owned.use(await sharedPostgres()) : null;
  return {
    freshDatabase: async () =>
      server === null ? owned.use(await embeddedHome()).address : server.createDatabase(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
