/** A path in JSON and in CSV, and the way back. Pure. */
import * as v from "valibot";
import { type Address, formatAddress, parseAddress } from "../ip/address.ts";
import { protocols } from "../packet/probe.ts";
import type { HopNode } from "../paths/hops.ts";
import { hopsJson } from "../paths/hops-json.ts";
import { figureColumns, placeColumns, routersOf } from "../paths/router-columns.ts";
import type { RttSummary } from "../paths/rtt-summary.ts";
import type { MeasuredPath } from "./measured-path.ts";
import { address, count, type LabelJson, labels } from "./value-forms.ts";

const ms = v.nullable(v.number());
const addressText = address.schema as v.GenericSchema<string>;
const number = count.schema as v.GenericSchema<number>;

const routerSchema = v.object({
  address: v.nullable(v.pipe(addressText, v.description("Null: nobody answered"))),
  name: v.nullable(v.string()),
  flows: v.pipe(v.array(number), v.description("Indexes of the flows of the path")),
  probes: number,
  answered: number,
  loss_percent: v.number(),
  rtt_min_ms: ms,
  rtt_p10_ms: ms,
  rtt_median_ms: ms,
  rtt_p90_ms: ms,
  rtt_max_ms: ms,
  rtt_mean_ms: ms,
  rtt_standard_deviation_ms: ms,
  rtt_jitter_ms: ms,
  rtt_samples_ms: v.array(v.number()),
  mpls_labels: labels.schema as v.GenericSchema<LabelJson[]>,
  answer: v.nullable(
    v.variant("kind", [
      v.object({ kind: v.picklist(["ttl_exceeded", "echo_reply", "syn_ack", "reset"]) }),
      v.object({ kind: v.literal("unreachable"), family: v.picklist([4, 6]), code: number }),
      v.object({ kind: v.literal("other_error"), type: number, code: number }),
    ]),
  ),
  says: v.string(),
});

/** `hops` as in `vantage trace -o json`. */
export const pathSchema = v.object({
  agent: v.string(),
  address: addressText,
  protocol: v.picklist(protocols),
  flows: v.array(
    v.object({
      src_port: number,
      dst_port: number,
      end_ttl: v.nullable(v.pipe(number, v.description("Where it ends; null: nothing known to end it"))),
    }),
  ),
  reached: v.boolean(),
  probes: v.object({ submitted: number, answered: number, lost: number }),
  hops: v.array(v.object({ ttl: number, routers: v.array(routerSchema) })),
});
export type PathJson = v.InferOutput<typeof pathSchema>;

export function pathJson({ agent, target, protocol, flows, reached, probes, hops }: MeasuredPath): object {
  return {
    ...{ agent, address: formatAddress(target), protocol },
    flows: flows.map(({ srcPort, dstPort, endTtl }) => ({
      ...{ src_port: srcPort, dst_port: dstPort },
      end_ttl: endTtl,
    })),
    ...{ reached, probes, hops: hopsJson(hops) },
  };
}

export function pathOfJson({ address: target, flows, hops, ...path }: PathJson): MeasuredPath {
  return {
    ...path,
    target: addressOf(target),
    flows: flows.map(({ src_port: srcPort, dst_port: dstPort, end_ttl: endTtl }) => ({
      srcPort,
      dstPort,
      endTtl,
    })),
    hops: hops.map(({ ttl, routers }) => ({ ttl, nodes: routers.map(nodeOf) })),
  };
}

function nodeOf(router: PathJson["hops"][number]["routers"][number]): HopNode {
  const { flows, probes, answered, answer: kind, rtt_samples_ms: samplesMs } = router;
  const stack = router.mpls_labels.map(({ bottom_of_stack: bottomOfStack, ...entry }) => ({
    ...entry,
    bottomOfStack,
  }));
  const from = router.address === null ? null : addressOf(router.address);
  return { address: from, flows, probes, answered, kind, samplesMs, labels: stack, rtt: rttOf(router) };
}

function rttOf(router: PathJson["hops"][number]["routers"][number]): RttSummary | null {
  const { rtt_min_ms: minMs, rtt_jitter_ms: jitterMs } = router;
  return minMs === null
    ? null
    : {
        ...{ minMs, p10Ms: router.rtt_p10_ms ?? 0, medianMs: router.rtt_median_ms ?? 0 },
        ...{ p90Ms: router.rtt_p90_ms ?? 0, maxMs: router.rtt_max_ms ?? 0, meanMs: router.rtt_mean_ms ?? 0 },
        ...{ standardDeviationMs: router.rtt_standard_deviation_ms ?? 0, jitterMs },
      };
}

/** Parses a text that the schema has accepted. */
function addressOf(text: string): Address {
  return parseAddress(text) ?? new Uint8Array(16);
}

/** Columns in CSV: a row for each router of each hop. */
export const routerNames: readonly string[] = [
  ...["agent", "address", "protocol"],
  ...[...placeColumns, ...figureColumns].map(({ name }) => name),
];

/** In the order of `routerNames`. */
export function routerRows({ agent, target, protocol, hops }: MeasuredPath): string[][] {
  const head = [agent, formatAddress(target), protocol];
  return routersOf(hops).map((router) => [
    ...head,
    ...[...placeColumns, ...figureColumns].map(
      ({ value, text }) => text?.(router) ?? String(value(router) ?? ""),
    ),
  ]);
}
