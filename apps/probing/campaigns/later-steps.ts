/** Writes the steps that follow another one to the gateway's database, within their user's storage. */
import type { TransactionSql } from "postgres";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import type { StepWork } from "../../../lib/measuring/campaign/run-steps.ts";
import type { Journal, Step, StepPlace } from "./journal.ts";
import { reasonCharsMax } from "./limits.ts";
import { checkStored } from "./stored-bytes.ts";

interface StepRow {
  readonly step: number;
  readonly state: "due" | "later";
  readonly wait_ms: number;
  /** Null = those of the step that it replaces. */
  readonly agents: string | null;
  readonly kind: Step["kind"];
  readonly probes: string | null;
  readonly word: string | null;
  readonly given: Step["given"];
}

type Rows<Method extends "done" | "spread"> = Parameters<Journal[Method]>[1][number];

export function laterRow({ step, work }: Rows<"done">): StepRow {
  const { kind } = work;
  const empty = { agents: null, probes: null, word: null, given: null };
  const place = { step, state: "later", wait_ms: 0 } as const;
  switch (kind) {
    case "measure":
      return { ...empty, ...place, kind, ...measuredOf(work) };
    case "wait":
      return { ...empty, ...place, kind, word: work.until, given: work.given ?? null };
    case "compute":
      return { ...empty, ...place, kind, word: work.rule, given: work.given };
    case "experiment":
      return { ...empty, ...place, kind };
  }
}

function measuredOf({ agents, probes, rule, given }: Extract<StepWork, { readonly kind: "measure" }>) {
  return { agents, probes, word: rule ?? null, given: given ?? null };
}

export function slotRow({ step, wait_ms, agents }: Rows<"spread">): StepRow {
  return {
    ...{ step, state: "due", wait_ms, agents, kind: "measure" },
    ...{ probes: null, word: null, given: null },
  };
}

interface LaterSteps {
  readonly state: "done" | "spread";
  readonly rows: readonly StepRow[];
  readonly reason?: string | undefined;
  readonly bytesMax: number;
}

/** Written only if the step is still due, and so only once. */
export async function insteadOf(
  { sql, timed }: Database,
  place: StepPlace,
  { state, rows, reason, bytesMax }: LaterSteps,
): Promise<void> {
  const { campaign_id, run, step } = place;
  const json = JSON.stringify(rows);
  await timed("campaign_steps", () =>
    sql.begin(async (tx) => {
      if (rows.length > 0) {
        const copies = rows.filter(({ probes }) => probes === null).length;
        await checkStoredOf(tx, place, { bytes: json.length, copies, bytesMax });
      }
      await tx`
      WITH own AS (
        UPDATE campaign_steps SET state = ${state}, reason = ${reason?.slice(0, reasonCharsMax) ?? null}
        WHERE campaign_id = ${campaign_id} AND run = ${run} AND step = ${step} AND state = 'due' RETURNING *
      )
      INSERT INTO campaign_steps (campaign_id, run, step, due_at, latest_at, agents, state, kind, probes, word, given)
      SELECT own.campaign_id, own.run, next.step, own.due_at + next.wait_ms * interval '1 ms',
        own.latest_at + next.wait_ms * interval '1 ms', coalesce(next.agents, own.agents), next.state, next.kind,
        coalesce(next.probes, own.probes), next.word, next.given
      FROM own, jsonb_to_recordset(${tx.json(JSON.parse(json))})
        AS next (step integer, state text, wait_ms integer, agents text, kind text, probes text, word text,
          given jsonb)`;
    }),
  );
}

/** Steps without their own probes copy those of this one. Throws Problem 429, which ends the run with its reason. */
async function checkStoredOf(
  tx: TransactionSql,
  { campaign_id, run, step }: StepPlace,
  { bytes, copies, bytesMax }: Readonly<Record<"bytes" | "copies" | "bytesMax", number>>,
): Promise<void> {
  const [row] = await tx<{ user_hash: string; probes_bytes: number }[]>`
    SELECT user_hash, coalesce(pg_column_size(campaign_steps.probes), 0) AS probes_bytes
    FROM users JOIN campaigns USING (user_hash) JOIN campaign_steps USING (campaign_id)
    WHERE campaign_id = ${campaign_id} AND run = ${run} AND step = ${step} FOR UPDATE OF users`;
  if (row !== undefined) {
    const all = bytes + copies * row.probes_bytes;
    await checkStored(tx, { userHash: row.user_hash, bytes: all, bytesMax });
  }
}
