/**
 * Which statements of readers the library runs. A ClickHouse server needs none of this: its HTTP interface takes one
 * statement and writes no files, and its functions ask for rights. The library runs several statements, writes `INTO
 * OUTFILE` and reads `FROM INFILE` by itself, whoever asks; and as a local program it lets everyone call `file`.
 *
 * The engine's own parser decides, with the text as a value: `formatQuerySingleLine` fails for more than one
 * statement, and writes the one without comments, escapes and heredocs. What comes out must take another `INTO
 * OUTFILE` at its end: the grammar has that clause once, and only in statements with a result. So those have none yet,
 * and INSERT, SET, USE and the like are out. The names in it must not be among `refusedNames`: a function is called by
 * a name, never by a text. `SETTINGS` inside a statement would pass by `readonly`, so no clause of it is run.
 */
import { type ChdbConnection, ChdbError } from "../../ffi/chdb.ts";

interface Admitted {
  /** As the engine's parser writes it, without FORMAT. */
  readonly sql: string;
  /** Null = the statement names none. */
  readonly format: string | null;
}

/** Functions that reach files, run texts as statements, or show the host; in lower case. */
const refusedNames: ReadonlySet<string> = new Set([
  ...["file", "eval", "catboostevaluate", "logtrace", "getserversetting", "getmacro", "getserverport"],
  ...["hostname", "fqdn", "fullhostname", "serveruuid", "filesystemavailable", "filesystemcapacity"],
  ...["filesystemunreserved", "getsetting", "getsettingordefault", "getmergetreesetting", "showcertificate"],
]);

/** It counts rows of others: how many the engine would read of a table. AST and SYNTAX count none. */
const explains = /^EXPLAIN (?!AST\b|SYNTAX\b)/;
const text = /'(?:[^'\\]|\\.)*'/gs;
const quotedName = /`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"/gs;
const bareWord = /[A-Za-z_]\w*/g;
const utf8 = new TextDecoder();

/** Throws ChdbError: the engine's own for bad syntax, 164 (READONLY) or 497 (ACCESS_DENIED) for what is not run. */
export function admitted(engine: ChdbConnection, statement: string): Admitted {
  const whole = formatted(engine, statement);
  const [, sql = whole, format = null] = /^(.*) FORMAT (\w+)$/s.exec(whole) ?? [];
  try {
    formatted(engine, `${sql} INTO OUTFILE 'x'`);
  } catch {
    throw refusal(
      "READONLY",
      "Only one statement with a result is run here, as SELECT, SHOW or DESCRIBE, without INTO OUTFILE",
    );
  }
  checkNames(sql);
  return { sql, format };
}

function checkNames(sql: string): void {
  if (explains.test(sql)) {
    throw refusal("ACCESS_DENIED", "EXPLAIN counts rows of others: only AST and SYNTAX are run here");
  }
  const names = sql.replaceAll(text, "''");
  const quoted = [...names.matchAll(quotedName)].map(([, back = "", double = ""]) => back + double);
  const bare: readonly string[] = names.replaceAll(quotedName, " ").match(bareWord) ?? [];
  if (bare.includes("SETTINGS")) {
    throw refusal("READONLY", "SETTINGS in a statement are not accepted: give them with the request");
  }
  const refused = [...quoted, ...bare].find((name) => refusedNames.has(name.toLowerCase()));
  if (refused !== undefined) {
    throw refusal(
      "ACCESS_DENIED",
      `The name ${refused} is not accepted here: it is one of a function of the host`,
    );
  }
}

function refusal(name: "READONLY" | "ACCESS_DENIED", message: string): ChdbError {
  return new ChdbError(`Code: ${name === "READONLY" ? 164 : 497}. DB::Exception: ${message}. (${name})`);
}

function formatted(engine: ChdbConnection, sql: string): string {
  const { bytes } = engine.query({
    sql: "SELECT formatQuerySingleLine({q:String})",
    format: "TSVRaw",
    params: { q: asValue(sql) },
  });
  return utf8.decode(bytes).replace(/\n$/, "");
}

/** A value of String is read in the escaped form of TabSeparated. */
function asValue(sql: string): string {
  return sql
    .replaceAll("\\", "\\\\")
    .replaceAll("\t", "\\t")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\0", "\\0");
}
