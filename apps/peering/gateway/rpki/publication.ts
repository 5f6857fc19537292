/** The row of `roa_publication`: whose turn it is to write at the certificate authority, and how far it has come. */
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { krillTurnSec } from "../limits.ts";

export class Publication {
  readonly #database: Database;
  readonly #holder = crypto.randomUUID();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Takes the turn or keeps it, for `krillTurnSec` from now. Gives its number, the same as long as no other gateway
   * has had it in between; null while another gateway has it.
   */
  async hold(): Promise<number | null> {
    const { sql, timed } = this.#database;
    const [row] = await timed(
      "roa_turn",
      () => sql<{ turn: number }[]>`
        UPDATE roa_publication
        SET holder = ${this.#holder}, turn_ends_at = vantage_now() + make_interval(secs => ${krillTurnSec}),
          turn = turn + CASE WHEN holder = ${this.#holder} THEN 0 ELSE 1 END
        WHERE holder IS NULL OR holder = ${this.#holder} OR turn_ends_at <= vantage_now()
        RETURNING turn`,
    );
    return row?.turn ?? null;
  }

  /** Leaves the turn to another gateway at once. */
  async release(): Promise<void> {
    const { sql, timed } = this.#database;
    await timed(
      "roa_turn_end",
      () => sql`
        UPDATE roa_publication SET holder = NULL, turn_ends_at = NULL WHERE holder = ${this.#holder}`,
    );
  }

  /** The authority has now exactly what is authorised here. */
  async complete(): Promise<void> {
    const { sql, timed } = this.#database;
    await timed("roa_complete", () => sql`UPDATE roa_publication SET complete_at = vantage_now()`);
  }

  /** When it last had, by any gateway: milliseconds since the epoch; 0 = never. */
  async completeMs(): Promise<number> {
    const { sql, timed } = this.#database;
    const [row] = await timed(
      "roa_state",
      () => sql<{ at_ms: number | null }[]>`
        SELECT (extract(epoch FROM complete_at) * 1000)::float8 AS at_ms FROM roa_publication`,
    );
    return row?.at_ms ?? 0;
  }

  /** Number of the last change of anything: while it stays, so does what is authorised. */
  async changeNumber(): Promise<number> {
    const { sql, timed } = this.#database;
    const [row] = await timed(
      "feed_look",
      () => sql<{ last_number: number }[]>`SELECT last_number FROM feed`,
    );
    return row?.last_number ?? 0;
  }
}
