/** A PostgreSQL for files that neither stop it nor change its settings: the runner's, else one of their own. */
import postgres from "postgres";
import { sharedPart } from "../run/shared-part.ts";
import { startPostgres } from "./postgres.ts";

interface SharedPostgres extends AsyncDisposable {
  /** Makes an empty database, or a copy of another one that nobody is connected to; its address. */
  createDatabase(template?: string): Promise<string>;
}

export async function sharedPostgres(): Promise<SharedPostgres> {
  const address = await sharedPart("postgres");
  return address === null ? await startPostgres() : new RunnersPostgres(address);
}

/** Databases go with the file that made them. */
class RunnersPostgres implements SharedPostgres {
  readonly #address: string;
  readonly #made: string[] = [];

  constructor(address: string) {
    this.#address = address;
  }

  async createDatabase(template = "template0"): Promise<string> {
    const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
    await this.#run((sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`);
    this.#made.push(name);
    return new URL(name, this.#address).href;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#made.splice(0)) {
      await this.#run((sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`);
    }
  }

  async #run(statement: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
    const sql = postgres(this.#address, { max: 1, onnotice: () => {} });
    try {
      await statement(sql);
    } finally {
      await sql.end();
    }
  }
}
