/** A measurement whose flows part twice, fall silent, and end at one target; heard by two agents. */
import type { ReplyGiven } from "../contract/client/store-with-paths.ts";
import { replyOf } from "../contract/probing-gateway-reads/results-home.ts";

export const flows = 20;

/** Probes of each flow at each TTL. */
export function cells() {
  return [1, 2, 3, 4, 5].flatMap((ttl) =>
    Array.from({ length: flows }, (_, flow) => ({ ttl, srcPort: 24_000 + flow })),
  );
}

/** All flows by one router, then by one of 16, by one of two where some are silent, by one again; the target. */
export function answerTo(id: string, { ttl, srcPort }: ReturnType<typeof cells>[number]): ReplyGiven[] {
  const flow = srcPort - 24_000;
  // The last but one is on an exchange of the set.
  const hosts = [1, 10 + (flow % 16), 40 + (flow % 2), 4];
  const reply = { ...replyOf(id, ttl), srcPort, rttTenthMs: 10 * ttl + flow };
  if (ttl === 5) {
    return [{ ...reply, from: "203.0.113.9", icmp: [3, 3], agent: flow < 5 ? "east" : "west" }];
  }
  return ttl === 3 && flow > 16 ? [] : [{ ...reply, from: `198.51.100.${hosts[ttl - 1]}` }];
}

interface Router {
  readonly address: string | null;
  readonly flows: readonly number[];
  readonly probes: number;
  readonly answered: number;
  readonly loss_percent: number;
  readonly rtt_median_ms: number | null;
  readonly asn: number | null;
  readonly as_name: string | null;
  readonly ixp: { readonly name: string } | null;
  readonly geo: { readonly country: string } | null;
  readonly rpki: string | null;
}
export interface Path {
  readonly hops: readonly { readonly ttl: number; readonly routers: readonly Router[] }[];
}
