/**
 * Imports traces of other programs into the store as rows of a measurement; `producer` marks them as
 * imported.
 */
import { type ImportedTrace, timeText } from "../../../measuring/formats/imported-trace.ts";
import { receivedUs, sentUs } from "../../../measuring/formats/trace.ts";
import { protocolNumber } from "../../../net/packet/probe.ts";
import { rttUnknownTenthMs } from "../../../net/packet/reply.ts";
import { tickOfUs } from "../../../net/packet/time-code.ts";
import type { ColumnStore } from "./open.ts";
import { storeErrorOf } from "./rows.ts";

/** Rows of one insert: some 5 MB. */
const insertRows = 10_000;

interface ImportCounts {
  traces: number;
  probes: number;
  replies: number;
  /** Those of them whose round-trip time is more than the column holds: it is stored as unknown. */
  longRtts: number;
}

/** Rejects with Failure `store`, and like `traces`; earlier traces are then stored. */
export async function importTraces(
  store: ColumnStore,
  measurement: string,
  traces: AsyncIterable<ImportedTrace>,
): Promise<ImportCounts> {
  const counts: ImportCounts = { traces: 0, probes: 0, replies: 0, longRtts: 0 };
  let [probes, replies]: [object[], object[]] = [[], []];
  const flush = async () => {
    await insert(store, "measure.probes", probes);
    await insert(store, "measure.replies", replies);
    [probes, replies] = [[], []];
  };
  for await (const trace of traces) {
    const own = probeRows(measurement, trace, counts.probes);
    probes.push(...own);
    replies.push(...trace.replies.map((_, i) => replyRow(measurement, trace, i)));
    counts.traces++;
    counts.probes += own.length;
    counts.replies += trace.replies.length;
    counts.longRtts += trace.replies.filter(
      ({ rtt_ms: rtt }) => rtt !== null && tenthMsOf(rtt) === rttUnknownTenthMs,
    ).length;
    if (probes.length + replies.length >= insertRows) {
      await flush();
    }
  }
  await flush();
  return counts;
}

async function insert(store: ColumnStore, table: string, values: object[]): Promise<void> {
  if (values.length === 0) {
    return;
  }
  try {
    const clickhouse_settings = { max_partitions_per_insert_block: "0" };
    await store.client.insert({ table, values, format: "JSONEachRow", clickhouse_settings });
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}

function probeRows(measurement: string, trace: ImportedTrace, first: number): object[] {
  const ms = Math.floor(trace.startUs / 1000);
  const ttls = trace.probes.flatMap(({ ttl, sent }) => Array.from({ length: sent }, () => ttl));
  return ttls.map((ttl, i) => ({
    ...{ date: dayOf(ms), time_submitted: ms, measurement_id: measurement, agent_id: trace.agent },
    ...{ probe_index: first + i, probe_src_addr: ipv6(trace.source), ...flowOf(trace), probe_ttl: ttl },
  }));
}

function tenthMsOf(rttMs: number | null): number {
  return rttMs === null ? rttUnknownTenthMs : Math.min(rttUnknownTenthMs, Math.round(10 * rttMs));
}

function replyRow(measurement: string, trace: ImportedTrace, i: number): object {
  const given = trace.replies[i] ?? noReply();
  const { time_received: _, rtt_ms: rttMs, rtt_us: __, reply_mpls_labels: labels, ...reply } = given;
  const [sent, received] = [sentUs(given), receivedUs(given)];
  const time = timeText(received);
  const isTimed = rttMs !== null && tenthMsOf(rttMs) !== rttUnknownTenthMs;
  const now = new Date().toISOString().slice(0, 23).replace("T", " ");
  return {
    ...{
      date: time.slice(0, 10),
      time_inserted_ns: now,
      time_received_ns: time.slice(0, 29).replace("T", " "),
    },
    ...{ agent_id: trace.agent, probe_agent: trace.agent, measurement_id: measurement, ...reply },
    reply_src_addr: ipv6(reply.reply_src_addr),
    ...{
      reply_dst_addr: ipv6(trace.source),
      probe_src_addr: ipv6(trace.source),
      ...flowOf(trace),
      rtt: isTimed ? Math.min(rttUnknownTenthMs - 1, tickOfUs(received) - tickOfUs(sent)) : rttUnknownTenthMs,
      rtt_us: isTimed ? received - sent : 0,
    },
    reply_mpls_labels: labels.map(({ label, exp, bottom_of_stack: bottom, ttl }) => [
      label,
      exp,
      Number(bottom),
      ttl,
    ]),
    ...{ producer: `import/${measurement}`, sequence: 0 },
  };
}

function noReply(): never {
  throw new RangeError("There is no such reply");
}

function flowOf({ address, protocol, src_port, dst_port }: ImportedTrace) {
  return {
    ...{ probe_dst_addr: ipv6(address), probe_src_port: src_port, probe_dst_port: dst_port },
    probe_protocol: protocolNumber(protocol),
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function ipv6(address: string): string {
  return address.includes(":") ? address : `::ffff:${address}`;
}
