/**
 * A thread that runs the statements of readers, each on a connection of its own, with the rights of readers: nothing
 * that one statement sets or makes is there for the next. Its calls block, so it does no other work.
 */
import { ChdbConnection } from "../../ffi/chdb.ts";
import { guestAccount, guestProfile } from "../../lib/engines/store/clickhouse/door.ts";
import { textLiteral } from "../../lib/engines/store/clickhouse/sql-literals.ts";
import { admitted } from "./admitted-statement.ts";
import { done, OpenQuery, serveRequests } from "./chdb-answers.ts";
import type { GuestRequest, ThreadAnswer } from "./chdb-messages.ts";
import { engineArguments } from "./engine-accounts.ts";

let directory = "";
/** The store's own: parses statements, and never runs one of a reader. */
let own: ChdbConnection | null = null;
const query = new OpenQuery();

serveRequests<GuestRequest>(answerTo, () => query.end());

function answerTo(request: GuestRequest): ThreadAnswer {
  switch (request.kind) {
    case "open":
      directory = request.directory;
      own = new ChdbConnection(directory, engineArguments(directory));
      return done(0);
    case "guest":
      return begin(request);
    case "pull":
      return query.next();
    case "cancel":
      query.end();
      return { kind: "end" };
    case "close":
      own?.close();
      own = null;
      return done(0);
  }
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
  let isOpen = false;
  try {
    restrict(connection, database, settings);
    if (inBlocks.has(asked.format) && isQuery.test(asked.sql)) {
      isOpen = true;
      return query.begin(connection.stream(asked), () => connection.close());
    }
    return done(0, connection.query(asked).bytes);
  } finally {
    if (!isOpen) {
      connection.close();
    }
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
  const changes = Object.entries(all).map(([name, value]) => `${name} = ${textLiteral(String(value))}`);
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
