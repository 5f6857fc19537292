/** Two measurements larger than users make them: 10,000 hops, and 2,080 links, all ranks of which can be opened. */
import { openStore } from "../../lib/engines/store/clickhouse/open.ts";
import { type ProbeGiven, probeRow, type ReplyGiven, replyRow } from "../contract/client/store-rows.ts";

const source = "192.0.2.1";
const deep = { destinations: 40, ttls: 250 } as const;
const wide = { routers: 40, flows: 80, ttls: 27 } as const;

interface Hop {
  readonly destination: string;
  readonly ttl: number;
  readonly flow: number;
  readonly from: string;
}

/** To each destination a router for each TTL. */
const deepHops: readonly Hop[] = Array.from({ length: deep.destinations * deep.ttls }, (_, i) => {
  const ttl = 1 + (i % deep.ttls);
  const destination = `203.0.113.${1 + Math.floor(i / deep.ttls)}`;
  return { destination, ttl, flow: 0, from: ttl === deep.ttls ? destination : `10.${ttl}.0.${i >> 8}` };
});

/** Flows part in another way at each TTL, so that every router has two links; the target behind them. */
const wideHops: readonly Hop[] = Array.from({ length: wide.ttls * wide.flows }, (_, i) => {
  const [ttl, flow] = [1 + Math.floor(i / wide.flows), i % wide.flows];
  const place = ttl % 2 === 1 ? flow % wide.routers : Math.floor((flow * wide.routers) / wide.flows);
  const destination = "203.0.113.9";
  // The last but one are in a network whose name is foreign text.
  const network = ttl === wide.ttls - 1 ? "203.0.113" : `10.${ttl}.0`;
  return { destination, ttl, flow, from: ttl === wide.ttls ? destination : `${network}.${100 + place}` };
});

export const large = { deep: deepHops, wide: wideHops } as const;

/** Fills measurements that the gateway knows. */
export async function putLarge(address: string, ids: Readonly<Record<keyof typeof large, string>>) {
  await using store = await openStore(address);
  for (const name of ["deep", "wide"] as const) {
    const hops = large[name];
    const common = (hop: Hop) => ({
      ...{ measurement: ids[name], agent: "west", source, ttl: hop.ttl },
      ...{ destination: hop.destination, srcPort: 24_000 + hop.flow },
    });
    const probes = hops.map((hop, index): ProbeGiven => ({ ...common(hop), index }));
    const replies = hops.map((hop): ReplyGiven => {
      const isTarget = hop.from === hop.destination;
      const said = {
        from: hop.from,
        rttTenthMs: 10 * hop.ttl,
        ...(isTarget ? { icmp: [3, 3] as const } : {}),
      };
      return { ...common(hop), ...said };
    });
    const insert = (table: string, values: object[]) =>
      store.client.insert({ table, values, format: "JSONEachRow" });
    await insert("measure.probes", probes.map(probeRow));
    const nowMs = Date.now();
    await insert(
      "measure.replies",
      replies.map((reply, count) => replyRow(reply, count, nowMs)),
    );
  }
}
