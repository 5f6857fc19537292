/** Rows of the column store as a malicious agent can have them written: measurements that cost most to be shown. */
import type { StoreProcess } from "../../contract/client/store-with-paths.ts";
import { agentId } from "./watched-gateway.ts";

export interface WidePath {
  readonly measurement: string;
  readonly flows: number;
  /** Routers of each TTL, shared out to the flows. */
  readonly routers: number;
  readonly ttls: number;
}

/** An answer of a router at each TTL to each flow, and the probes of the first one. */
export async function storeWidePath(
  { store }: StoreProcess,
  { measurement, flows, routers, ttls }: WidePath,
): Promise<void> {
  const count = Math.max(flows, routers);
  const flow = `number % ${flows}`;
  const ends = `toIPv6('::ffff:192.0.2.1') AS source, toIPv6('::ffff:203.0.114.1') AS target`;
  const ports = `1024 + (${flow}) % 60000 AS src_port, 33434 + intDiv(${flow}, 60000) AS dst_port`;
  for (let ttl = 1; ttl <= ttls; ttl++) {
    const from = `IPv4NumToString(toUInt32(1681915904 + number % ${routers}))`;
    await store.client.command({
      query: `INSERT INTO measure.replies (date, time_inserted_ns, time_received_ns, agent_id, reply_src_addr,
          reply_dst_addr, reply_protocol, reply_icmp_type, reply_icmp_code, probe_src_addr, probe_dst_addr, probe_ttl,
          probe_protocol, probe_src_port, probe_dst_port, rtt, measurement_id, probe_agent, probe_instance)
        SELECT today(), now64(9), now64(9) + toIntervalNanosecond(number + ${ttl * count}), '${agentId}',
          toIPv6(concat('::ffff:', ${from})), source, 1, 11, 0, source, target, ${ttl}, 17, src_port, dst_port, 10,
          '${measurement}', '${agentId}', 0
        FROM (SELECT number, ${ends}, ${ports} FROM numbers(${count}))`,
    });
  }
}
