/**
 * Hops as plain objects for JSON. Pure.
 *
 * [{ttl, routers [{address (null: no reply), name, further members, flows (from 0), probes, answered, loss_percent,
 * rtt_min_ms … rtt_jitter_ms (rtt-columns.ts; null without a reply), rtt_samples_ms (ascending), mpls_labels [{label,
 * exp, bottom_of_stack, ttl}], answer {kind, …}, says (in words), and of whole replies: quoted_traffic_classes,
 * next_hop_mtus, rewritten (names of what is quoted otherwise than it was sent), quoted_sources, and sites of a name
 * server}]}]
 */
import { formatAddress } from "../../net/ip/address.ts";
import type { MplsLabel } from "../../net/packet/reply.ts";
import { type Hop, type HopNode, lossPercent } from "./hops.ts";
import { rewrittenNames } from "./rewriting.ts";
import { roundedMs } from "./rounded-ms.ts";
import { type RttName, rttColumns } from "./rtt-columns.ts";
import { kindInWords } from "./words.ts";

/** Further members of a router; a null address = no reply. */
type Members = (address: string | null, node: HopNode) => Readonly<Record<string, unknown>>;

export function hopsJson(hops: readonly Hop[], members: Members = () => ({})) {
  return hops.map(({ ttl, nodes, moreRouters }) => ({
    ttl,
    routers: nodes.map((node) => routerOf(node, members)),
    ...(moreRouters === undefined ? {} : { more_routers: moreRouters }),
  }));
}

type RttJson = Readonly<Record<RttName, number | null>>;

function routerOf(node: HopNode, members: Members) {
  const address = node.address === null ? null : formatAddress(node.address);
  return {
    address,
    name: null as string | null,
    ...members(address, node),
    flows: node.flows,
    probes: node.probes,
    answered: node.answered,
    loss_percent: lossPercent(node),
    ...(Object.fromEntries(rttColumns.map(({ name, value }) => [name, value(node.rtt)])) as RttJson),
    rtt_samples_ms: node.samplesMs.map(roundedMs),
    mpls_labels: node.labels.map(labelJson),
    answer: node.kind,
    says: node.kind === null ? "" : kindInWords(node.kind),
    ...(node.quoted === undefined
      ? {}
      : {
          quoted_traffic_classes: node.quoted.trafficClasses,
          next_hop_mtus: node.quoted.nextHopMtus,
          rewritten: rewrittenNames(node.quoted.rewriting.bits),
          quoted_sources: node.quoted.rewriting.sources,
        }),
    ...(node.sites === undefined ? {} : { sites: node.sites }),
  };
}

function labelJson({ label, exp, bottomOfStack, ttl }: MplsLabel) {
  return { label, exp, bottom_of_stack: bottomOfStack, ttl };
}
