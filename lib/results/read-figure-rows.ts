/** The way back from rows of JSON to loss, catchment and paths, for whoever is given rows over HTTP. Pure. */
import * as v from "valibot";
import { type Address, parseAddress } from "../ip/address.ts";
import { protocols } from "../packet/probe.ts";
import type { HopNode } from "../paths/hops.ts";
import type { RttSummary } from "../paths/rtt-summary.ts";
import type { Loss } from "../store/clickhouse/loss-query.ts";
import type { CatchmentRow } from "./figure-columns.ts";
import type { MeasuredPath } from "./measured-path.ts";

const address = v.pipe(
  v.string(),
  v.transform(parseAddress),
  v.check((parsed) => parsed !== null),
  v.transform((parsed): Address => parsed ?? new Uint8Array(16)),
);

const lossSchema = v.object({
  agent: v.string(),
  destination: address,
  submitted: v.number(),
  answered: v.number(),
  replies: v.number(),
});

/** Null for a row of another form. */
export function readLossRow(row: unknown): Loss | null {
  const parsed = v.safeParse(lossSchema, row);
  return parsed.success ? parsed.output : null;
}

const catchmentSchema = v.object({
  probe_agent: v.string(),
  probe_instance: v.number(),
  heard_by: v.string(),
  replies: v.number(),
  share_percent: v.number(),
  destinations: v.number(),
  responders: v.number(),
});

/** Null for a row of another form. */
export function readCatchmentRow(row: unknown): CatchmentRow | null {
  const parsed = v.safeParse(catchmentSchema, row);
  if (!parsed.success) {
    return null;
  }
  const { probe_agent, probe_instance, heard_by, share_percent, ...counts } = parsed.output;
  return {
    ...counts,
    probeAgent: probe_agent,
    probeInstance: probe_instance,
    heardBy: heard_by,
    share: share_percent / 100,
  };
}

const kindSchema = v.variant("kind", [
  v.object({ kind: v.picklist(["ttlExceeded", "echoReply", "synAck", "reset"]) }),
  v.object({ kind: v.literal("unreachable"), family: v.picklist([4, 6]), code: v.number() }),
  v.object({ kind: v.literal("otherError"), type: v.number(), code: v.number() }),
]);

const ms = v.nullable(v.number());

const routerSchema = v.object({
  address: v.nullable(address),
  flows: v.array(v.number()),
  probes: v.number(),
  answered: v.number(),
  rtt_min_ms: ms,
  rtt_p10_ms: ms,
  rtt_median_ms: ms,
  rtt_p90_ms: ms,
  rtt_max_ms: ms,
  rtt_mean_ms: ms,
  rtt_standard_deviation_ms: ms,
  rtt_jitter_ms: ms,
  rtt_samples_ms: v.array(v.number()),
  mpls_labels: v.array(
    v.object({ label: v.number(), exp: v.number(), bottom_of_stack: v.boolean(), ttl: v.number() }),
  ),
  answer: v.nullable(kindSchema),
});

const pathSchema = v.object({
  agent: v.string(),
  address,
  protocol: v.picklist(protocols),
  flows: v.array(v.object({ src_port: v.number(), dst_port: v.number(), end_ttl: v.nullable(v.number()) })),
  reached: v.boolean(),
  probes: v.object({ submitted: v.number(), answered: v.number(), lost: v.number() }),
  hops: v.array(v.object({ ttl: v.number(), routers: v.array(routerSchema) })),
});

/** Null for a row of another form. */
export function readPathRow(row: unknown): MeasuredPath | null {
  const parsed = v.safeParse(pathSchema, row);
  if (!parsed.success) {
    return null;
  }
  const { address: target, flows, hops, ...path } = parsed.output;
  return {
    ...path,
    target,
    flows: flows.map(({ src_port, dst_port, end_ttl }) => ({
      srcPort: src_port,
      dstPort: dst_port,
      endTtl: end_ttl,
    })),
    hops: hops.map(({ ttl, routers }) => ({ ttl, nodes: routers.map(nodeOf) })),
  };
}

function nodeOf(router: v.InferOutput<typeof routerSchema>): HopNode {
  const { address: own, flows, probes, answered, answer: kind, rtt_samples_ms: samplesMs } = router;
  const labels = router.mpls_labels.map(({ bottom_of_stack: bottomOfStack, ...label }) => ({
    ...label,
    bottomOfStack,
  }));
  return { address: own, flows, probes, answered, kind, samplesMs, labels, rtt: rttOf(router) };
}

function rttOf(router: v.InferOutput<typeof routerSchema>): RttSummary | null {
  if (router.rtt_min_ms === null) {
    return null;
  }
  const figure = (ms: number | null) => ms ?? 0;
  return {
    minMs: router.rtt_min_ms,
    p10Ms: figure(router.rtt_p10_ms),
    medianMs: figure(router.rtt_median_ms),
    p90Ms: figure(router.rtt_p90_ms),
    maxMs: figure(router.rtt_max_ms),
    meanMs: figure(router.rtt_mean_ms),
    standardDeviationMs: figure(router.rtt_standard_deviation_ms),
    jitterMs: router.rtt_jitter_ms,
  };
}
