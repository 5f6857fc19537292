/**
 * Opens the relational database by its address: `pglite:DIRECTORY` for the embedded one, `postgres://…` for a
 * server.
 *
 * Both use the same client with the same SQL. The embedded one is a pool of one: inside `sql.begin` only the
 * transaction given may be used, and LISTEN and cursors are not allowed.
 *
 * The client is patched (postgres@3.4.9.patch). As published,
 * - a BEGIN that is the last statement which a connection takes fails its transaction and leaves the connection inside
 *   it: the 100th, or one that fills the socket;
 * - a statement that fails in the middle of its rows leaves holes in those of the next;
 * - a statement with a value that cannot be sent fails another one, and those that follow get each other's rows;
 * - a connection that dies leaves unsent bytes, unanswered statements and its error to its successor, which hangs, and
 *   transactions continue on other callers' connection;
 * - a listener that could not listen at first does so later, and one that has moved to another session never ends;
 * - a server that hangs, or whose machine has vanished, is waited for without end: `answer_timeout` is ours;
 * - during an outage, one waiting statement fails for each attempt to connect, and the others wait.
 */

import type { PostgresType } from "postgres";
import postgres from "postgres";
import { embeddedFolder } from "../../../base/api/embedded-folder.ts";
import { checkRoom } from "../../../base/disk/check-room.ts";
import { Failure } from "../../../base/failure/failure.ts";
import { codeOf } from "../../../base/failure/outage.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import { withoutPassword } from "../../../base/failure/without-password.ts";
import { type EmbeddedServer, startEmbedded } from "./embedded-server.ts";
import * as limits from "./limits.ts";
import { SessionCheck, sharedSessions, sharesSessions } from "./pooler.ts";

export interface Database extends AsyncDisposable {
  readonly engine: "pglite" | "postgres";
  /** As given, without password: fit for logs. */
  readonly address: string;
  readonly sql: postgres.Sql;
  /** Runs `ask` and reports its duration to `onQuery`, under `name`: a short stable word, never a value. */
  timed<Answer>(name: string, ask: () => PromiseLike<Answer>): Promise<Answer>;
  /** Does `work`, whose statements may take as long as a migration. */
  patiently<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  /** Rejects when it does not answer, shares our sessions with others, or is embedded and its disk is full. */
  checkReady(): Promise<void>;
}

export interface QueryTime {
  readonly name: string;
  readonly elapsedMs: number;
  readonly failed: boolean;
}

interface DatabaseOptions {
  /** Shown to the database's operator. */
  readonly applicationName: string;
  /** For a server; the embedded one has one connection. */
  readonly connectionsMax?: number;
  /** Seconds within which a server has to send something for a statement. */
  readonly answerSecMax?: number;
  readonly onQuery?: (query: QueryTime) => void;
}

/**
 * Resolves when the database has answered; connections that are lost later come back by themselves.
 * Rejects with Failure `database`: `badAddress` for what cannot work, `sharedSessions` behind a pooler that is not in
 * session mode, `unavailable` when nothing answers now.
 */
export async function openDatabase(address: string, options: DatabaseOptions): Promise<Database> {
  const directory = embeddedFolder("database", address);
  if (directory !== null) {
    return openEmbedded(directory, address, options);
  }
  if (/^postgres(ql)?:\/\//.test(address)) {
    return openServer(address, options);
  }
  throw new Failure(
    "database",
    "badAddress",
    `Cannot open the database "${withoutPassword(address)}": give pglite:DIRECTORY or postgres://USER@HOST/NAME`,
  );
}

async function openEmbedded(directory: string, address: string, options: DatabaseOptions): Promise<Database> {
  if (directory === "") {
    throw new Failure(
      "database",
      "badAddress",
      "Cannot open the database pglite: a directory must follow the colon",
    );
  }
  const server = await startEmbedded(directory);
  try {
    const sql = postgres({ ...common(options), path: server.path, user: "postgres", max: 1 });
    return await checked({ engine: "pglite", address, sql, options, server, patience: null });
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

async function openServer(address: string, options: DatabaseOptions): Promise<Database> {
  const shown = withoutPassword(address);
  if (!URL.canParse(address)) {
    throw new Failure(
      "database",
      "badAddress",
      `Cannot open the database ${shown}: the address is not a URL`,
    );
  }
  const patience = { sec: options.answerSecMax ?? limits.answerWaitSecMax };
  const settings = {
    ...common(options),
    answer_timeout: () => patience.sec,
    max: options.connectionsMax ?? limits.connectionsDefault,
    connection: {
      application_name: options.applicationName,
      TimeZone: "UTC",
      statement_timeout: limits.statementMsMax,
      idle_in_transaction_session_timeout: limits.idleTransactionMsMax,
      // Statements take milliseconds; compiling one takes 0.7 s where a young table's size is guessed.
      jit: "off",
    },
  };
  const database = await checked({
    engine: "postgres",
    address: shown,
    sql: postgres(address, settings),
    options,
    server: null,
    patience,
  });
  try {
    await checkPooler(database, (max) =>
      postgres(address, { ...settings, max, prepare: false, fetch_types: false }),
    );
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Rejects with Failure `database` `sharedSessions`; what cannot be found out yet shows in `checkReady`. */
async function checkPooler(
  { sql, address }: Database,
  connect: (max: number) => postgres.Sql,
): Promise<void> {
  if (!(await new SessionCheck(address).look(sql))) {
    return;
  }
  const [one, others] = [connect(1), connect(limits.poolerTransactionsHeld)];
  try {
    const late = Bun.sleep(limits.poolerWaitMsMax).then(() => false);
    const isShared = await Promise.race([sharesSessions(one, others), late]);
    if (isShared) {
      throw sharedSessions(address);
    }
  } finally {
    await Promise.all([one, others].map((each) => each.end({ timeout: 0 })));
  }
}

function common({ applicationName }: DatabaseOptions): postgres.Options<typeof columnTypes> {
  return {
    types: columnTypes,
    connect_timeout: limits.connectWaitSec,
    backoff: (retries: number) => Math.min(2 ** retries / 10, limits.reconnectWaitSecMax),
    connection: { application_name: applicationName },
    onnotice: () => {},
  };
}

interface Parts {
  readonly engine: Database["engine"];
  readonly address: string;
  readonly sql: postgres.Sql;
  readonly options: DatabaseOptions;
  readonly server: EmbeddedServer | null;
  /** Null = in this process, where nothing gets lost. */
  readonly patience: { sec: number } | null;
}

async function checked({ engine, address, sql, options, server, patience }: Parts): Promise<Database> {
  try {
    await sql`SELECT 1`;
  } catch (cause) {
    await sql.end({ timeout: 0 });
    throw whyNot(address, cause);
  }
  const { onQuery } = options;
  const sessions = new SessionCheck(address);
  return {
    engine,
    address,
    sql,
    timed: (name, ask) => timed(name, ask, onQuery),
    patiently: (work) => patiently(work, patience),
    checkReady: async () => {
      await sessions.look(sql);
      await (server === null ? undefined : checkRoom(server.home));
    },
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: limits.closeWaitSec });
      await server?.[Symbol.asyncDispose]();
    },
  };
}

async function timed<Answer>(
  name: string,
  ask: () => PromiseLike<Answer>,
  onQuery: DatabaseOptions["onQuery"],
): Promise<Answer> {
  const startedAtMs = performance.now();
  let failed = true;
  try {
    const answer = await ask();
    failed = false;
    return answer;
  } finally {
    onQuery?.({ name, elapsedMs: performance.now() - startedAtMs, failed });
  }
}

async function patiently<Answer>(work: () => Promise<Answer>, patience: Parts["patience"]): Promise<Answer> {
  if (patience === null) {
    return work();
  }
  const { sec } = patience;
  patience.sec = Math.max(sec, limits.migrationMsMax / 1000 + limits.answerWaitSecMax);
  try {
    return await work();
  } finally {
    patience.sec = sec;
  }
}

/** Advice for the operator, by SQLSTATE. */
const advice: Readonly<Record<string, string>> = {
  "28P01": "check user and password",
  "28000": "check the user and the server's pg_hba.conf",
  "3D000": "make it with createdb, or give another name",
  "42501": "the user may not connect; grant it",
};

/** PgBouncer's words for what it does not pass on. */
const poolerAdvice =
  "a connection pooler answers there: give the address of PostgreSQL itself, or see docs/reference/http.md for poolers";

function whyNot(address: string, cause: unknown): Failure<"database"> {
  const reason = systemReason(cause);
  const known = reason.startsWith("unsupported startup parameter")
    ? poolerAdvice
    : advice[codeOf(cause) ?? ""];
  return known === undefined
    ? new Failure(
        "database",
        "unavailable",
        `Cannot reach the database ${address}: ${reason}; check that it runs and listens there`,
        { cause },
      )
    : new Failure("database", "badAddress", `Cannot open the database ${address}: ${reason}; ${known}`, {
        cause,
      });
}

// How column values become our values. bigint columns are numbers: all that we count, and each ASN, is far below
// 2^53; one that is not throws instead of losing digits. Dates without time stay text, as they have no time zone.

/** Object identifiers of PostgreSQL's types (pg_type.dat). */
const oid = { int8: 20, date: 1082 } as const;

const columnTypes: Record<string, PostgresType> = {
  bigint: {
    to: oid.int8,
    from: [oid.int8],
    serialize: (value: number | bigint | string) => String(value),
    parse: (text: string) => {
      const value = Number(text);
      if (!Number.isSafeInteger(value)) {
        throw new RangeError(`Cannot hold the bigint ${text} in a number: cast it to text in the statement`);
      }
      return value;
    },
  },
  day: { to: oid.date, from: [oid.date], serialize: (day: string) => day, parse: (text: string) => text },
};
