/** A large store, filled by SQL: many measurements side by side over three days, a middle-sized one and a large one. */
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";

export interface Campaign {
  readonly measurement: string;
  readonly probes: number;
  readonly destinations: number;
}

const flows = 4;
const ttls = 16;
const days = 3;
const spanNs = days * 86_400 * 1e9;

/** Most of what is stored is other measurements, of some 50,000 probes each. */
const othersProbes = 50_000;
const othersMax = 1000;

/** So many replies in all, about; the large measurement has a tenth of them, the other a fiftieth of that. */
export function campaigns(count: number): { readonly large: Campaign; readonly small: Campaign } {
  const campaign = (measurement: string, probes: number): Campaign => ({
    measurement,
    probes,
    destinations: Math.max(1, Math.round(probes / (flows * ttls * 8))),
  });
  return {
    large: campaign("5a000000-0000-4000-8000-000000000001", Math.round(count / 9)),
    small: campaign("5a000000-0000-4000-8000-000000000002", Math.round(count / 450)),
  };
}

type FilledTable = "probes" | "replies";

/** Nine of ten probes are answered, but at one silent hop. */
export async function fill(
  { client }: ColumnStore,
  count: number,
  tables: readonly FilledTable[] = ["probes", "replies"],
): Promise<void> {
  const { large, small } = campaigns(count);
  const others = Math.min(othersMax, Math.max(1, Math.round(count / othersProbes)));
  const rest = Math.round((count * 1.18 - large.probes - small.probes) / others);
  const insert = async (...[id, shape, rows, share]: Parameters<typeof probesOf>) => {
    for (const table of tables) {
      await client.command({
        query: { probes: probesOf, replies: repliesOf }[table](id, shape, rows, share),
      });
    }
  };
  for (const one of [large, small]) {
    await insert(quoted(one.measurement), one, one.probes);
  }
  // A part of them at a time, so that an insert stays small; their probes are interleaved, as their replies are.
  const atOnce = Math.max(1, Math.floor(2_000_000 / rest));
  for (let first = 0; first < others; first += atOnce) {
    const now = Math.min(atOnce, others - first);
    const id = `concat('5b000000-0000-4000-8000-', leftPad(toString(${first} + number % ${now}), 12, '0'))`;
    const shape = { destinations: Math.max(1, Math.round(rest / 512)) };
    await insert(id, shape, rest * now, now);
  }
}

function quoted(text: string): string {
  return `'${text}'`;
}

const start = `(toDateTime64(today() - ${days}, 9, 'UTC'))`;

/** `share` measurements take turns. */
function source({ destinations }: Pick<Campaign, "destinations">, rows: number, share: number): string {
  const nth = `intDiv(number, ${share})`;
  return `(SELECT number, ${nth} AS nth, nth % ${destinations} AS target,
      toUInt16(24000 + intDiv(nth, ${destinations}) % ${flows}) AS srcPort,
      toUInt8(1 + intDiv(nth, ${destinations * flows}) % ${ttls}) AS ttl,
      lower(hex(toUInt16(intDiv(target, 65536)))) AS high, lower(hex(toUInt16(target))) AS low,
      toIPv6(concat('2001:db8:1:', high, ':', low, '::1')) AS dst,
      cityHash64(number, ${rows}) AS dice,
      ${start} + toIntervalNanosecond(toInt64(number * ${spanNs / rows}) + dice % 1000000) AS at
    FROM numbers(${rows}))`;
}

function probesOf(id: string, shape: Pick<Campaign, "destinations">, rows: number, share = 1): string {
  return `INSERT INTO measure.probes (date, time_submitted, measurement_id, agent_id, probe_index, probe_src_addr,
      probe_dst_addr, probe_src_port, probe_dst_port, probe_ttl, probe_protocol)
    SELECT toDate(at), toDateTime64(at, 3, 'UTC') - 1, ${id}, 'agent-1', nth, toIPv6('2001:db8::1'), dst, srcPort,
      33434, ttl, 17
    FROM ${source(shape, rows, share)}`;
}

function repliesOf(id: string, shape: Pick<Campaign, "destinations">, rows: number, share = 1): string {
  return `INSERT INTO measure.replies (date, time_inserted_ns, time_received_ns, agent_id, reply_src_addr,
      reply_dst_addr, reply_id, reply_size, reply_ttl, reply_quoted_ttl, reply_protocol, reply_icmp_type,
      reply_icmp_code, probe_src_addr, probe_dst_addr, probe_id, probe_size, probe_ttl, probe_protocol,
      probe_src_port, probe_dst_port, rtt, measurement_id, probe_agent, probe_instance, producer, sequence)
    SELECT toDate(at), at + 1, at, 'agent-1',
      if(ttl = ${ttls}, dst, toIPv6(concat('2001:db8:2:',
        lower(hex(toUInt16(intDiv(target, toUInt32(intExp2(${ttls} - ttl))) + srcPort % 2))), '::', lower(hex(ttl))))),
      toIPv6('2001:db8::1'), 0, 96 + ttl, 255 - ttl, 1, 58, if(ttl = ${ttls}, 1, 3), if(ttl = ${ttls}, 4, 0),
      toIPv6('2001:db8::1'), dst, 0, 18 + ttl, ttl, 17, srcPort, 33434,
      toUInt16(20 * ttl + dice % 64 + if(dice % 97 = 0, 900, 0)), ${id}, 'agent-1', 1,
      concat('7f3a9c51d2e04b68/', toString(intDiv(number, 64) % 16)), 1 + intDiv(number, 64)
    FROM ${source(shape, rows, share)} WHERE intDiv(dice, 1000) % 10 != 0 AND ttl != 7`;
}
