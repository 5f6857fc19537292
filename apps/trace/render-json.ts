/**
 * A path as one JSON object, a line of NDJSON for each target. Pure.
 *
 * Fields: target, address, protocol, source, interface, srcPorts (of the flows, in order), dstPort, complete (false:
 * interrupted), reached, elapsedMs, probes {sent, answered, lost, failed}, leftOut {forged, late: replies to this
 * target's probes; stale: to those of all targets so far, more than 6.5 s late}, failures, hops [{ttl, routers
 * [{address (null: nobody answered), name, flows (indexes of srcPorts), probes, answered, lossPercent, rttsMs
 * (ascending), mplsLabels [{label, exp, bottomOfStack, ttl}], answer {kind, …}, says (in words)}]}]. RTTs in ms.
 */
import { formatAddress } from "../../lib/ip/address.ts";
import { type HopNode, hopsOf, lossPercent } from "../../lib/paths/hops.ts";
import { kindInWords } from "../../lib/paths/words.ts";
import type { TraceView } from "./render-text.ts";
import { roundedMs } from "./rounded-ms.ts";

export function renderJson(view: TraceView): string {
  const { target, path, options } = view;
  return JSON.stringify({
    target: target.name,
    address: formatAddress(target.address),
    protocol: target.protocol,
    source: formatAddress(target.source),
    interface: target.interfaceName,
    srcPorts: Array.from({ length: options.flows }, (_, flow) => options.srcPort + flow),
    dstPort: options.protocol === "icmp" ? 0 : options.dstPort,
    complete: view.state === "complete",
    reached: path.reached(),
    elapsedMs: Math.round(view.elapsedMs),
    probes: path.totals(),
    leftOut: { ...view.leftOut, stale: view.staleReplies },
    failures: view.failures,
    hops: hopsOf(path, options.firstTtl).map(({ ttl, nodes }) => ({
      ttl,
      routers: nodes.map((node) => routerOf(node, view)),
    })),
  });
}

function routerOf(node: HopNode, { names }: TraceView) {
  const address = node.address === null ? null : formatAddress(node.address);
  return {
    address,
    name: address === null ? null : (names.get(address) ?? null),
    flows: node.flows,
    probes: node.probes,
    answered: node.answered,
    lossPercent: lossPercent(node),
    rttsMs: node.rttsMs.map(roundedMs),
    mplsLabels: node.labels,
    answer: node.kind,
    says: node.kind === null ? "" : kindInWords(node.kind),
  };
}
