/**
 * A statement, and what comes with it, from a request in the form of ClickHouse's HTTP interface. Nothing here keeps a
 * reader from anything: rights and limits are the engine's (docs/internals/sql.md).
 */
import { bodyBytes } from "../../../../lib/engines/http/body.ts";
import { linksMax, parametersMax, statementBytesMax } from "./limits.ts";
import { Refusal } from "./refusal.ts";

export interface Statement {
  readonly sql: string;
  /** Where the statement has no FORMAT; null = the engine's default. */
  readonly format: string | null;
  readonly database: string | null;
  /** Values of `{name:Type}`. */
  readonly params: readonly (readonly [name: string, value: string])[];
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Secrets of links, whose results are to be read too. */
  readonly links: readonly string[];
  readonly isPacked: boolean;
  /** Version of ClickHouse's native protocol; null = the client names none. */
  readonly protocolVersion: string | null;
}

/** For one connection, for a program's own sake, or without a meaning here: sessions are not kept. */
const ignored = new Set([
  ...["user", "password", "query", "query_id", "database", "default_format", "link", "quota_key", "role"],
  ...["session_id", "session_timeout", "session_check", "client_protocol_version", "wait_end_of_query"],
  ...["buffer_size", "enable_http_compression", "http_zlib_compression_level", "readonly", "log_queries"],
  ...["send_progress_in_http_headers", "http_headers_progress_interval_ms", "add_http_cors_header"],
  ...["cancel_http_readonly_queries_on_client_close", "http_write_exception_in_output_format", "log_comment"],
  ...["http_response_buffer_size", "client_name", "compress", "decompress", "result_overflow_mode"],
]);

/** How a result is written, and smaller limits; the engine's profile bounds them. */
const chosen = new RegExp(
  `^(${[
    "output_format_(json|csv|tsv|pretty|write|decimal|native|parquet|arrow|xml)_[a-z0-9_]+",
    "format_(csv|tsv)_[a-z0-9_]+|date_time_output_format|session_timezone|limit|offset|extremes",
    "max_result_rows|max_execution_time|max_rows_to_read|join_use_nulls|group_by_use_nulls",
    "union_default_mode|prefer_column_name_to_alias",
  ].join("|")})$`,
);

const parameterName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const word = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Throws Refusal, and Problem for a body that is too large, too slow or badly packed. */
export async function readStatement(request: Request, query: URLSearchParams): Promise<Statement> {
  if (/multipart\/form-data/i.test(request.headers.get("content-type") ?? "")) {
    throw new Refusal(
      "notImplemented",
      501,
      "External tables are not accepted: put the values into the query",
    );
  }
  for (const name of ["compress", "decompress"]) {
    if (isSet(query.get(name))) {
      const instead = "use enable_http_compression=1, or with a JDBC driver compress=0";
      const message = `${name}=1, ClickHouse's own compression, is not supported here: ${instead}`;
      throw new Refusal("notImplemented", 501, message);
    }
  }
  const body = new TextDecoder().decode(await bodyBytes(request, { bytesMax: statementBytesMax }));
  const sql = [query.get("query") ?? "", body].filter((text) => text.trim() !== "").join("\n");
  if (sql === "") {
    throw new Refusal("badArguments", 400, "The statement is empty");
  }
  if (Buffer.byteLength(sql) > statementBytesMax) {
    throw new Refusal("badArguments", 400, `The statement has more than ${statementBytesMax} bytes`);
  }
  const { params, settings } = valuesOf(query);
  return {
    sql,
    format: name(request.headers.get("x-clickhouse-format") ?? query.get("default_format"), "default_format"),
    database: name(query.get("database") ?? request.headers.get("x-clickhouse-database"), "database"),
    params,
    settings,
    links: linksOf(query),
    isPacked: isSet(query.get("enable_http_compression")),
    protocolVersion: /^\d{1,9}$/.exec(query.get("client_protocol_version") ?? "")?.[0] ?? null,
  };
}

function isSet(value: string | null): boolean {
  return value !== null && value !== "0" && value !== "false" && value !== "";
}

function name(value: string | null, what: string): string | null {
  if (value === null || value === "") {
    return null;
  }
  if (!word.test(value)) {
    throw new Refusal("badArguments", 400, `${what} must be a name: letters, digits and _`);
  }
  return value;
}

function valuesOf(query: URLSearchParams): Pick<Statement, "params" | "settings"> {
  const params: [string, string][] = [];
  const settings: [string, string][] = [];
  for (const [key, value] of query) {
    if (key.startsWith("param_")) {
      const given = key.slice("param_".length);
      if (!parameterName.test(given)) {
        throw new Refusal("badArguments", 400, "A parameter must be param_NAME: letters, digits and _");
      }
      params.push([given, value]);
    } else if (chosen.test(key)) {
      settings.push([key, value]);
    } else if (!ignored.has(key)) {
      const message = `The setting ${printable(key)} cannot be changed here`;
      throw new Refusal("readonly", 400, message);
    }
  }
  if (params.length + settings.length > parametersMax) {
    throw new Refusal("badArguments", 400, `More than ${parametersMax} parameters and settings`);
  }
  return { params, settings };
}

function printable(text: string): string {
  return text.replaceAll(/[^\w.-]/g, "?").slice(0, 60);
}

function linksOf(query: URLSearchParams): string[] {
  const links = query.getAll("link").flatMap((text) => text.split(","));
  if (links.length > linksMax) {
    throw new Refusal("badArguments", 400, `More than ${linksMax} links`);
  }
  return links.map((text) => text.trim()).filter((text) => text !== "");
}
