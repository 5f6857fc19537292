/**
 * The SQL of attribution.ts. A row is judged by the array `senders` of the measurements that submitted the probe it
 * answers, one tuple each: `(number, submitted, end, answersUntil, agent)`, times in microseconds since the epoch,
 * `number` 1 for the measurement itself and 2 and more for its rivals, `agent` empty when several were to send it.
 */
import { type Address, formatAddress } from "../../../net/ip/address.ts";
import { rttUnknownTenthMs } from "../../../net/packet/reply.ts";
import type { Attribution } from "./attribution.ts";
import type { Condition } from "./condition.ts";
import { answerMsMax, clockErrorMs } from "./limits.ts";
import { noSource, textLiteral, timeLiteral } from "./sql-literals.ts";

/** Rows with the columns of `measure.replies` and `senders`, `possible`, `owners`. */
export type Judged = Condition;

const flow = `probe_dst_addr, probe_protocol, probe_src_port,
  if(probe_protocol IN (1, 58), toUInt16(0), probe_dst_port), probe_ttl`;
const sender = "toString(if(probe_agent = '', agent_id, probe_agent))";
const receivedUs = "toUnixTimestamp64Micro(time_received_ns)";
const unknownRtt = `rtt = ${rttUnknownTenthMs}`;
const slackUs = 1000 * clockErrorMs;
/** Later than any time. */
const neverUs = "9000000000000000000";
const helpers = "sourceKey, agentKey, sentUs, firstSentUs, senders, possible, owners";

/** Rows that may belong to it, by source and time, with the keys of the probe they answer and when that left. */
export function rowsToJudge({ fromMs, untilMs, sources, agents }: Attribution, condition: string): string {
  const bySource = sources.length === 0 ? "0" : `probe_src_addr IN (${sources.map(ipv6Literal).join()})`;
  const byAgent = agents.length === 0 ? "0" : `${sender} IN (${agents.map(textLiteral).join()})`;
  return `SELECT *, cityHash64(probe_src_addr, toString(probe_agent), ${flow}) AS sourceKey,
      cityHash64(${sender}, ${flow}) AS agentKey,
      ${receivedUs} - if(${unknownRtt}, 0, 100 * toInt64(rtt)) AS sentUs,
      sentUs - if(${unknownRtt}, ${1000 * answerMsMax}, 0) AS firstSentUs
    FROM measure.replies
    WHERE measurement_id = '' AND (${bySource} OR ${byAgent}) AND ${condition}
      AND time_received_ns BETWEEN ${timeLiteral(nanosOf(fromMs))} AND ${timeLiteral(nanosOf(untilMs))}`;
}

/**
 * `begun`: submitted before the probe left. `fitting`: begun and not over by then. Where nothing fits, a
 * report of an end or an answer was late, and those that had begun and still await answers remain `possible`.
 */
export function judged(attribution: Attribution, agent: string | undefined, condition: string): string {
  const all = [attribution.own, ...attribution.rivals];
  const owners = attribution.isCrowded
    ? "arrayPushBack(arrayDistinct(possible.1), 0)"
    : "arrayDistinct(possible.1)";
  return `WITH [${all.map(({ id }) => textLiteral(id)).join()}] AS ids, ${times(all.map(({ endMs }) => endMs))} AS ends,
      ${times(all.map(({ answersUntilMs }) => answersUntilMs))} AS untils,
      candidates AS (${rowsToJudge(attribution, condition)})
    SELECT reply.*, arrayConcat(bySource.found, byAgent.found) AS senders,
      arrayFilter(s -> s.2 <= sentUs + ${slackUs}, senders) AS begun,
      arrayFilter(s -> firstSentUs <= s.3 + ${slackUs}, begun) AS fitting,
      if(empty(fitting), arrayFilter(s -> ${receivedUs} <= s.4, begun), fitting) AS possible,
      ${owners} AS owners
    FROM candidates AS reply
    LEFT ANY JOIN (${submissions("source")}) AS bySource ON reply.sourceKey = bySource.key
    LEFT ANY JOIN (${submissions("agent")}) AS byAgent ON reply.agentKey = byAgent.key
    WHERE has(senders.1, 1)
      AND ${agent === undefined ? "1" : `(toString(reply.agent_id) = {agent:String} OR ${sentBy} = {agent:String})`}`;
}

/** The agent that sent the probe, if known. */
const sentBy = `if(toString(probe_agent) != '', toString(probe_agent), arrayFirst(s -> s.1 = 1, senders).5)`;

export function attributed(judgedSql: string): string {
  return `SELECT * EXCEPT (${helpers}, begun, fitting) REPLACE (
      CAST({attributeTo:String} AS LowCardinality(String)) AS measurement_id,
      CAST(${sentBy} AS LowCardinality(String)) AS probe_agent), 'by_time' AS attribution
    FROM (${judgedSql}) WHERE owners = [1]`;
}

export function counts(judgedSql: string): string {
  return `SELECT countIf(length(owners) > 1 AND has(owners, 1)) AS ambiguous, countIf(empty(begun)) AS early
    FROM (${judgedSql})`;
}

/** The measurements that submitted the probes that candidates may answer: `key`, and `found` as `senders` above. */
function submissions(by: "source" | "agent"): string {
  const keys =
    by === "source"
      ? `[cityHash64(probe_src_addr, toString(agent_id), ${flow}), cityHash64(probe_src_addr, '', ${flow})]`
      : `[cityHash64(toString(agent_id), ${flow})]`;
  return `SELECT key, groupArray((number, submittedUs, ends[number], untils[number], agent)) AS found
    FROM (
      SELECT toUInt16(indexOf(ids, toString(measurement_id))) AS number, arrayJoin(${keys}) AS key,
        toUnixTimestamp64Micro(min(time_submitted)) AS submittedUs,
        if(uniqExact(agent_id) = 1, toString(any(agent_id)), '') AS agent
      FROM measure.probes
      WHERE measurement_id IN (SELECT arrayJoin(ids)) AND probe_src_addr ${by === "source" ? "!=" : "="} ${noSource}
        AND key IN (SELECT ${by}Key FROM candidates)
      GROUP BY number, key
    )
    GROUP BY key`;
}

/** Microseconds, in the order of the measurements; `neverUs` for null. */
function times(ms: readonly (number | null)[]): string {
  const texts = ms.map((one) => (one === null ? neverUs : `${Math.round(one)}000`));
  return `CAST([${texts.join()}], 'Array(Int64)')`;
}

/** Lists are literals in the text: as parameters they would make the request's URL too long. */
function ipv6Literal(address: Address): string {
  const text = formatAddress(address);
  return `toIPv6('${text.includes(":") ? text : `::ffff:${text}`}')`;
}

function nanosOf(ms: number): bigint {
  return BigInt(Math.round(ms)) * 1_000_000n;
}
