/**
 * Which replies without a measurement belong to one all the same: answers that another site heard, and those of
 * agents that do not say.
 *
 * A reply is the answer to a probe with the same source, destination, protocol, ports and TTL, and to the last such
 * probe that was submitted before it came: of any measurement, so that two that send the same never both have it.
 * Where the source was left to the agent, the agent stands for it.
 */
import { type Address, formatAddress } from "../../ip/address.ts";
import type { Condition } from "./condition.ts";

export interface Attribution {
  /** When its answers can have come, in milliseconds since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Its sources, as far as they were given. */
  readonly sources: readonly Address[];
  /** Agents that chose their source themselves. */
  readonly agents: readonly string[];
  /** UUIDs of other measurements that sent from the same sources or agents at the time. */
  readonly rivals: readonly string[];
}

/** Agents' clocks and that of the broker may differ by this much. */
const clockSlackMs = 5000;

const flow = `probe_dst_addr, probe_protocol, probe_src_port,
  if(probe_protocol IN (1, 58), toUInt16(0), probe_dst_port), probe_ttl`;
const sender = "toString(if(probe_agent = '', agent_id, probe_agent))";
const noSource = "toIPv6('::')";

/** Rows of `measure.replies` that may belong to it, by source and time, with the keys of the probe they answer. */
function candidates({ fromMs, untilMs, sources, agents }: Attribution, condition: string): string {
  const bySource = sources.length === 0 ? "0" : `probe_src_addr IN (${sources.map(ipv6Literal).join()})`;
  const byAgent = agents.length === 0 ? "0" : `${sender} IN (${agents.map(textLiteral).join()})`;
  return `SELECT *, cityHash64(probe_src_addr, toString(probe_agent), ${flow}) AS sourceKey,
      cityHash64(${sender}, ${flow}) AS agentKey
    FROM measure.replies
    WHERE measurement_id = '' AND (${bySource} OR ${byAgent}) AND ${condition}
      AND time_received_ns BETWEEN ${timeLiteral(fromMs)} AND ${timeLiteral(untilMs)}`;
}

/** A query that finds a row if there is anything to attribute; much cheaper than attributing. */
export function anyCandidate(attribution: Attribution, { sql, params }: Condition): Condition {
  return { sql: `SELECT 1 AS found FROM (${candidates(attribution, sql)}) LIMIT 1`, params };
}

/**
 * A query of the rows that are the measurement's, in the columns of `measure.replies`: with its id in them, and with
 * the agent that sent the probe, if only one did.
 */
export function attributedReplies(
  { measurementId, attribution, agent }: AttributedFilter,
  { sql, params }: Condition,
): Condition {
  const ids = [measurementId, ...attribution.rivals].map(textLiteral).join();
  const known = "toString(reply.probe_agent)";
  const sentBy = `if(${known} != '', ${known}, if(bySource.owner != '', bySource.sentBy, byAgent.sentBy))`;
  return {
    sql: `WITH candidates AS (${candidates(attribution, sql)})
      SELECT reply.* EXCEPT (sourceKey, agentKey) REPLACE (
        CAST({attributeTo:String} AS LowCardinality(String)) AS measurement_id,
        CAST(${sentBy} AS LowCardinality(String)) AS probe_agent)
      FROM candidates AS reply
      ASOF LEFT JOIN (${submissions(ids, "source")}) AS bySource
        ON reply.sourceKey = bySource.key AND reply.time_received_ns >= bySource.submitted
      ASOF LEFT JOIN (${submissions(ids, "agent")}) AS byAgent
        ON reply.agentKey = byAgent.key AND reply.time_received_ns >= byAgent.submitted
      WHERE if(bySource.owner != '', bySource.owner, byAgent.owner) = {attributeTo:String}
        AND ${agent === undefined ? "1" : `(toString(reply.agent_id) = {agent:String} OR ${sentBy} = {agent:String})`}`,
    params: { ...params, ...(agent === undefined ? {} : { agent }), attributeTo: measurementId },
  };
}

export interface AttributedFilter {
  readonly measurementId: string;
  readonly attribution: Attribution;
  /** That sent the probe or captured the answer; undefined = any. */
  readonly agent: string | undefined;
}

/** Submitted probes that candidates may answer: `owner`, `submitted`, `key`, `sentBy` (empty = several). */
function submissions(ids: string, by: "source" | "agent"): string {
  const keys =
    by === "source"
      ? `[cityHash64(probe_src_addr, toString(agent_id), ${flow}), cityHash64(probe_src_addr, '', ${flow})]`
      : `[cityHash64(toString(agent_id), ${flow})]`;
  return `SELECT toString(measurement_id) AS owner, ${submitted} AS submitted, arrayJoin(${keys}) AS key,
      if(uniqExact(agent_id) = 1, toString(any(agent_id)), '') AS sentBy
    FROM measure.probes
    WHERE measurement_id IN (${ids}) AND probe_src_addr ${by === "source" ? "!=" : "="} ${noSource}
      AND key IN (SELECT ${by}Key FROM candidates)
    GROUP BY owner, submitted, key`;
}

const submitted = `toDateTime64(time_submitted, 9, 'UTC') - toIntervalMillisecond(${clockSlackMs})`;

/** Lists are part of the text: as parameters they would not fit a request's address. */
function ipv6Literal(address: Address): string {
  const text = formatAddress(address);
  return `toIPv6('${text.includes(":") ? text : `::ffff:${text}`}')`;
}

function textLiteral(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function timeLiteral(ms: number): string {
  return `fromUnixTimestamp64Nano(${BigInt(Math.round(ms)) * 1_000_000n}, 'UTC')`;
}
