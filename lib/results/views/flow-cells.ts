/**
 * Probes and answers of each agent, flow, destination and TTL, answer by answer: the basis of the views for
 * other programs.
 */
import { answeredProbe, probeKey, replyKey } from "../../store/clickhouse/probe-key.ts";
import { contextKey } from "../context-finders.ts";
import { tracedProbesMax } from "../limits.ts";
import type { SqlColumn } from "../sql-columns.ts";
import type { WindowSources } from "../target-pages.ts";
import { replyColumns, routerKey } from "./replies.ts";

/** Members of an answer, as in the view of replies, with their types in the store. */
const members: Readonly<Record<string, string>> = {
  ...{ time_received: "String", agent_id: "String", probe_ttl: "UInt8", reply_src_addr: "String" },
  ...{ rtt_ms: "Nullable(Float64)", reply_ttl: "UInt8", reply_quoted_ttl: "UInt8", reply_size: "UInt16" },
  ...{ reply_id: "UInt16", reply_protocol: "UInt8", reply_icmp_type: "UInt8", reply_icmp_code: "UInt8" },
  reply_mpls_labels: "Array(Tuple(label UInt32, exp UInt8, bottom_of_stack Bool, ttl UInt8))",
  ...{ probe_src_addr: "String", probe_size: "UInt16" },
};
export const answerColumns: readonly SqlColumn[] = Object.keys(members).flatMap((name) =>
  replyColumns.filter((one) => one.name === name),
);
/** An answer and its type in the store, with the key of its context where that is asked for. */
function answerSql(isContextAsked: boolean): { readonly type: string; readonly answer: string } {
  const types = Object.entries(isContextAsked ? { ...members, [contextKey]: "String" } : members);
  const type = `Tuple(${types.map(([name, of]) => `${name} ${of}`).join(", ")})`;
  const values = answerColumns.map(({ from, form }) => form.sql(from));
  return {
    type,
    answer: `CAST((${[...values, ...(isContextAsked ? [routerKey] : [])].join(", ")}), '${type}')`,
  };
}

/** The number of probes sent for each TTL. */
export const probesType = "Array(Tuple(ttl UInt8, sent UInt32))";
export const answersType = `Array(${answerSql(false).type})`;

const flow = "measurement, agent, dst, protocol, srcPort, dstPort";

/**
 * Columns of the flow, `ttl`, `sent`, and `found`: the answers by time, each with the probe that it answers. Without a
 * submission each of these was sent.
 */
export function cellsSql({ replies, probes, isContextAsked }: WindowSources): string {
  const { type, answer } = answerSql(isContextAsked);
  return `
    SELECT ${flow}, ttl, max(submitted) AS known, arraySort(groupArrayArray(answers)) AS found,
      (known = 0 ? length(arrayDistinct(found.2)) : known) AS sent
    FROM (
      SELECT measurement_id AS measurement, ${probeKey}, uniqExact(probe_src_addr, probe_index) AS submitted,
        CAST([], 'Array(Tuple(${type}, UInt64))') AS answers
      FROM ${probes} GROUP BY ${flow}, ttl
      UNION ALL
      SELECT ${flow}, ttl, 0, groupArray((one, toUInt64(probe))) FROM (
        SELECT reply.measurement_id AS measurement, ${replyKey}, ${answer} AS one,
          cityHash64(srcPort, ${answeredProbe}) AS probe
        FROM ${replies} AS reply)
      GROUP BY ${flow}, ttl)
    GROUP BY ${flow}, ttl`;
}

/** Columns of the flow, `round`, `probes` and `replies`, by TTL and time. */
export function flowsSql(sources: WindowSources): string {
  const rounds = inRounds(cellsSql(sources), { sent: "sent", found: "found", probesMax: tracedProbesMax });
  return `
    SELECT ${flow}, round,
      arraySort(groupArrayIf((ttl, toUInt32(sentNow)), sentNow > 0)) AS counts,
      CAST(counts, '${probesType}') AS probes,
      arraySort(one -> (one.probe_ttl, one.time_received), groupArrayArray(now)) AS replies
    FROM (${rounds})
    GROUP BY ${flow}, round`;
}

interface RoundColumns {
  /** A number of probes, and an array of their answers by time, each with its probe. */
  readonly sent: string;
  readonly found: string;
  readonly probesMax: number;
}

/**
 * The rows of a query in rounds of `probesMax` probes: `round` from 0, with its `sentNow`, answers `now`, and how many
 * of them are copies. The probes are numbered as they were answered, so copies are in the round of the first answer.
 */
export function inRounds(query: string, { sent, found, probesMax }: RoundColumns): string {
  const first = `${probesMax} * round`;
  return `
    SELECT *, greatest(0, least(${probesMax}, toInt64(${sent}) - toInt64(${first}))) AS sentNow,
      arrayFilter((one, number) -> number > ${first} AND number <= ${first} + ${probesMax}, ${found}, numbers) AS kept,
      arrayMap(one -> one.1, kept) AS now
    FROM (
      SELECT *, arrayJoin(range(toUInt32(rounds))) AS round
      FROM (
        SELECT *, arrayEnumerateDense(${found}.2) AS numbers,
          intDiv(greatest(${sent}, length(arrayDistinct(numbers))) + ${probesMax - 1}, ${probesMax}) AS rounds
        FROM (${query})))`;
}
