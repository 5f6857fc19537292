/**
 * Whose replies without a measurement are, where nothing but the store is known: the probes that were submitted say
 * it. When a measurement ended is not among them, so its answers may come until now; of two measurements that sent
 * the same probe, the later one has those that came after it (attribution.ts).
 */
import type { Attribution } from "./attribution.ts";
import { storedRivalsMax } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import type { ReplyFilter } from "./reply-filter.ts";
import { withoutIdleAttribution } from "./reply-source.ts";
import { rowsOf } from "./rows.ts";

interface SubmittedRow {
  readonly fromMs: number;
  /** Hex digits. */
  readonly sources: readonly string[];
  readonly agents: readonly string[];
}

interface RivalRow {
  readonly id: string;
  readonly submittedMs: number;
}

/** The filter, with an attribution when it names a measurement and there is one to make. Rejects with StoreError. */
export async function withStoredAttribution(
  store: ColumnStore,
  filter: ReplyFilter,
  nowMs: number,
): Promise<ReplyFilter> {
  const { measurementId } = filter;
  const submitted = measurementId === undefined ? null : await submittedOf(store, measurementId);
  if (measurementId === undefined || submitted === null) {
    return filter;
  }
  const { fromMs, sources, agents } = submitted;
  const attribution = {
    fromMs,
    untilMs: nowMs,
    sources: sources.map(Uint8Array.fromHex),
    agents,
    rivals: [],
  };
  const found = await withoutIdleAttribution(store, { ...filter, attribution });
  return found.attribution === undefined
    ? filter
    : { ...filter, attribution: await withRivals(store, measurementId, submitted, attribution) };
}

/** Null when nothing was. */
async function submittedOf(store: ColumnStore, measurementId: string): Promise<SubmittedRow | null> {
  const sql = `
    SELECT toFloat64(toUnixTimestamp64Milli(min(time_submitted))) AS fromMs,
      groupUniqArrayIf(hex(probe_src_addr), probe_src_addr != toIPv6('::')) AS sources,
      groupUniqArrayIf(toString(agent_id), probe_src_addr = toIPv6('::')) AS agents
    FROM measure.probes WHERE measurement_id = {measurementId:String} HAVING count() > 0`;
  const [row = null] = await Array.fromAsync(rowsOf<SubmittedRow>(store, { sql, params: { measurementId } }));
  return row;
}

/** An earlier measurement is no rival: what is after ours is ours. Of too many, those up to some time are looked at. */
async function withRivals(
  store: ColumnStore,
  measurementId: string,
  { fromMs, sources, agents }: SubmittedRow,
  attribution: Attribution,
): Promise<Attribution> {
  const sql = `
    SELECT toString(measurement_id) AS id, toFloat64(toUnixTimestamp64Milli(min(time_submitted))) AS submittedMs
    FROM measure.probes
    WHERE measurement_id NOT IN ('', {measurementId:String})
      AND date >= toDate(fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC'))
      AND time_submitted >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
      AND (hex(probe_src_addr) IN {sources:Array(String)}
        OR probe_src_addr = toIPv6('::') AND toString(agent_id) IN {agents:Array(String)})
    GROUP BY id ORDER BY submittedMs LIMIT {rivals:UInt32}`;
  const params = { measurementId, fromMs, sources, agents, rivals: storedRivalsMax };
  const rows = await Array.fromAsync(rowsOf<RivalRow>(store, { sql, params }));
  const last = rows.length < storedRivalsMax ? undefined : rows.at(-1);
  return {
    ...attribution,
    untilMs: last?.submittedMs ?? attribution.untilMs,
    rivals: rows.map(({ id }) => id),
  };
}
