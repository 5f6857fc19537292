/**
 * Hops as plain objects for JSON. Pure.
 *
 * [{ttl, routers [{address (null: nobody answered), name, flows (from 0), probes, answered, lossPercent, rttsMs
 * (ascending), mplsLabels [{label, exp, bottomOfStack, ttl}], answer {kind, …}, says (in words)}]}]
 */
import { formatAddress } from "../ip/address.ts";
import { type Hop, type HopNode, lossPercent } from "./hops.ts";
import { roundedMs } from "./rounded-ms.ts";
import { kindInWords } from "./words.ts";

/** `names` are of addresses, as far as they are known. */
export function hopsJson(hops: readonly Hop[], names: ReadonlyMap<string, string>) {
  return hops.map(({ ttl, nodes }) => ({ ttl, routers: nodes.map((node) => routerOf(node, names)) }));
}

function routerOf(node: HopNode, names: ReadonlyMap<string, string>) {
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
