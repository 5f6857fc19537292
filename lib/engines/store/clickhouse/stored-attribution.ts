/**
 * Attribution from the store alone, by the submitted probes. Their sending times are not stored, so they are estimated
 * from their number (limits.ts).
 */
import type { Attribution, Sending } from "./attribution.ts";
import {
  clockErrorMs,
  earlyMsMax,
  leavingMs,
  rivalAgeMs,
  rivalsMax,
  slowestRateProbesPerSec,
} from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import type { ReplyFilter } from "./reply-filter.ts";
import { withoutIdleAttribution } from "./reply-source.ts";
import { isFound, rowsOf } from "./rows.ts";

interface SubmittedRow {
  readonly fromMs: number;
  readonly endMs: number;
  /** Hex digits. */
  readonly sources: readonly string[];
  readonly agents: readonly string[];
}

interface RivalRow {
  readonly id: string;
  readonly endMs: number;
}

/** The filter, with an attribution if it names a measurement that needs one. Rejects with Failure `store`. */
export async function withStoredAttribution(
  store: ColumnStore,
  filter: ReplyFilter,
  nowMs: number,
): Promise<ReplyFilter> {
  const { measurementId } = filter;
  const hasUnmarked = measurementId !== undefined && (await isFound(store, unmarked));
  const submitted = hasUnmarked ? await submittedOf(store, measurementId) : null;
  if (measurementId === undefined || submitted === null) {
    return filter;
  }
  const attribution = {
    fromMs: submitted.fromMs - earlyMsMax,
    untilMs: nowMs,
    sources: submitted.sources.map(Uint8Array.fromHex),
    agents: submitted.agents,
    own: { id: measurementId, endMs: submitted.endMs, answersUntilMs: nowMs },
    rivals: [],
    isCrowded: false,
  };
  const found = await withoutIdleAttribution(store, { ...filter, attribution });
  return found.attribution === undefined
    ? filter
    : { ...filter, attribution: await withRivals(store, submitted, attribution) };
}

/** Uses the projection, so that a store whose replies are all marked is not scanned. */
export const unmarked = {
  sql: "SELECT 1 AS found FROM measure.replies WHERE measurement_id = '' LIMIT 1",
  params: {},
};

const submittedMs = (time: string) => `toFloat64(toUnixTimestamp64Milli(${time}))`;

/** The parts of measurements, by agent, in columns `id, first, end, sources, agents`. */
function parts(where: string): string {
  return `SELECT toString(measurement_id) AS id, ${submittedMs("min(time_submitted)")} AS first,
      ${submittedMs("max(time_submitted)")} + 1000 * count() / ${slowestRateProbesPerSec} + ${leavingMs} AS end,
      groupUniqArray(probe_src_addr) AS given,
      arrayMap(one -> hex(one), arrayFilter(one -> one != toIPv6('::'), given)) AS sources,
      has(given, toIPv6('::')) ? [toString(agent_id)] : [] AS agents
    FROM measure.probes WHERE ${where} GROUP BY measurement_id, agent_id`;
}

/** Null without submitted probes. */
async function submittedOf(store: ColumnStore, measurementId: string): Promise<SubmittedRow | null> {
  const sql = `
    SELECT min(first) AS fromMs, max(end) AS endMs,
      groupUniqArrayArray(sources) AS sources, groupUniqArrayArray(agents) AS agents
    FROM (${parts("measurement_id = {measurementId:String}")}) HAVING count() > 0`;
  const [row = null] = await Array.fromAsync(rowsOf<SubmittedRow>(store, { sql, params: { measurementId } }));
  return row;
}

async function withRivals(
  store: ColumnStore,
  { fromMs, sources, agents }: SubmittedRow,
  attribution: Attribution,
): Promise<Attribution> {
  const time = "fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')";
  const rivals = parts(`measurement_id NOT IN ('', {measurementId:String})
    AND date >= toDate(${time}) AND time_submitted >= ${time}`);
  const sql = `
    SELECT id, max(end) AS endMs FROM (${rivals})
    GROUP BY id
    HAVING endMs >= {fromMs:Float64} AND (hasAny(groupUniqArrayArray(sources), {sources:Array(String)})
      OR hasAny(groupUniqArrayArray(agents), {agents:Array(String)}))
    LIMIT {rivals:UInt32}`;
  const sinceMs = Math.floor(fromMs - rivalAgeMs);
  const measurementId = attribution.own.id;
  const params = {
    measurementId,
    sinceMs,
    fromMs: fromMs - clockErrorMs,
    sources,
    agents,
    rivals: rivalsMax + 1,
  };
  const rows = await Array.fromAsync(rowsOf<RivalRow>(store, { sql, params }));
  const all = rows.map(({ id, endMs }): Sending => ({ id, endMs, answersUntilMs: attribution.untilMs }));
  return { ...attribution, rivals: all.slice(0, rivalsMax), isCrowded: all.length > rivalsMax };
}
