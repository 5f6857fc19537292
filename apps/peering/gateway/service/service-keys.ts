/** Keys of the service API: from the configuration, and made by an admin. */
import type { serviceKeyAnswer } from "../../../../lib/base/api/peering-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { hashKey, makeKey, sameHash } from "../../../../lib/engines/auth/secret-key.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { keyProblem } from "../../../../lib/engines/http/require-key.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { ServiceKey } from "../config.ts";

type StoredKey = StoredAnswer<typeof serviceKeyAnswer>;

export class ServiceKeys {
  readonly #database: Database;
  readonly #configured: readonly ServiceKey[];

  constructor(database: Database, configured: readonly ServiceKey[]) {
    this.#database = database;
    this.#configured = configured;
  }

  /** Throws Problem when the key with this SHA-256 is refused. Looked up each time, so revoking acts at once. */
  async check(keyHash: Uint8Array): Promise<void> {
    if (this.#configured.some(({ hash }) => sameHash(hash, keyHash))) {
      return;
    }
    const { sql, timed } = this.#database;
    const [found] = await timed(
      "service_key",
      () => sql<{ is_revoked: boolean }[]>`
        SELECT revoked_at IS NOT NULL AS is_revoked FROM service_keys WHERE key_hash = ${keyHash}`,
    );
    if (found === undefined) {
      throw keyProblem("unknown_key", "The key is not one of the service API");
    }
    if (found.is_revoked) {
      throw keyProblem("revoked_key", "The key was revoked; ask for another one");
    }
  }

  /** The keys made by an admin, including revoked ones. */
  list(): Promise<StoredKey[]> {
    const { sql } = this.#database;
    return sql<StoredKey[]>`SELECT name, created_at, revoked_at FROM service_keys ORDER BY created_at, name`;
  }

  /** Returns the key, which is never shown again. Throws Problem 409 while the name has a key. */
  async add(by: string, name: string): Promise<{ readonly name: string; readonly key: string }> {
    const key = makeKey();
    await this.#database.sql.begin(async (tx) => {
      const made = await tx`
        INSERT INTO service_keys (key_hash, name) VALUES (${hashKey(key)}, ${name})
        ON CONFLICT DO NOTHING RETURNING name`;
      if (made.length === 0 || this.#configured.some((one) => one.name === name)) {
        throw problem(
          409,
          "service_key_exists",
          `"${name}" has a key; revoke it first, or give another name`,
        );
      }
      await tx`SELECT record_change(${by}, 'service_key.add', NULL, NULL, ${tx.json({ name })})`;
    });
    return { name, key };
  }

  /** Throws Problem 404. */
  async revoke(by: string, name: string): Promise<void> {
    await this.#database.sql.begin(async (tx) => {
      const revoked = await tx`
        UPDATE service_keys SET revoked_at = vantage_now() WHERE name = ${name} AND revoked_at IS NULL RETURNING name`;
      if (revoked.length === 0) {
        throw problem(
          404,
          "unknown_service_key",
          `There is no key "${name}" to revoke; keys in the configuration are removed there`,
        );
      }
      await tx`SELECT record_change(${by}, 'service_key.revoke', NULL, NULL, ${tx.json({ name })})`;
    });
  }
}
