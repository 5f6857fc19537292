/**
 * A path as one JSON object, a line of NDJSON for each target. Pure.
 *
 * Fields: target, address, protocol, agent (only where one of a gateway's probes), source, interface (null for an
 * agent's), srcPorts (of the flows, in order), dstPort, complete (false:
 * interrupted), reached, elapsedMs, probes {sent, answered, lost, failed}, leftOut {forged, late: replies to this
 * target's probes; stale: to those of all targets so far, more than 6.5 s late}, failures, hops (hops-json.ts; its
 * flows are indexes of srcPorts). RTTs in ms.
 */
import { formatAddress } from "../../lib/ip/address.ts";
import { hopsOf } from "../../lib/paths/hops.ts";
import { hopsJson } from "../../lib/paths/hops-json.ts";
import type { TraceView } from "./render-text.ts";

export function renderJson(view: TraceView): string {
  const { target, path, options, agent } = view;
  return JSON.stringify({
    target: target.name,
    address: formatAddress(target.address),
    protocol: target.protocol,
    ...(agent === undefined ? {} : { agent }),
    source: target.source === null ? null : formatAddress(target.source),
    interface: target.interfaceName,
    srcPorts: Array.from({ length: options.flows }, (_, flow) => options.srcPort + flow),
    dstPort: options.protocol === "icmp" ? 0 : options.dstPort,
    complete: view.state === "complete",
    reached: path.reached(),
    elapsedMs: Math.round(view.elapsedMs),
    probes: path.totals(),
    leftOut: { ...view.leftOut, stale: view.staleReplies },
    failures: view.failures,
    hops: hopsJson(hopsOf(path, options.firstTtl), view.names),
  });
}
