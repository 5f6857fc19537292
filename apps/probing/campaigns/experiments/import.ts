/** Imports journals of experiments that ran elsewhere: those of `vantage experiment run` before gateways ran them. */
import { createHash } from "node:crypto";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Work } from "../../../../lib/engines/http/work.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import { readBeginning, readEntry } from "../../../../lib/measuring/experiment/entries.ts";
import { experimentsOfUserMax, journalBytesMax, journalLineCharsMax } from "../limits.ts";
import { badBody } from "../probe-text.ts";
import { checkStored } from "../stored-bytes.ts";

interface ImportOrder {
  readonly userHash: string;
  readonly lines: readonly string[];
  readonly work: Work;
  /** Limit of the user's storage, over all kinds. */
  readonly bytesMax: number;
}

/**
 * Resolves to its id; the same journal, or a longer one, is the same experiment. Throws Problem: 413, 422 for a
 * malformed line, 429 beyond the limits.
 */
export async function importExperiment(
  { sql, timed }: Database,
  { userHash, lines, work, bytesMax }: ImportOrder,
): Promise<string> {
  const [first = ""] = lines;
  const { experiment, actions, name, startMs } = checked(0, first, readBeginning);
  let ended: { readonly at: Date; readonly reason: string } | null = null;
  for (const [i, line] of lines.entries()) {
    const entry = checked(i, line, readEntry);
    if (entry.kind === "begun" && i > 0) {
      throw wrongLine(i, 'is "begun": that is the first line of a journal');
    }
    if (entry.kind === "ended") {
      ended = { at: new Date(Number(BigInt(entry.atNs) / 1_000_000n)), reason: entry.reason };
    }
    await work.next();
  }
  work.rest();
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  if (bytes > journalBytesMax) {
    const message = `A journal has at most ${journalBytesMax} bytes here; the rest is where it was written`;
    throw new Problem({ status: 413, code: "journal_too_long", message });
  }
  const digest = createHash("sha256").update(first).digest();
  return await timed("experiment_import", () =>
    sql.begin(async (tx) => {
      await tx`SELECT FROM users WHERE user_hash = ${userHash} FOR UPDATE`;
      await tx`
        DELETE FROM experiments
        WHERE user_hash = ${userHash} AND begun_digest = ${digest} AND campaign_id IS NULL`;
      const counts = await tx<{ experiments: number }[]>`
        SELECT count(*)::integer AS experiments FROM experiments WHERE user_hash = ${userHash}`;
      if (rowOf(counts).experiments >= experimentsOfUserMax) {
        throw new Problem({
          ...{ status: 429, code: "too_many_experiments" },
          message: `You have ${experimentsOfUserMax} experiments here: remove some (vantage experiment remove)`,
        });
      }
      await checkStored(tx, { userHash, bytes, bytesMax });
      const made = await tx<{ id: string }[]>`
        INSERT INTO experiments (experiment_id, user_hash, begun_digest, name, prefix, begun_at, actions, entries,
          bytes, ended_at, reason)
        VALUES (gen_random_uuid(), ${userHash}, ${digest}, ${name}, ${experiment.prefix}::inet::cidr,
          ${new Date(startMs)}, ${actions.length}, ${lines.length}, ${bytes}, ${ended?.at ?? null},
          ${ended?.reason ?? null}) RETURNING experiment_id::text AS id`;
      const { id } = rowOf(made);
      await tx`
        INSERT INTO experiment_entries (experiment_id, place, line)
        SELECT ${id}, place - 1, line FROM unnest(${[...lines]}::text[]) WITH ORDINALITY AS more (line, place)`;
      return id;
    }),
  );
}

function checked<Value>(place: number, line: string, read: (line: string) => Value): Value {
  if (line.length > journalLineCharsMax) {
    throw wrongLine(place, `has more than ${journalLineCharsMax} characters`);
  }
  try {
    return read(line);
  } catch (error) {
    throw wrongLine(place, error instanceof Error ? error.message : String(error));
  }
}

function wrongLine(place: number, reason: string): Problem {
  return badBody(`lines.${place}`, reason);
}
