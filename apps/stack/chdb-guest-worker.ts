/**
 * A thread that runs the statements of readers, each on a connection of its own, with the rights of readers: nothing
 * that one statement sets or makes is there for the next. Its calls block, so it does no other work.
 */
import { ChdbConnection, ChdbError, type ChdbResult } from "../../ffi/chdb.ts";
import { systemReason } from "../../lib/base/failure/system-reason.ts";
import { guestAccount, guestProfile } from "../../lib/engines/store/clickhouse/door.ts";
import { admitted } from "./admitted-statement.ts";
import type { GuestRequest, ThreadAnswer } from "./chdb-messages.ts";
import { engineArguments } from "./engine-accounts.ts";

declare const self: Worker;

const nothing = new Uint8Array(0);

let directory = "";
/** The store's own: parses statements, and never runs one of a reader. */
let own: ChdbConnection | null = null;
let stream: { readonly connection: ChdbConnection; readonly blocks: Generator<ChdbResult, void> } | null =
  null;

self.onmessage = ({ data: request }: MessageEvent<GuestRequest>) => {
  try {
    const answer = answerTo(request);
    const transfer = "bytes" in answer && answer.bytes.length > 0 ? [answer.bytes.buffer as ArrayBuffer] : [];
    self.postMessage(answer, transfer);
  } catch (error) {
    endStream();
    const number = error instanceof ChdbError ? error.number : 0;
    self.postMessage({ kind: "failed", message: systemReason(error), number } satisfies ThreadAnswer);
  }
};

function answerTo(request: GuestRequest): ThreadAnswer {
  switch (request.kind) {
    case "open":
      directory = request.directory;
      own = new ChdbConnection(directory, engineArguments(directory));
      return done(nothing);
    case "guest":
      return begin(request);
    case "pull":
      return nextBlock();
    case "cancel":
      endStream();
      return { kind: "end" };
    case "close":
      own?.close();
      own = null;
      return done(nothing);
  }
}

function done(bytes: Uint8Array): ThreadAnswer {
  return { kind: "done", bytes, rows: 0 };
}

/** Formats whose blocks, one after another, are the whole result; others are made as a whole. */
const inBlocks = new Set(
  "JSONEachRow JSONCompactEachRow CSV TabSeparated TSV TabSeparatedRaw TSVRaw RowBinary LineAsString".split(
    " ",
  ),
);

/** As the engine's parser writes it: only queries come in blocks. */
const isQuery = /^\(*(SELECT|WITH)\b/;

function begin({ statement, database, settings }: Extract<GuestRequest, { kind: "guest" }>): ThreadAnswer {
  if (own === null) {
    throw new Error("The connection is closed");
  }
  const { sql, format } = admitted(own, statement.sql);
  const asked = { ...statement, sql, format: format ?? statement.format };
  const connection = new ChdbConnection(directory, engineArguments(directory));
  try {
    restrict(connection, database, settings);
    if (inBlocks.has(asked.format) && isQuery.test(asked.sql)) {
      stream = { connection, blocks: connection.stream(asked) };
      return nextBlock();
    }
    const { bytes } = connection.query(asked);
    connection.close();
    return done(bytes);
  } catch (error) {
    if (stream === null) {
      connection.close();
    }
    throw error;
  }
}

/** From here on the connection is the reader's; `readonly` comes last, as nothing can be set after it. */
function restrict(
  connection: ChdbConnection,
  database: string,
  settings: Readonly<Record<string, string>>,
): void {
  const run = (sql: string) => connection.query({ sql, format: "Null", params: {} });
  const all = { ...guestProfile, ...withinProfile(settings), readonly: 1 };
  const changes = Object.entries(all).map(([name, value]) => `${name} = ${quoted(String(value))}`);
  run(`USE ${database}`);
  run(`SET ROLE ${guestAccount}`);
  run(`SET ${changes.join(", ")}`);
}

/** A limit of the profile may only be made smaller; 0 would be none. */
function withinProfile(settings: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(settings).filter(([name, value]) => {
    const limit = guestProfile[name];
    return limit === undefined || (/^[1-9]\d{0,17}$/.test(value) && Number(value) <= limit);
  });
  return Object.fromEntries(kept);
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
  ended?.connection.close();
}

function quoted(value: string): string {
  return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
