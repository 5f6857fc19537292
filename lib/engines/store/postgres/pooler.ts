/**
 * Detects a connection pooler that gives each transaction or statement another server session (PgBouncer's pool_mode
 * `transaction` and `statement`). Prepared statements and session settings are then lost, or another client's.
 *
 * A server returns the process id of each connection; a pooler returns ids of its own, which reveals it. Behind a
 * pooler in session mode, a connection keeps its process, which is not shared meanwhile.
 */
import type postgres from "postgres";
import { Failure } from "../../../base/failure/failure.ts";
import { codeOf } from "../../../base/failure/outage.ts";
import { poolerTransactionsHeld, sessionsSeenMax } from "./limits.ts";

/** "Prepared statement does not exist", and "exists already": made in a session that is another's now. */
const foreignStatement: ReadonlySet<string> = new Set(["26000", "42P05"]);

export function sharedSessions(address: string, cause?: unknown): Failure<"database"> {
  return new Failure(
    "database",
    "sharedSessions",
    `Cannot use the database ${address}: a connection pooler there gives each transaction another session ` +
      "(pool_mode transaction or statement of PgBouncer); give the address of PostgreSQL itself, or of a pooler " +
      "with pool_mode session",
    { cause },
  );
}

/** Watches one database; made for each `Database`. */
export class SessionCheck {
  readonly #address: string;
  /** Process of the server by the id that a connection has from whoever answers. */
  #processes = new Map<number, number>();

  constructor(address: string) {
    this.#address = address;
  }

  /** True behind a pooler, of whatever kind. Rejects with Failure `database` `sharedSessions` where it has shown. */
  async look(sql: postgres.Sql): Promise<boolean> {
    const { pid, given } = await this.#session(sql);
    const before = this.#processes.get(given);
    if (before !== undefined && before !== pid) {
      throw sharedSessions(this.#address);
    }
    if (this.#processes.size >= sessionsSeenMax) {
      this.#processes = new Map();
    }
    this.#processes.set(given, pid);
    return pid !== given;
  }

  /** Prepared, as our statements are: in a session of another it fails. */
  async #session(sql: postgres.Sql): Promise<{ readonly pid: number; readonly given: number }> {
    try {
      const rows = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      return { pid: rows[0]?.pid ?? 0, given: rows.state.pid };
    } catch (error) {
      throw foreignStatement.has(codeOf(error) ?? "") ? sharedSessions(this.#address, error) : error;
    }
  }
}

/**
 * Whether two connections get the same session: `one` keeps none between its statements, and `others`, which hold
 * some, get it, or it gets another one. Needs no prepared statement.
 */
export async function sharesSessions(one: postgres.Sql, others: postgres.Sql, held = 1): Promise<boolean> {
  const own = await processOf(one);
  try {
    return await others.begin(async (tx) => {
      const other = await processOf(tx);
      if (other === own || (await processOf(one)) !== own) {
        return true;
      }
      return held < poolerTransactionsHeld && (await sharesSessions(one, others, held + 1));
    });
  } catch (error) {
    // In statement mode there are no transactions.
    if (error instanceof Error && error.message.includes("statement pooling mode")) {
      return true;
    }
    throw error;
  }
}

async function processOf(sql: postgres.Sql | postgres.TransactionSql): Promise<number> {
  const [row] = await sql.unsafe<{ pid: number }[]>("SELECT pg_backend_pid() AS pid");
  return row?.pid ?? 0;
}
