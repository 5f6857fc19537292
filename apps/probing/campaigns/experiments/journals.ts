/** Journals of experiments in the database: created once, continued line by line by their controllers. */
import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Work } from "../../../../lib/engines/http/work.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import { readBeginning, readEntry } from "../../../../lib/measuring/experiment/entries.ts";
import type { ExperimentEntry } from "../../../../lib/measuring/experiment/journal.ts";
import {
  experimentsOfUserMax,
  journalBytesMax,
  journalBytesOfUserMax,
  journalLineCharsMax,
  journalLinesMax,
} from "../limits.ts";
import { checkStored } from "../stored-bytes.ts";
import { unknownExperiment } from "./kept-experiments.ts";

interface Kept {
  readonly id: string;
  readonly entries: number;
}

/** Idempotent: the same line means the same experiment. Throws Problem: 422, 429 beyond the limits. */
export async function beginExperiment(
  { sql, timed }: Database,
  {
    userHash,
    line,
    bytesMax,
  }: { readonly userHash: string; readonly line: string; readonly bytesMax: number },
): Promise<Kept> {
  const { experiment, actions, name, startMs } = checked("begun", line, readBeginning);
  const digest = createHash("sha256").update(line).digest();
  return await timed("experiment_begin", () =>
    sql.begin(async (tx) => {
      // Counts one user's experiments serially.
      await tx`SELECT FROM users WHERE user_hash = ${userHash} FOR UPDATE`;
      const [known] = await tx<Kept[]>`
        SELECT experiment_id::text AS id, entries FROM experiments
        WHERE user_hash = ${userHash} AND begun_digest = ${digest}`;
      if (known !== undefined) {
        return known;
      }
      await checkRoom(tx, userHash, Buffer.byteLength(line));
      await checkStored(tx, { userHash, bytes: Buffer.byteLength(line), bytesMax });
      const id = crypto.randomUUID();
      await tx`
        INSERT INTO experiments (
          experiment_id, user_hash, begun_digest, name, prefix, begun_at, actions, entries, bytes)
        VALUES (${id}, ${userHash}, ${digest}, ${name}, ${experiment.prefix}::inet::cidr, ${new Date(startMs)},
          ${actions.length}, 1, ${Buffer.byteLength(line)})`;
      await tx`INSERT INTO experiment_entries (experiment_id, place, line) VALUES (${id}, 0, ${line})`;
      return { id, entries: 1 };
    }),
  );
}

interface More {
  readonly from: number;
  readonly lines: readonly string[];
  readonly work: Work;
  /** Limit of the user's storage, over all kinds. */
  readonly bytesMax: number;
}

/**
 * Skips lines that exist. Throws Problem: 404, 409 for a gap, or for another journal, 413 for a journal that is too
 * long, 422 for a malformed line, 429 beyond the limits.
 */
export async function continueExperiment(
  { sql, timed }: Database,
  own: Owned,
  { from, lines, work, bytesMax }: More,
): Promise<Kept> {
  const entries: ExperimentEntry[] = [];
  for (const [i, line] of lines.entries()) {
    const entry = checked(`lines.${i}`, line, readEntry);
    if (entry.kind === "begun" && from + i > 0) {
      throw wrongLine(`lines.${i}`, 'is "begun": that is the first line of a journal');
    }
    entries.push(entry);
    await work.next();
  }
  work.rest();
  return await timed("experiment_continue", () =>
    sql.begin(async (tx) => {
      await tx`SELECT FROM users WHERE user_hash = ${own.userHash} FOR UPDATE`;
      const [before] = await tx<{ entries: number; bytes: number }[]>`
        SELECT entries, bytes FROM experiments
        WHERE experiment_id = ${own.id} AND user_hash = ${own.userHash} FOR UPDATE`;
      if (before === undefined) {
        throw unknownExperiment();
      }
      if (from > before.entries) {
        throw new Problem({
          status: 409,
          code: "journal_gap",
          message: `The journal has ${before.entries} lines here: continue with line ${before.entries}`,
          extra: { entries: before.entries },
        });
      }
      await checkSame(tx, own.id, { from, lines: lines.slice(0, before.entries - from) });
      const more = lines.slice(before.entries - from);
      const bytes = more.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      checkLength(before.entries + more.length, Number(before.bytes) + bytes);
      if (more.length > 0) {
        await checkRoom(tx, own.userHash, bytes, true);
        await checkStored(tx, { userHash: own.userHash, bytes, bytesMax });
        await tx`
          INSERT INTO experiment_entries (experiment_id, place, line)
          SELECT ${own.id}, ${before.entries - 1} + place, line
          FROM unnest(${more}::text[]) WITH ORDINALITY AS more (line, place)`;
      }
      const end = entries.slice(before.entries - from).find((entry) => entry.kind === "ended");
      await tx`
        UPDATE experiments SET heard_at = now(), entries = entries + ${more.length}, bytes = bytes + ${bytes},
          ended_at = coalesce(ended_at, ${end === undefined ? null : dateOf(end.atNs)}),
          reason = coalesce(reason, ${end?.reason ?? null})
        WHERE experiment_id = ${own.id}`;
      return { id: own.id, entries: before.entries + more.length };
    }),
  );
}

async function checkSame(
  tx: TransactionSql,
  id: string,
  { from, lines }: { readonly from: number; readonly lines: readonly string[] },
): Promise<void> {
  if (lines.length === 0) {
    return;
  }
  const known = await tx<{ line: string }[]>`
    SELECT line FROM experiment_entries
    WHERE experiment_id = ${id} AND place >= ${from} AND place < ${from + lines.length} ORDER BY place`;
  const other = known.findIndex(({ line }, i) => line !== lines[i]);
  if (other >= 0) {
    throw problem(
      409,
      "other_journal",
      `Line ${from + other} is another one here: this is not the journal of the experiment`,
    );
  }
}

function checkLength(entries: number, bytes: number): void {
  if (entries > journalLinesMax || bytes > journalBytesMax) {
    throw new Problem({
      status: 413,
      code: "journal_too_long",
      message:
        `A journal has at most ${journalLinesMax} lines and ${journalBytesMax} bytes here; ` +
        "the rest is where it was written",
    });
  }
}

/** The user's other storage; the caller has locked the user. */
async function checkRoom(
  tx: TransactionSql,
  userHash: string,
  bytes: number,
  isKnown = false,
): Promise<void> {
  const sums = await tx<{ experiments: number; bytes: number }[]>`
    SELECT count(*)::integer AS experiments, coalesce(sum(bytes), 0)::bigint AS bytes
    FROM experiments WHERE user_hash = ${userHash}`;
  const { experiments, bytes: before } = rowOf(sums);
  if ((!isKnown && experiments >= experimentsOfUserMax) || Number(before) + bytes > journalBytesOfUserMax) {
    throw new Problem({
      status: 429,
      code: "too_many_experiments",
      message:
        `You have ${experiments} experiments of ${before} bytes here, of at most ${experimentsOfUserMax} and ` +
        `${journalBytesOfUserMax}: remove some (DELETE /api/experiments/ID)`,
    });
  }
}

function checked<Value>(path: string, line: string, read: (line: string) => Value): Value {
  if (line.length > journalLineCharsMax) {
    throw wrongLine(path, `has more than ${journalLineCharsMax} characters`);
  }
  try {
    return read(line);
  } catch (error) {
    throw wrongLine(path, error instanceof Error ? error.message : String(error));
  }
}

function wrongLine(path: string, reason: string): Problem {
  return new Problem({
    status: 422,
    code: "invalid_body",
    message: `Cannot use the body: ${path} ${reason}`,
    fields: [{ path, reason }],
  });
}

function dateOf(ns: string): Date {
  return new Date(Number(BigInt(ns) / 1_000_000n));
}
