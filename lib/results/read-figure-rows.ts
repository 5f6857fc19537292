/** The way back from rows of JSON to loss, catchment and paths, for whoever is given rows over HTTP. Pure. */
import * as v from "valibot";
import { type Address, parseAddress } from "../ip/address.ts";
import { protocols } from "../packet/probe.ts";
import type { Hop } from "../paths/hops.ts";
import { type AnswerKind, Path } from "../paths/path.ts";
import type { Loss } from "../store/clickhouse/loss-query.ts";
import type { CatchmentRow } from "./figure-columns.ts";
import type { PathDrawing } from "./path-drawing.ts";

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

const routerSchema = v.object({
  address: v.nullable(address),
  flows: v.array(v.number()),
  probes: v.number(),
  answered: v.number(),
  rttsMs: v.array(v.number()),
  mplsLabels: v.array(
    v.object({ label: v.number(), exp: v.number(), bottomOfStack: v.boolean(), ttl: v.number() }),
  ),
  answer: v.nullable(kindSchema),
});

const pathSchema = v.object({
  agent: v.string(),
  address,
  protocol: v.picklist(protocols),
  flows: v.array(v.object({ srcPort: v.number(), dstPort: v.number() })),
  probes: v.object({ submitted: v.number(), answered: v.number(), lost: v.number() }),
  hops: v.array(v.object({ ttl: v.number(), routers: v.array(routerSchema) })),
});

/** Null for a row of another form. */
export function readPathRow(row: unknown): PathDrawing | null {
  const parsed = v.safeParse(pathSchema, row);
  if (!parsed.success) {
    return null;
  }
  const { agent, address: target, protocol, flows, probes, hops: rows } = parsed.output;
  const hops = rows.map(({ ttl, routers }) => ({
    ttl,
    nodes: routers.map(({ mplsLabels: labels, answer: kind, ...node }) => ({ ...node, labels, kind })),
  }));
  return { agent, target, protocol, flows, hops, path: pathOf(target, flows.length, hops), probes };
}

/** Only who answered which flow where: enough to tell where each of them ends. */
function pathOf(target: Address, flows: number, hops: readonly Hop[]): Path {
  const path = new Path(target, flows);
  for (const { ttl, nodes } of hops) {
    for (const { address: from, flows: own, labels, kind } of nodes) {
      for (const flow of from === null ? [] : own) {
        path.record(flow, ttl, { from: from ?? target, rttMs: null, labels, kind: kind ?? ttlExceeded });
      }
    }
  }
  return path;
}

const ttlExceeded: AnswerKind = { kind: "ttlExceeded" };
