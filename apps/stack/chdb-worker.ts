/** A thread of the store's process with one connection to ClickHouse; its calls block, so it does no other work. */
import { ChdbConnection, ChdbError, type ChdbResult } from "../../ffi/chdb.ts";
import { systemReason } from "../../lib/base/failure/system-reason.ts";
import type { Settings, ThreadAnswer, ThreadRequest } from "./chdb-messages.ts";
import { engineArguments } from "./engine-accounts.ts";

declare const self: Worker;

/** Inserts answer when they are stored, one by one. Joins and sorts that outgrow memory go to disk. */
const connectionSettings: Readonly<Record<string, number>> = {
  async_insert: 0,
  max_bytes_before_external_group_by: 1_000_000_000,
  max_bytes_before_external_sort: 1_000_000_000,
  max_memory_usage: 4_000_000_000,
};
const nothing = new Uint8Array(0);

let connection: ChdbConnection | null = null;
let stream: { readonly blocks: Generator<ChdbResult, void>; readonly settings: Settings } | null = null;

self.onmessage = ({ data: request }: MessageEvent<ThreadRequest>) => {
  try {
    const answer = answerTo(request);
    const transfer = "bytes" in answer && answer.bytes.length > 0 ? [answer.bytes.buffer as ArrayBuffer] : [];
    self.postMessage(answer, transfer);
  } catch (error) {
    stream = null;
    const message = systemReason(error);
    const number = error instanceof ChdbError ? error.number : 0;
    self.postMessage({ kind: "failed", message, number } satisfies ThreadAnswer);
  }
};

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
      return { kind: "done", bytes, rows: rowsRead };
    }
    case "stream":
      change(connection, request.settings);
      stream = { blocks: connection.stream(request.statement), settings: request.settings };
      return nextBlock();
    case "pull":
      return nextBlock();
    case "cancel":
      endStream();
      return { kind: "end" };
    case "insert": {
      const { sql, format, data, settings } = request;
      const clause = Object.entries(settings).map(([name, value]) => `${name} = ${quoted(value)}`);
      const text = clause.length === 0 ? sql : `${sql} SETTINGS ${clause.join(", ")}`;
      return done(connection.insert(text, format, new Uint8Array(data)));
    }
    case "close":
      connection.close();
      connection = null;
      return done(0);
  }
}

function done(rows: number): ThreadAnswer {
  return { kind: "done", bytes: nothing, rows };
}

function nextBlock(): ThreadAnswer {
  const next = stream?.blocks.next();
  if (next?.value !== undefined) {
    return { kind: "block", bytes: next.value.bytes };
  }
  endStream();
  return { kind: "end" };
}

function endStream(): void {
  const ended = stream;
  stream = null;
  ended?.blocks.return();
  if (ended !== null && connection !== null) {
    changeBack(connection, ended.settings);
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
    Object.entries(settings).map(([name, value]) => `${name} = ${quoted(value)}`),
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

function quoted(value: string): string {
  return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
