/** Users by the hash of their subject: each gets a random number at first contact, and keeps it. */
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { userIdOf } from "../../../../lib/measuring/probing/user-id.ts";
import { userIdTriesMax, userRememberedMs, usersRememberedMax } from "../limits.ts";

export class UserDirectory {
  readonly #database: Database;
  readonly #randomBits: () => number;
  /** A number changes only with its user, who can be erased, by any gateway. */
  readonly #known = new Map<string, { readonly userId: number; readonly untilMs: number }>();

  /** `randomBits` returns 32 unpredictable bits. */
  constructor(database: Database, randomBits: () => number = secureBits) {
    this.#database = database;
    this.#randomBits = randomBits;
  }

  /** The user's number; creates the user at first contact. */
  async idOf(userHash: string): Promise<number> {
    const known = this.#known.get(userHash);
    if (known !== undefined && performance.now() < known.untilMs) {
      return known.userId;
    }
    const userId = await this.#database.timed("user_find", () => this.#findOrMake(userHash));
    this.#remember(userHash, userId);
    return userId;
  }

  /** The user has been erased: the next contact is the first one. */
  forget(userHash: string): void {
    this.#known.delete(userHash);
  }

  async #findOrMake(userHash: string): Promise<number> {
    const { sql } = this.#database;
    for (let tries = 0; tries < userIdTriesMax; tries++) {
      const candidate = userIdOf(this.#randomBits());
      if (candidate === null) {
        continue;
      }
      // Without a conflict target it also yields to another user with this number; the second query distinguishes them.
      const made = await sql<{ user_id: number }[]>`
        INSERT INTO users (user_hash, user_id) VALUES (${userHash}, ${candidate})
        ON CONFLICT DO NOTHING RETURNING user_id`;
      const [row] = made.length > 0 ? made : await this.#select(userHash);
      if (row !== undefined) {
        return row.user_id;
      }
    }
    throw new Error(`Cannot find a free user number in ${userIdTriesMax} tries`);
  }

  #select(userHash: string) {
    return this.#database.sql<{ user_id: number }[]>`
      SELECT user_id FROM users WHERE user_hash = ${userHash}`;
  }

  #remember(userHash: string, userId: number): void {
    if (this.#known.size >= usersRememberedMax) {
      this.#known.clear();
    }
    this.#known.set(userHash, { userId, untilMs: performance.now() + userRememberedMs });
  }
}

function secureBits(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
