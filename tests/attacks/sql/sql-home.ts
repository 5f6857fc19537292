/** A gateway with SQL on a real column store: rows of a user who shares nothing, of an attacker, and public ones. */
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { countHistory } from "../../../lib/engines/store/clickhouse/count-history.ts";
import { ResultsHome } from "../../contract/probing-gateway-reads/results-home.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";

/** In rows of `ann` alone. */
export const secret = "203.0.113.77";
const secretHop = "198.51.100.177";

export interface SqlResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The response broke off: no client takes it for a whole one. */
  readonly isCut: boolean;
}

export class SqlHome implements AsyncDisposable {
  readonly home: ResultsHome;
  /** Measurements of `ann`, who shares nothing; of `mallory`; and of `carol`, who has published hers. */
  readonly others: string;
  readonly own: string;
  readonly shown: string;
  /** The name of the set that shows ann's rows, as if somebody had got hold of it. */
  #digest = "";
  readonly #database: EngineHome;

  private constructor(home: ResultsHome, database: EngineHome, ids: readonly [string, string, string]) {
    this.home = home;
    this.#database = database;
    [this.others, this.own, this.shown] = ids;
  }

  static async start(yaml = "sql: { public_read: true, seconds_per_day: 86400 }"): Promise<SqlHome> {
    const database = await startEngine();
    const limits = "limits: { public_requests_per_minute: 100000, public_requests_per_minute_all: 1000000 }";
    const home = await ResultsHome.start(database, `${yaml}\n${limits}`);
    const others = await home.submit("ann", 3);
    await home.ingest(
      others,
      3,
      [1, 2, 3].map((ttl) => ({ ttl, destination: secret, from: secretHop })),
    );
    const own = await home.submit("mallory", 2);
    await home.ingest(
      own,
      2,
      [1, 2].map((ttl) => ({ ttl })),
    );
    const shown = await home.submit("carol", 1);
    await home.ingest(shown, 1, [{ ttl: 1, destination: "203.0.113.5" }]);
    await home.gateway.ask("carol", `/api/measurements/${shown}/sharing`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ visibility: "public", licence: "CC-BY-4.0" }),
    });
    const hourLater = { nowMs: Date.now() + 7_200_000, signal: new AbortController().signal };
    await countHistory(home.store.store, hourLater);
    const made = new SqlHome(home, database, [others, own, shown]);
    await made.ask("ann", "SELECT 1");
    made.#digest = await made.#digestOf(others);
    return made;
  }

  get digest(): string {
    return this.#digest;
  }

  async #digestOf(measurement: string): Promise<string> {
    const found = await this.home.store.store.client.query({
      query: `SELECT digest FROM measure.readable WHERE measurement_id = '${measurement}' LIMIT 1`,
      format: "JSONEachRow",
    });
    const [row] = await found.json<{ digest: string }>();
    return row?.digest ?? "";
  }

  filled(sql: string): string {
    return sql
      .replaceAll("{other}", this.others)
      .replaceAll("{secret}", secret)
      .replaceAll("{digest}", this.digest);
  }

  /** Null = without a credential. `query` begins with `?`. */
  async ask(user: string | null, sql: string, query = "", init: RequestInit = {}): Promise<SqlResponse> {
    const response = await this.home.gateway.ask(user, `/api/sql${query}`, {
      method: "POST",
      body: sql,
      ...init,
    });
    const { status, headers } = response;
    return { status, headers, ...(await textOf(response)) };
  }

  /** Whether a text shows something of ann's rows. */
  isLeak(text: string): boolean {
    return [this.others, secret, secretHop, identityOf("ann").userHash].some((one) => text.includes(one));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.home[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
  }
}

async function textOf({ body }: Response): Promise<Pick<SqlResponse, "text" | "isCut">> {
  const pieces: Uint8Array[] = [];
  let isCut = false;
  try {
    for await (const piece of body ?? []) {
      pieces.push(piece);
    }
  } catch {
    isCut = true;
  }
  return { text: Buffer.concat(pieces).toString(), isCut };
}
