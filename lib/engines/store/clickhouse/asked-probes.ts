/** The probes requested from one agent in some measurements, and their replies, by destination. */
import { type Address, formatAddress } from "../../../net/ip/address.ts";
import type { ColumnStore } from "./open.ts";
import { rowsOf } from "./rows.ts";
import { textLiteral } from "./sql-literals.ts";

export interface AskedMeasurement {
  readonly id: string;
  /** Measurements of one round share it; rising. */
  readonly round: number;
  /** The first `sent` of its probes were sent; null = all. */
  readonly sent: number | null;
}

export interface AskedOrder {
  readonly measurements: readonly AskedMeasurement[];
  readonly agent: string;
  /** First and last destination, inclusive. */
  readonly first: Address;
  readonly last: Address;
  /** Answers that were received before this time count; milliseconds. */
  readonly untilMs: number;
  /** Whether to report with which destination each router was first met. */
  readonly withFirst: boolean;
}

/** Addresses have 32 hexadecimal digits; IPv4 is mapped. */
export interface AskedRow {
  readonly dst: string;
  readonly srcPort: number;
  readonly ttl: number;
  /** Probes that were sent. */
  readonly asked: number;
  /** Who answered; whether other than by "time exceeded"; the first destination for which it answered. */
  readonly answers: readonly (readonly [router: string, isEnd: 0 | 1, first: string])[];
}

const exceeded =
  "(reply_protocol = 1 AND reply_icmp_type = 11 OR reply_protocol = 58 AND reply_icmp_type = 3)";
const sender = "if(probe_agent = '', agent_id, probe_agent)";

function hex(column: string): string {
  return `lower(hex(IPv6StringToNum(toString(${column}))))`;
}

/** In the order of destination, source port and TTL. Rejects with Failure `store`. */
export function askedProbes(
  store: ColumnStore,
  order: AskedOrder,
): AsyncGenerator<AskedRow, void, undefined> {
  const { measurements, agent, first, last, untilMs, withFirst } = order;
  const own = `measurement_id IN (${measurements.map(({ id }) => textLiteral(id)).join(", ")})`;
  const between = `probe_dst_addr BETWEEN ${ipv6(first)} AND ${ipv6(last)}`;
  const inTime = `time_received_ns < fromUnixTimestamp64Milli(${untilMs})`;
  const received = `${own} AND ${sender} = ${textLiteral(agent)} AND ${inTime}`;
  const known = withFirst
    ? `LEFT JOIN (${firstMet(measurements, received)}) AS known USING (reply_src_addr)`
    : "";
  const sql = `
    SELECT ${hex("dst")} AS dst, srcPort, ttl, toUInt32(sum(asks)) AS asked,
      arraySort(groupUniqArrayArray(found)) AS answers
    FROM (
      SELECT probe_dst_addr AS dst, probe_src_port AS srcPort, probe_ttl AS ttl,
        uniqExact(measurement_id, probe_index) AS asks, CAST([], 'Array(Tuple(String, UInt8, String))') AS found
      FROM measure.probes
      WHERE ${own} AND agent_id = ${textLiteral(agent)} AND ${between} ${sentOnly(measurements)}
      GROUP BY dst, srcPort, ttl
      UNION ALL
      SELECT probe_dst_addr AS dst, probe_src_port AS srcPort, probe_ttl AS ttl, 0 AS asks,
        groupUniqArray((${hex("reply_src_addr")}, toUInt8(NOT ${exceeded}), ${withFirst ? "met" : "''"})) AS found
      FROM measure.replies ${known}
      WHERE ${received} AND ${between}
      GROUP BY dst, srcPort, ttl)
    GROUP BY dst, srcPort, ttl ORDER BY dst, srcPort, ttl`;
  return rowsOf<AskedRow>(store, { sql, params: {} });
}

/** The first destination, by round and then by address, with which each router was met. */
function firstMet(measurements: readonly AskedMeasurement[], received: string): string {
  const ids = measurements.map(({ id }) => textLiteral(id)).join(", ");
  const rounds = measurements.map(({ round }) => round).join(", ");
  const round = `transform(toString(measurement_id), [${ids}], [${rounds}], 0)`;
  return `SELECT reply_src_addr, ${hex(`argMin(probe_dst_addr, (${round}, probe_dst_addr))`)} AS met
    FROM measure.replies WHERE ${received} AND ${exceeded} GROUP BY reply_src_addr`;
}

/** Leaves out the probes that a measurement had not sent when it was stopped. */
function sentOnly(measurements: readonly AskedMeasurement[]): string {
  return measurements
    .flatMap(({ id, sent }) =>
      sent === null ? [] : [`AND NOT (measurement_id = ${textLiteral(id)} AND probe_index >= ${sent})`],
    )
    .join(" ");
}

function ipv6(address: Address): string {
  const text = formatAddress(address);
  return `toIPv6('${text.includes(":") ? text : `::ffff:${text}`}')`;
}

/** Submitted probes of some measurements that are stored. */
export async function probesStored(store: ColumnStore, ids: readonly string[]): Promise<number> {
  const sql =
    "SELECT toUInt32(count()) AS probes FROM measure.probes WHERE measurement_id IN {ids:Array(String)}";
  for await (const { probes } of rowsOf<{ probes: number }>(store, { sql, params: { ids } })) {
    return probes;
  }
  return 0;
}
