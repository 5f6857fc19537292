/**
 * Both engines of the database for contract suites: `for (const engine of engines) describe(engine, …)` with
 * `await using home = await startEngine(engine)` once, and an address for each test.
 */
import { inTier } from "../run/tier.ts";
import { embeddedHome } from "./embedded.ts";
import { sharedPostgres } from "./shared-postgres.ts";

/** For suites that judge an engine itself, or what one of them has broken before. */
export const everyEngine = ["pglite", "postgres"] as const;
export type Engine = (typeof everyEngine)[number];

/**
 * For suites of what uses the database. The embedded one takes some 2 s of CPU a file, and the same SQL runs on it
 * wherever the laboratory or `vantage stack` starts a gateway: so its turn is the long tier.
 */
export const engines = inTier<readonly Engine[]>({ usual: ["postgres"], long: everyEngine });

export interface EngineHome extends AsyncDisposable {
  /** Address of a new empty database. */
  freshDatabase(): Promise<string>;
}

export async function startEngine(engine: Engine = "postgres"): Promise<EngineHome> {
  const owned = new AsyncDisposableStack();
  const server = engine === "postgres" ? owned.use(await sharedPostgres()) : null;
  return {
    freshDatabase: async () =>
      server === null ? owned.use(await embeddedHome()).address : server.createDatabase(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
