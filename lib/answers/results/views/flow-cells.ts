/**
 * Probes and replies by agent, flow, destination and TTL, reply by reply: the basis of the views for other programs.
 */
import * as v from "valibot";
import { answeredProbe, probeKey, replyKey } from "../../../engines/store/clickhouse/probe-key.ts";
import { noSource } from "../../../engines/store/clickhouse/sql-literals.ts";
import { ianaNumber } from "../../../net/packet/probe.ts";
import { contextKey } from "../context-finders.ts";
import { tracedProbesMax } from "../limits.ts";
import { column, type SqlColumn } from "../sql-columns.ts";
import type { WindowSources } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import { replyColumns, routerKey } from "./replies.ts";

/** Members of a reply, as in the view of replies, with their types in the store. */
const members: Readonly<Record<string, string>> = {
  ...{ time_received: "String", agent_id: "String", probe_ttl: "UInt8", reply_src_addr: "String" },
  ...{ rtt_ms: "Nullable(Float64)", reply_ttl: "UInt8", reply_quoted_ttl: "UInt8", reply_size: "UInt16" },
  ...{ reply_id: "UInt16", reply_protocol: "UInt8", reply_icmp_type: "UInt8", reply_icmp_code: "UInt8" },
  reply_mpls_labels: "Array(Tuple(label UInt32, exp UInt8, bottom_of_stack Bool, ttl UInt8))",
  ...{ probe_src_addr: "String", probe_size: "UInt16", rtt_us: "Nullable(UInt32)" },
  ...{ reply_quoted_traffic_class: "UInt8", reply_next_hop_mtu: "UInt16" },
};
export const answerColumns: readonly SqlColumn[] = Object.keys(members).flatMap((name) =>
  replyColumns.filter((one) => one.name === name),
);
/** A reply and its type in the store, with its context key if requested. */
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

const submittedTime: forms.ValueForm = {
  sql: (column) => `if(${isKnownTime(column)}, ${forms.time.sql(column)}, NULL)`,
  column: (column) => `if(${isKnownTime(column)}, ${column}, NULL)`,
  schema: v.nullable(forms.time.schema),
};

function isKnownTime(column: string): string {
  return `toUnixTimestamp64Milli(${column}) > 0`;
}

const submittedSource: forms.ValueForm = {
  ...forms.address,
  sql: (column) => `if(${column} = ${noSource}, NULL, ${forms.address.sql(column)})`,
  schema: v.nullable(forms.address.schema),
};

/** The submission's data for the probes of a `row`, which has the columns `submittedAt` and `source`. */
export function sendingColumns(row: string): readonly SqlColumn[] {
  return [
    column("time_submitted", `${row}.submittedAt`, submittedTime, {
      meaning: "the first of its probes; null if their submission is unknown",
    }),
    column("probe_src_addr", `${row}.source`, submittedSource, {
      meaning:
        "as submitted; if that was left to the agent, the one of its answered probes in this family; " +
        "null if nothing shows it",
    }),
  ];
}

/**
 * Columns of the flow, `ttl`, `sent`, and `found`: the replies by time, each with its probe. Without a submission
 * (`known` is 0) each of these was sent; `since` and `given` are its first time and its source, as
 * submitted or as the agent chose it.
 */
export function cellsSql({ replies, probes, isContextAsked, chosenSource }: WindowSources): string {
  const given = chosenSource === null ? "asked" : `if(asked = ${noSource}, ${chosenSource}, asked)`;
  const { type, answer } = answerSql(isContextAsked);
  return `
    SELECT ${flow}, ttl, max(submitted) AS known, arraySort(groupArrayArray(answers)) AS found,
      (known = 0 ? length(arrayDistinct(found.2)) : known) AS sent,
      minIf(first, submitted > 0) AS since, max(from) AS asked, ${given} AS given
    FROM (
      SELECT measurement_id AS measurement, ${probeKey}, uniqExact(probe_src_addr, probe_index) AS submitted,
        min(time_submitted) AS first, max(probe_src_addr) AS from,
        CAST([], 'Array(Tuple(${type}, UInt64))') AS answers
      FROM ${probes} GROUP BY ${flow}, ttl
      UNION ALL
      SELECT ${flow}, ttl, 0, toDateTime64(0, 3, 'UTC'), ${noSource}, groupArray((one, toUInt64(probe))) FROM (
        SELECT reply.measurement_id AS measurement, ${replyKey}, ${answer} AS one,
          cityHash64(srcPort, ${answeredProbe}) AS probe
        FROM ${replies} AS reply)
      GROUP BY ${flow}, ttl)
    GROUP BY ${flow}, ttl`;
}

/**
 * Whether a reply ends a flow, as in lib/measuring/formats/trace.ts: the destination's, or an ICMP "unreachable".
 */
const isEnd = `one.1.reply_src_addr = ${forms.address.sql("dst")} OR multiIf(
  one.1.reply_protocol = ${ianaNumber.tcp}, 1,
  one.1.reply_protocol = ${ianaNumber.icmp}, one.1.reply_icmp_type IN (0, 3), one.1.reply_icmp_type IN (129, 1))`;

/** Cells with `endTtl`: where the flow ends by the replies of all its rounds; 0 = it does not. */
function endedCells(cells: string): string {
  return `SELECT *, minIf(ttl, isFlowEnd) OVER (PARTITION BY ${flow}) AS endTtl
    FROM (SELECT *, arrayExists(one -> ${isEnd}, found) AS isFlowEnd FROM (${cells}))`;
}

/**
 * Columns of the flow, `endTtl`, `round`, `probes` and `replies`, by TTL and time, and the submission's data:
 * `submittedAt` and `source`.
 */
export function flowsSql(sources: WindowSources): string {
  const rounds = inRounds(endedCells(cellsSql(sources)), {
    sent: "sent",
    found: "found",
    probesMax: tracedProbesMax,
  });
  return `
    SELECT ${flow}, round,
      arraySort(groupArrayIf((ttl, toUInt32(sentNow)), sentNow > 0)) AS counts,
      CAST(counts, '${probesType}') AS probes, any(endTtl) AS endTtl,
      minIf(since, known > 0) AS submittedAt, max(given) AS source,
      arraySort(one -> (one.probe_ttl, one.time_received), groupArrayArray(now)) AS replies
    FROM (${rounds})
    GROUP BY ${flow}, round`;
}

interface RoundColumns {
  /** A number of probes, and an array of their replies by time, each with its probe. */
  readonly sent: string;
  readonly found: string;
  readonly probesMax: number;
}

/**
 * The rows of a query in rounds of `probesMax` probes: `round` from 0, with its `sentNow`, replies `now`, and how many
 * of them are copies. The probes are numbered by their replies, so copies are in the round of the first reply.
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
