/** A real PostgreSQL for a test: `await using server = await startPostgres()`, then `server.createDatabase()`. */
import { PostgresProcess } from "./postgres-process.ts";

/** Takes half a second. Rejects with one clear line where PostgreSQL is not installed. */
export function startPostgres(): Promise<PostgresProcess> {
  return PostgresProcess.start();
}
