/**
 * The source that an agent chose itself, which no submission names. An agent chooses one for each family, so the
 * answers to a measurement show that of its other probes, too. It is not known where they show several, as the agent
 * was configured anew, or where nothing answered it: agents report their prefixes, not the addresses that they choose.
 */
import { probeCondition, type ReplyFilter } from "../../engines/store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../engines/store/clickhouse/reply-source.ts";
import { type QueryParams, rowsOf } from "../../engines/store/clickhouse/rows.ts";
import { noSource } from "../../engines/store/clickhouse/sql-literals.ts";
import { chosenSourcesMax } from "./limits.ts";
import type { AskStore } from "./view.ts";

export interface ChosenSources {
  /** In place of a source, by the columns `agent` and `dst`; `::` where it is not known. */
  readonly sql: string;
  readonly params: QueryParams;
}

interface ChosenRow {
  readonly name: string;
  readonly source: string;
}

const familyOf = "if(startsWith(toString(dst), '::ffff:'), ' 4', ' 6')";

/** Null = none is known. Rejects with Failure `store`. */
export async function chosenSources(ask: AskStore, filter: ReplyFilter): Promise<ChosenSources | null> {
  const { destination: _, source: __, sinceMs: ___, untilMs: ____, ...whole } = filter;
  const [replies, probes] = [repliesFrom(whole), probeCondition(whole)];
  const probesWhere = (own: string) => `FROM measure.probes WHERE ${probes.sql} AND ${own}`;
  const sql = `
    SELECT concat(agent, ${familyOf}) AS name, toString(any(src)) AS source
    FROM (
      SELECT toString(if(probe_agent = '', agent_id, probe_agent)) AS agent, probe_dst_addr AS dst,
        probe_src_addr AS src
      FROM ${replies.sql})
    WHERE agent IN (SELECT toString(agent_id) ${probesWhere(`probe_src_addr = ${noSource}`)})
      AND (agent, src) NOT IN (
        SELECT toString(agent_id), probe_src_addr ${probesWhere(`probe_src_addr != ${noSource}`)})
    GROUP BY name HAVING uniqExact(src) = 1
    LIMIT ${chosenSourcesMax}`;
  const query = { sql, params: { ...replies.params, ...probes.params } };
  const rows = await ask((store) => Array.fromAsync(rowsOf<ChosenRow>(store, query)));
  return rows.length === 0
    ? null
    : {
        sql: `toIPv6OrDefault({chosenSources:Array(String)}[
          indexOf({chosenNames:Array(String)}, concat(agent, ${familyOf}))])`,
        params: {
          chosenNames: rows.map(({ name }) => name),
          chosenSources: rows.map(({ source }) => source),
        },
      };
}
