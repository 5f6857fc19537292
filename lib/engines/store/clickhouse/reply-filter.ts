/** A filter of replies: the condition of a query, with the values that it binds. */
import { formatAddress } from "../../../net/ip/address.ts";
import { type Prefix, prefixMask } from "../../../net/ip/prefix.ts";
import type { Attribution } from "./attribution.ts";
import type { Condition } from "./condition.ts";
import type { QueryParams } from "./rows.ts";
import { textLiteral } from "./sql-literals.ts";

/** A measurement of a run of a campaign. */
export interface CampaignRun {
  readonly measurementId: string;
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly plannedMs: number;
}

export interface ReplyFilter {
  readonly measurementId?: string;
  /** Instead of a measurement: the runs of a campaign, whose replies carry their measurement. */
  readonly runs?: readonly CampaignRun[];
  /** A gateway finds the runs of this campaign; a column store does not know campaigns. */
  readonly campaignId?: string;
  /** Agent that sent the probe or captured the answer. */
  readonly agent?: string;
  /** Where the probes went. */
  readonly destination?: Prefix;
  /** Where the probes came from: an anycast prefix, or a user's own. */
  readonly source?: Prefix;
  /** Milliseconds since the epoch; of the capture, or of the submission of a probe. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Which replies without a measurement belong to `measurementId`: read by repliesFrom only. */
  readonly attribution?: Attribution;
}

const columnMsMax = Date.UTC(2262, 0);

type Part = readonly [sql: string, params: QueryParams];

/** For `measure.replies`. */
export function replyCondition(filter: ReplyFilter): Condition {
  const { agent, source } = filter;
  return joined([
    ...common(filter, "time_received_ns", 9),
    ...(agent === undefined
      ? []
      : [["(agent_id = {agent:String} OR probe_agent = {agent:String})", { agent }] as Part]),
    ...(source === undefined ? [] : [within("probe_src_addr", "source", source)]),
  ]);
}

/** For `measure.probes`; a probe without a source belongs to no source prefix. */
export function probeCondition(filter: ReplyFilter): Condition {
  const { agent, source } = filter;
  return joined([
    ...common(filter, "time_submitted", 3),
    ...(agent === undefined ? [] : [["agent_id = {agent:String}", { agent }] as Part]),
    ...(source === undefined ? [] : [within("probe_src_addr", "source", source)]),
  ]);
}

function common(filter: ReplyFilter, timeColumn: string, digits: number): Part[] {
  const { measurementId, runs, destination, sinceMs, untilMs } = filter;
  const time = (name: string) =>
    `toDateTime64(fromUnixTimestamp64Milli({${name}:Int64}, 'UTC'), ${digits}, 'UTC')`;
  return [
    ...(measurementId === undefined
      ? []
      : [["measurement_id = {measurementId:String}", { measurementId }] as Part]),
    ...(runs === undefined ? [] : [[ofRuns(runs), {}] as Part]),
    ...(destination === undefined ? [] : [within("probe_dst_addr", "destination", destination)]),
    ...(sinceMs === undefined
      ? []
      : [[`${timeColumn} >= ${time("sinceMs")}`, { sinceMs: inColumn(sinceMs) }] as Part]),
    ...(untilMs === undefined
      ? []
      : [[`${timeColumn} < ${time("untilMs")}`, { untilMs: inColumn(untilMs) }] as Part]),
  ];
}

/** As literals in the query: as parameters they would make the URL too long. */
function ofRuns(runs: readonly CampaignRun[]): string {
  const ids = runs.map(({ measurementId }) => textLiteral(measurementId));
  return ids.length === 0 ? "0" : `measurement_id IN (${ids.join()})`;
}

/** Columns of nanoseconds hold 1900 to 2262: beyond that ClickHouse refuses the query. No row is older than 1970. */
function inColumn(ms: number): number {
  return Math.min(Math.max(ms, 0), columnMsMax);
}

/** As first and last address of the prefix, so that the table's sort order is used. */
function within(column: string, name: string, prefix: Prefix): Part {
  const mask = prefixMask(prefix);
  const last = prefix.base.map((byte, i) => byte | (~(mask[i] ?? 0) & 0xff));
  return [
    `${column} BETWEEN {${name}First:IPv6} AND {${name}Last:IPv6}`,
    { [`${name}First`]: ipv6Text(prefix.base), [`${name}Last`]: ipv6Text(last) },
  ];
}

/** IPv4 mapped, as the columns hold it. */
function ipv6Text(address: Uint8Array): string {
  const text = formatAddress(address);
  return text.includes(":") ? text : `::ffff:${text}`;
}

function joined(parts: readonly Part[]): Condition {
  return {
    sql: parts.length === 0 ? "1" : parts.map(([sql]) => sql).join(" AND "),
    params: Object.assign({}, ...parts.map(([, params]) => params)) as QueryParams,
  };
}
