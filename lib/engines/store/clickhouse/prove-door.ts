/**
 * Proves, before readers get in, that an engine keeps the account of readers from what is not theirs: statements that
 * must be refused are run as that account. One that is not refused, for whatever reason, keeps the door shut.
 */
import type { GuestEngine } from "./guest-engine.ts";

/** A part of an engine's reason is enough to find it. */
const reasonCharsMax = 200;

interface Trial {
  readonly sql: string;
  readonly what: string;
}

/** Each has to fail. */
const mustFail: readonly Trial[] = [
  { what: "reads rows of all users", sql: "SELECT count() FROM measure.replies" },
  { what: "reads probes of all users", sql: "SELECT count() FROM measure.probes" },
  { what: "reads the history of all users", sql: "SELECT count() FROM measure.history" },
  { what: "reads who may see what", sql: "SELECT count() FROM measure.readable" },
  { what: "reads rejected messages", sql: "SELECT count() FROM measure.replies_rejected" },
  { what: "reads all tables of a database", sql: "SELECT count() FROM merge('measure', '.*')" },
  { what: "chooses what it may see", sql: "SELECT 1 SETTINGS log_comment = 'x'" },
  { what: "raises its memory", sql: "SELECT 1 SETTINGS max_memory_usage = 0" },
  { what: "raises its time", sql: "SELECT 1 SETTINGS max_execution_time = 0" },
  { what: "ends its read-only mode", sql: "SELECT 1 SETTINGS readonly = 0" },
  { what: "reads files", sql: "SELECT * FROM file('/etc/hostname', 'LineAsString')" },
  { what: "reads files by a function", sql: "SELECT file('/etc/hostname')" },
  { what: "calls other hosts", sql: "SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString')" },
  { what: "calls other servers", sql: "SELECT * FROM remote('127.0.0.1:9', system.one)" },
  { what: "writes files", sql: "SELECT 1 INTO OUTFILE '/tmp/vantage-sql-door' TRUNCATE" },
  { what: "runs two statements", sql: "SELECT 1; SELECT 2" },
  { what: "writes", sql: "INSERT INTO vantage.replies SELECT * FROM vantage.replies LIMIT 0" },
  { what: "creates tables", sql: "CREATE TEMPORARY TABLE own (a UInt8)" },
];

/** Each has to fail, or to count nothing. */
const mustShowNothing: readonly Trial[] = [
  { what: "sees the history without a set", sql: "SELECT count() FROM vantage.history" },
  { what: "sees others' queries", sql: "SELECT count() FROM system.processes" },
  { what: "sees accounts", sql: "SELECT count() FROM system.users" },
  { what: "sees how much is stored", sql: "SELECT count() FROM system.parts" },
  { what: "sees what was erased", sql: "SELECT count() FROM system.mutations" },
];

/** Without a set nothing is to be seen. */
const mustBeEmpty = "SELECT count() FROM vantage.replies";

/** Null when the engine keeps to all of it, else what it does. Rejects with Failure `store` `unavailable`. */
export async function proveDoor(engine: GuestEngine): Promise<string | null> {
  const seen = await tried(engine, mustBeEmpty);
  if (!seen.ok || seen.text.trim() !== "0") {
    return `its views for readers do not answer as they should (${seen.text.trim().slice(0, reasonCharsMax)})`;
  }
  for (const { what, sql } of mustFail) {
    const { ok } = await tried(engine, sql);
    if (ok) {
      return `its account of readers ${what}`;
    }
  }
  for (const { what, sql } of mustShowNothing) {
    const { ok, text } = await tried(engine, sql);
    if (ok && text.trim() !== "0") {
      return `its account of readers ${what}`;
    }
  }
  return null;
}

async function tried(
  engine: GuestEngine,
  sql: string,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const response = await engine.run({
    ...{
      sql,
      format: "TabSeparated",
      database: "vantage",
      params: [],
      protocolVersion: null,
      settings: [],
      sets: [],
      nice: 0,
    },
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  // An error in the middle of a response is in its text.
  return { ok: response.ok && !text.includes("DB::Exception"), text };
}
