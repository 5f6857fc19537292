/** The replies that are attributed to a measurement (attribution.ts), and how many cannot be. */
import type { Attribution } from "./attribution.ts";
import { attributed, counts, type Judged, judged, rowsToJudge } from "./attribution-sql.ts";
import type { Condition } from "./condition.ts";
import type { ColumnStore } from "./open.ts";
import { rowsOf } from "./rows.ts";

interface AttributedFilter {
  readonly attribution: Attribution;
  /** Agent that sent the probe or captured the answer; undefined = any. */
  readonly agent: string | undefined;
}

/** Candidate replies without a measurement that are not among its replies. */
export interface Unattributed {
  /** Replies that may answer its probe, or another measurement's. */
  readonly ambiguous: number;
  /** Replies that match one of its probes, but came before it was submitted: a clock is wrong. */
  readonly early: number;
}

export const noneUnattributed: Unattributed = { ambiguous: 0, early: 0 };

/** A query that returns a row if there is anything to attribute; much cheaper than attributing. */
export function anyCandidate(attribution: Attribution, { sql, params }: Condition): Condition {
  return { sql: `SELECT 1 AS found FROM (${rowsToJudge(attribution, sql)}) LIMIT 1`, params };
}

/**
 * A query of the rows that are the measurement's, in the columns of `measure.replies` and `attribution`: with its id
 * in them, and with the agent that sent the probe, if only one did.
 */
export function attributedReplies(filter: AttributedFilter, condition: Condition): Condition {
  const { sql, params } = judgedRows(filter, condition);
  return { sql: attributed(sql), params: { ...params, attributeTo: filter.attribution.own.id } };
}

/** Counts the replies that are not among its replies, by reason. Rejects with Failure `store`. */
export async function countUnattributed(
  store: ColumnStore,
  filter: AttributedFilter,
  condition: Condition,
): Promise<Unattributed> {
  const { sql, params } = judgedRows(filter, condition);
  for await (const { ambiguous, early } of rowsOf<CountRow>(store, { sql: counts(sql), params })) {
    return { ambiguous: Number(ambiguous), early: Number(early) };
  }
  return noneUnattributed;
}

interface CountRow {
  readonly ambiguous: string;
  readonly early: string;
}

function judgedRows({ attribution, agent }: AttributedFilter, { sql, params }: Condition): Judged {
  return {
    sql: judged(attribution, agent, sql),
    params: { ...params, ...(agent === undefined ? {} : { agent }) },
  };
}
