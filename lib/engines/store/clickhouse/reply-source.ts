/** The source of queries for replies: the rows of a filter, with those that are attributed to its measurement. */
import {
  anyCandidate,
  attributedReplies,
  countUnattributed,
  noneUnattributed,
  type Unattributed,
} from "./attributed-replies.ts";
import type { Condition } from "./condition.ts";
import type { ColumnStore } from "./open.ts";
import { type ReplyFilter, replyCondition } from "./reply-filter.ts";
import { isFound } from "./rows.ts";

/** Rows that carry the measurement, those that are attributed to it, or both. */
export type ReplySource = "marked" | "attributed" | "both";

const always: Condition = { sql: "1", params: {} };

/**
 * A table expression with the columns of `measure.replies`, and `attribution`: `exact` when the row carries its
 * measurement, `by_time` when it was attributed, `none` without one. `more` is a further condition on them.
 */
export function repliesFrom(
  filter: ReplyFilter,
  more: Condition = always,
  source: ReplySource = "both",
): Condition {
  const parts = [
    ...(source === "attributed" ? [] : [markedReplies(filter, more)]),
    ...(source === "marked" ? [] : attributedOf(filter, more)),
  ];
  return {
    sql: `(${parts.map(({ sql }) => sql).join(" UNION ALL ")})`,
    params: Object.assign({}, ...parts.map(({ params }) => params)),
  };
}

/** The filter without its attribution when there is nothing to attribute. Rejects with Failure `store`. */
export async function withoutIdleAttribution(
  store: ColumnStore,
  filter: ReplyFilter,
  more: Condition = always,
): Promise<ReplyFilter> {
  const { attribution, ...others } = filter;
  if (attribution === undefined) {
    return filter;
  }
  return (await isFound(store, anyCandidate(attribution, conditionOf(filter, more)))) ? filter : others;
}

/** Counts replies that may belong to the measurement and are not in its views. Rejects with Failure `store`. */
export async function unattributedOf(store: ColumnStore, filter: ReplyFilter): Promise<Unattributed> {
  const { attribution, agent } = filter;
  return attribution === undefined
    ? noneUnattributed
    : await countUnattributed(store, { attribution, agent }, conditionOf(filter, always));
}

function markedReplies(filter: ReplyFilter, more: Condition): Condition {
  const { sql, params } = replyCondition(filter);
  return {
    sql: `SELECT *, if(measurement_id = '', 'none', 'exact') AS attribution
      FROM measure.replies WHERE ${sql} AND ${more.sql}`,
    params: { ...params, ...more.params },
  };
}

function attributedOf(filter: ReplyFilter, more: Condition): Condition[] {
  const { attribution, agent } = filter;
  return attribution === undefined
    ? []
    : [attributedReplies({ attribution, agent }, conditionOf(filter, more))];
}

/** Without the measurement, which these rows lack, and the agent: the sender is determined later. */
function conditionOf({ measurementId, agent, ...others }: ReplyFilter, more: Condition): Condition {
  const { sql, params } = replyCondition(others);
  return { sql: `${sql} AND ${more.sql}`, params: { ...params, ...more.params } };
}
