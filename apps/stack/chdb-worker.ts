/** A thread of the store's process with one connection to ClickHouse; its calls block, so it does no other work. */
import { ChdbConnection, type ChdbResult } from "../../ffi/chdb.ts";
import { textLiteral } from "../../lib/engines/store/clickhouse/sql-literals.ts";
import { done, OpenQuery, serveRequests } from "./chdb-answers.ts";
import type { Settings, ThreadAnswer, ThreadRequest } from "./chdb-messages.ts";
import { engineArguments } from "./engine-accounts.ts";

/** Inserts answer when they are stored, one by one. Joins and sorts that outgrow memory go to disk. */
const connectionSettings: Readonly<Record<string, number>> = {
  async_insert: 0,
  max_bytes_before_external_group_by: 1_000_000_000,
  max_bytes_before_external_sort: 1_000_000_000,
  max_memory_usage: 4_000_000_000,
};

let connection: ChdbConnection | null = null;
const query = new OpenQuery();

serveRequests<ThreadRequest>(answerTo, () => query.end());

function answerTo(request: ThreadRequest): ThreadAnswer {
  if (request.kind === "open") {
    connection = new ChdbConnection(request.directory, {
      ...engineArguments(request.directory),
      ...connectionSettings,
    });
    return done(0);
  }
  if (connection === null) {
    throw new Error("The connection is closed");
  }
  switch (request.kind) {
    case "run": {
      const { bytes, rowsRead } = withSettings(request.settings, (open) => open.query(request.statement));
      return done(rowsRead, bytes);
    }
    case "stream": {
      const [open, { statement, settings }] = [connection, request];
      change(open, settings);
      return query.begin(open.stream(statement), () => changeBack(open, settings));
    }
    case "pull":
      return query.next();
    case "cancel":
      query.end();
      return { kind: "end" };
    case "insert": {
      const { sql, format, data, settings } = request;
      const clause = Object.entries(settings).map(([name, value]) => `${name} = ${textLiteral(value)}`);
      const text = clause.length === 0 ? sql : `${sql} SETTINGS ${clause.join(", ")}`;
      return done(connection.insert(text, format, new Uint8Array(data)));
    }
    case "close":
      connection.close();
      connection = null;
      return done(0);
  }
}

function withSettings(settings: Settings, action: (open: ChdbConnection) => ChdbResult): ChdbResult {
  if (connection === null) {
    throw new Error("The connection is closed");
  }
  change(connection, settings);
  try {
    return action(connection);
  } finally {
    changeBack(connection, settings);
  }
}

/** Settings last as long as the connection, so a statement's settings are reset after it. */
function change(open: ChdbConnection, settings: Settings): void {
  set(
    open,
    Object.entries(settings).map(([name, value]) => `${name} = ${textLiteral(value)}`),
  );
}

function changeBack(open: ChdbConnection, settings: Settings): void {
  set(
    open,
    Object.keys(settings).map((name) => `${name} = ${connectionSettings[name] ?? "DEFAULT"}`),
  );
}

function set(open: ChdbConnection, changes: readonly string[]): void {
  if (changes.length > 0) {
    open.query({ sql: `SET ${changes.join(", ")}`, format: "Null", params: {} });
  }
}
