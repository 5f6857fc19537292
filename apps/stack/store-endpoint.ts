/**
 * The HTTP face of the embedded store: as much of ClickHouse's own as @clickhouse/client 1.23 uses.
 *
 * `GET /ping`; `POST /?query=…` with the data of an INSERT as its body, or `POST /` with the statement as its body.
 * Values of `{name:Type}` come as `param_name`, settings under their own names. The answer is the result, or the
 * text of ClickHouse's error. Everything but the ping needs the secret, as the password of Basic authorization.
 */
import { timingSafeEqual } from "node:crypto";
import { systemReason } from "../../lib/base/failure/system-reason.ts";
import { guestAccount } from "../../lib/engines/store/clickhouse/door.ts";
import type { Settings } from "./chdb-messages.ts";
import { StatementError } from "./chdb-thread.ts";
import type { ChdbThreads } from "./chdb-threads.ts";

/** Parameters of a request that are not ClickHouse settings, or mean nothing for one process on loopback. */
const notSettings = new Set([
  ...["query", "query_id", "database", "session_id", "session_timeout", "session_check", "role"],
  ...[
    "wait_end_of_query",
    "enable_http_compression",
    "default_format",
    "compress",
    "decompress",
    "buffer_size",
  ],
  ...[
    "send_progress_in_http_headers",
    "http_headers_progress_interval_ms",
    "cancel_http_readonly_queries_on_client_close",
  ],
]);
const settingName = /^[a-z][a-z0-9_]*$/;
const formatDefault = "TabSeparated";
const isRead = /^\s*(SELECT|WITH|SHOW|DESCRIBE|DESC|EXISTS|EXPLAIN|CHECK)\b/i;
/** Formats whose blocks, one after another, are the whole; and the statements that ClickHouse gives in blocks. */
const isStreamed =
  /^\s*(SELECT|WITH)\b.*\bFORMAT\s+(JSON(Compact)?EachRow|CSV|TabSeparated|TSV|RowBinary)\s*;?\s*$/is;
const insertWithData = /^(\s*INSERT\b.*?)\s+FORMAT\s+(\w+)\s*;?\s*$/is;

export class StoreEndpoint {
  readonly #threads: ChdbThreads;
  readonly #token: Buffer;

  constructor(threads: ChdbThreads, token: string) {
    this.#threads = threads;
    this.#token = Buffer.from(token);
  }

  async answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (request.method === "GET" && url.pathname === "/ping") {
      return new Response("Ok.\n");
    }
    const user = this.#userOf(request);
    if (user === null) {
      return failure(403, 516, "Code: 516. DB::Exception: Wrong secret. (AUTHENTICATION_FAILED)");
    }
    if (url.pathname !== "/" || (request.method !== "POST" && request.method !== "GET")) {
      return failure(404, 0, "There is nothing here");
    }
    try {
      // Whoever has the secret chooses the account: a gateway names that of readers for their statements.
      return user === guestAccount
        ? await this.#visit(request, url.searchParams)
        : await this.#execute(request, url.searchParams);
    } catch (error) {
      const message = systemReason(error);
      return failure(500, error instanceof StatementError ? error.number : 0, message);
    }
  }

  /** The user, or null for a wrong secret: compared in constant time, so that it cannot be guessed letter by letter. */
  #userOf(request: Request): string | null {
    const [scheme, credentials = ""] = (request.headers.get("authorization") ?? "").split(" ");
    const [, user = "", password = ""] =
      scheme === "Basic" ? (/^([^:]*):(.*)$/s.exec(Buffer.from(credentials, "base64").toString()) ?? []) : [];
    const given = Buffer.from(password);
    return given.length === this.#token.length && timingSafeEqual(given, this.#token) ? user : null;
  }

  /** A reader's statement. */
  async #visit(request: Request, search: URLSearchParams): Promise<Response> {
    const sql = await request.text();
    const database = search.get("database") ?? "default";
    if (!/^[A-Za-z]\w{0,63}$/.test(database)) {
      return failure(400, 36, "Code: 36. DB::Exception: The database is not a name. (BAD_ARGUMENTS)");
    }
    const statement = {
      sql,
      format: search.get("default_format") ?? formatDefault,
      params: paramsOf(search),
    };
    const blocks = this.#threads.guest(statement, database, settingsOf(search));
    return this.#stream(search, withReason(blocks));
  }

  async #execute(request: Request, search: URLSearchParams): Promise<Response> {
    const body = await request.arrayBuffer();
    const query = search.get("query");
    const sql = query ?? new TextDecoder().decode(body);
    const insert = query === null ? null : insertWithData.exec(query);
    const settings = settingsOf(search);
    if (insert !== null) {
      const [, text = "", format = ""] = insert;
      const rows = await this.#threads.insert({ sql: text, format, data: body }, settings);
      return success(search, "", { written_rows: String(rows) });
    }
    const format = search.get("default_format") ?? formatDefault;
    const statement = { sql, format, params: paramsOf(search) };
    if (isStreamed.test(sql)) {
      return this.#stream(search, this.#threads.stream(statement, settings));
    }
    const isWrite = !isRead.test(sql);
    const result = await this.#threads.run(statement, settings, isWrite);
    return success(search, result as Uint8Array<ArrayBuffer>, {});
  }

  /** The first block is waited for, so that a statement which is refused has its status. */
  async #stream(search: URLSearchParams, blocks: AsyncGenerator<Uint8Array, void>): Promise<Response> {
    const first = await blocks.next();
    let waiting = first.done === true ? null : first.value;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const next = waiting === null ? await blocks.next() : { done: false, value: waiting };
            waiting = null;
            if (next.done === true || next.value === undefined) {
              controller.close();
            } else {
              controller.enqueue(next.value);
            }
          } catch {
            // The connection breaks off; the server would print what is passed here.
            controller.error();
          }
        },
        async cancel() {
          await blocks.return();
        },
      },
      { highWaterMark: 0 },
    );
    return success(search, first.done === true ? "" : body, {});
  }
}

/** A failure in the middle stands behind the rows, as ClickHouse has it, and breaks the response off. */
async function* withReason(blocks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  let hasBegun = false;
  try {
    for await (const block of blocks) {
      hasBegun = true;
      yield block;
    }
  } catch (error) {
    if (hasBegun) {
      yield Buffer.from(`\n${systemReason(error)}\n`);
    }
    throw error;
  }
}

function settingsOf(search: URLSearchParams): Settings {
  const own = [...search].filter(
    ([name]) => !notSettings.has(name) && !name.startsWith("param_") && settingName.test(name),
  );
  return Object.fromEntries(own);
}

function paramsOf(search: URLSearchParams): Record<string, string> {
  const start = "param_";
  const own = [...search].filter(([name]) => name.startsWith(start));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(start.length), value]));
}

function success(
  search: URLSearchParams,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  summary: Readonly<Record<string, string>>,
): Response {
  const headers = {
    "Content-Type": "application/octet-stream",
    "X-ClickHouse-Query-Id": search.get("query_id") ?? "",
    "X-ClickHouse-Summary": JSON.stringify(summary),
  };
  return new Response(body, { headers });
}

function failure(status: number, number: number, message: string): Response {
  const headers = { "X-ClickHouse-Exception-Code": String(number) };
  return new Response(message, { status, headers });
}
