/** Client of one gateway's admin API. */
import * as v from "valibot";
import type { GatewaySession } from "../../../lib/command/command/gateway/session.ts";
import type { Gateway } from "../../../lib/engines/gateway-client/gateway.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import { pageRows } from "./limits.ts";

type Schema = v.GenericSchema;
type Query = Readonly<Record<string, string | number | undefined>>;

interface ListOrder<Row> {
  /** The next page's `after`. */
  readonly idOf: (row: Row) => string | number;
  readonly query?: Query;
  /** Maximum number of rows; default all. */
  readonly rowsMax?: number;
}

export class AdminApi {
  readonly #gateway: Gateway;
  readonly #signal: AbortSignal;

  private constructor(gateway: Gateway, signal: AbortSignal) {
    this.#gateway = gateway;
    this.#signal = signal;
  }

  /** With the login, or the key, of the session. Rejects with GatewayError, CommandError. */
  static async open(session: GatewaySession): Promise<AdminApi> {
    return new AdminApi(await session.open(), session.signal);
  }

  get address(): string {
    return this.#gateway.address;
  }

  read<Answer extends Schema>(
    path: string,
    schema: Answer,
    query: Query = {},
  ): Promise<v.InferOutput<Answer>> {
    return this.#gateway.read(`/admin${path}`, schema, { query, signal: this.#signal });
  }

  /** Fetches page after page, as rows are consumed. */
  async *list<Row extends Schema>(
    path: string,
    schema: Row,
    { idOf, query = {}, rowsMax = Number.MAX_SAFE_INTEGER }: ListOrder<v.InferOutput<Row>>,
  ): AsyncGenerator<v.InferOutput<Row>, void, undefined> {
    let after: string | number | undefined;
    for (let left = rowsMax; left > 0; ) {
      const limit = Math.min(left, pageRows);
      const page = await this.read(path, v.array(schema), { ...query, limit, after });
      yield* page;
      left -= page.length;
      const last = page.at(-1);
      if (last === undefined || page.length < limit) {
        return;
      }
      after = idOf(last);
    }
  }

  send<Answer extends Schema>(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    schema: Answer,
    body?: object,
  ): Promise<v.InferOutput<Answer>> {
    return this.#gateway.read(`/admin${path}`, schema, { method, signal: this.#signal, ...bodyOf(body) });
  }

  /** For requests without a response body. */
  async do(method: "POST" | "DELETE", path: string, body?: object): Promise<void> {
    await this.#gateway.request(`/admin${path}`, { method, signal: this.#signal, ...bodyOf(body) });
  }

  /** Streams the response's body. */
  async stream(path: string): Promise<Response> {
    return this.#gateway.request(`/admin${path}`, { signal: this.#signal });
  }
}

/** Null where the gateway refuses with this code. */
export async function noneOn<Answer>(code: string, answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GatewayError && error.code === code) {
      return null;
    }
    throw error;
  }
}

/** Null for a user that does not exist at the gateway. */
export async function knownAnswer(api: AdminApi | null, path: string): Promise<Response | null> {
  return api === null ? null : await noneOn("unknown_user", api.stream(path));
}

function bodyOf(body: object | undefined) {
  return body === undefined
    ? {}
    : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}
