/** Storage of the development issuer (logins, codes, refresh tokens), in one SQLite file or in memory. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

interface Row {
  readonly payload: string;
}

export interface IssuerStorage extends Disposable {
  readonly adapter: AdapterFactory;
}

export function issuerStorage(directory: string | null): IssuerStorage {
  const database = new Database(directory === null ? ":memory:" : join(directory, "issuer.sqlite"));
  // A killed development issuer may forget a login, so it does not wait for the disk.
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = OFF");
  database.run(`CREATE TABLE IF NOT EXISTS kept (
    model TEXT, id TEXT, uid TEXT, user_code TEXT, grant_id TEXT, expires_at INTEGER, payload TEXT,
    PRIMARY KEY (model, id)
  )`);
  database.run("DELETE FROM kept WHERE expires_at < unixepoch()");
  return { adapter: (model) => adapterOf(database, model), [Symbol.dispose]: () => database.close() };
}

function adapterOf(database: Database, model: string): Adapter {
  const findBy = (column: "id" | "uid" | "user_code") => {
    const statement = database.query<Row, [string, string]>(
      `SELECT payload FROM kept WHERE model = ? AND ${column} = ? AND expires_at >= unixepoch()`,
    );
    return async (value: string): Promise<AdapterPayload | undefined> => {
      const row = statement.get(model, value);
      return row === null ? undefined : JSON.parse(row.payload);
    };
  };
  return {
    find: findBy("id"),
    findByUid: findBy("uid"),
    findByUserCode: findBy("user_code"),
    upsert: async (id, payload, expiresIn = Number.MAX_SAFE_INTEGER / 2) => {
      const { uid = null, userCode = null, grantId = null } = payload;
      database
        .query("REPLACE INTO kept VALUES (?, ?, ?, ?, ?, unixepoch() + ?, ?)")
        .run(model, id, uid, userCode, grantId, expiresIn, JSON.stringify(payload));
    },
    consume: async (id) => {
      database
        .query(
          `UPDATE kept SET payload = json_set(payload, '$.consumed', unixepoch()) WHERE model = ? AND id = ?`,
        )
        .run(model, id);
    },
    destroy: async (id) => {
      database.query("DELETE FROM kept WHERE model = ? AND id = ?").run(model, id);
    },
    revokeByGrantId: async (grantId) => {
      database.query("DELETE FROM kept WHERE grant_id = ?").run(grantId);
    },
  };
}
