/** A path of the simulated network, as data, and who on it answers a probe, how. */
import type { OutgoingProbe } from "../../../apps/probing/agent/engine/engine.ts";
import { address, familyOf } from "../../../lib/net/ip/address.ts";
import { ianaNumber } from "../../../lib/net/packet/probe.ts";
import { asSent, type MplsLabel, type Reply } from "../../../lib/net/packet/reply.ts";

interface Behaviour {
  /** Between probe and answer; without it, 1 ms for each hop. */
  readonly delayMs?: number;
  /** Loses the first of each so many answers. */
  readonly losesOneOf?: number;
  readonly labels?: readonly MplsLabel[];
  /** Answers with the right addresses and ports but a wrong tag. */
  readonly forges?: boolean;
  /** The quoted send time is not what was sent, as behind a NAT. */
  readonly rewritesTime?: boolean;
  /** Each answer comes twice. */
  readonly doubles?: boolean;
}

export interface SimulatedHop extends Behaviour {
  /** Source port modulo their number tells who answers; none: silent. */
  readonly routers: readonly string[];
  /** "Destination unreachable" with this code to all probes that come as far as this hop. */
  readonly refusesWithCode?: number;
}

export interface SimulatedPath {
  readonly target: string;
  readonly hops: readonly SimulatedHop[];
  /** How the target itself answers; null: not at all. */
  readonly answers: (Behaviour & { readonly openPort?: boolean }) | null;
  /** More hops before the target, for probes with odd source ports. */
  readonly detour?: readonly SimulatedHop[];
  /** Probes to it cannot leave. */
  readonly unroutable?: boolean;
  /** Probes to it are taken and never leave. */
  readonly stuck?: boolean;
}

/** One answer to one probe, but for its times. */
export interface Answerer {
  readonly delayMs: number;
  readonly copies: number;
  readonly forges: boolean;
  readonly rewritesTime: boolean;
  readonly tagMask: bigint;
  readonly fields: Omit<Reply, "timeReceivedNs" | "agentId" | "rttTenthMs" | "rttUs">;
}

const wholeTag = 0xffff_ffff_ffff_ffffn;
const synAck = 0x12;
const rstAck = 0x14;

/** Null when nobody answers. `answersOfHop` counts the answers of each hop, over all probes. */
export function answerOf(
  path: SimulatedPath,
  probe: OutgoingProbe,
  answersOfHop: Map<string, number>,
): Answerer | null {
  const detour = probe.srcPort % 2 === 1 ? (path.detour ?? []) : [];
  const way = [...path.hops, ...detour].slice(0, probe.ttl);
  const refusal = way.findIndex(({ refusesWithCode }) => refusesWithCode !== undefined);
  const place = refusal >= 0 ? refusal + 1 : probe.ttl;
  const hop = way[place - 1];
  const behaviour = hop ?? path.answers;
  if (behaviour === null || (hop !== undefined && hop.routers.length === 0)) {
    return null;
  }
  const counter = `${path.target} ${hop === undefined ? "target" : place}`;
  const count = answersOfHop.get(counter) ?? 0;
  answersOfHop.set(counter, count + 1);
  if (behaviour.losesOneOf !== undefined && count % behaviour.losesOneOf === 0) {
    return null;
  }
  const distance = hop === undefined ? path.hops.length + detour.length + 1 : place;
  return {
    delayMs: behaviour.delayMs ?? distance,
    copies: behaviour.doubles === true ? 2 : 1,
    forges: behaviour.forges === true,
    rewritesTime: behaviour.rewritesTime === true,
    tagMask: hop === undefined && probe.protocol === "tcp" ? 0xff_0000n : wholeTag,
    fields: hop === undefined ? targetFields(path, probe) : hopFields(path, hop, probe),
  };
}

function hopFields(path: SimulatedPath, hop: SimulatedHop, probe: OutgoingProbe): Answerer["fields"] {
  const router = hop.routers[probe.srcPort % hop.routers.length] ?? path.target;
  const ipv4 = familyOf(probe.dst) === 4;
  const exceeded = ipv4 ? 11 : 3;
  const type = hop.refusesWithCode === undefined ? exceeded : ipv4 ? 3 : 1;
  const labels = hop.labels ?? [];
  return { ...icmpFields(router, probe, type, hop.refusesWithCode ?? 0), replyMplsLabels: labels };
}

function targetFields(path: SimulatedPath, probe: OutgoingProbe): Answerer["fields"] {
  const ipv4 = familyOf(probe.dst) === 4;
  if (probe.protocol === "udp") {
    return icmpFields(path.target, probe, ipv4 ? 3 : 1, ipv4 ? 3 : 4);
  }
  if (probe.protocol === "tcp") {
    const flags = path.answers?.openPort === true ? synAck : rstAck;
    return { ...icmpFields(path.target, probe, 0, flags), replyProtocol: ianaNumber.tcp };
  }
  return { ...icmpFields(path.target, probe, ipv4 ? 0 : 129, 0), probeDstPort: 0 };
}

function icmpFields(from: string, probe: OutgoingProbe, type: number, code: number): Answerer["fields"] {
  const ipv4 = familyOf(probe.dst) === 4;
  const isIcmp = probe.protocol === "icmp" || probe.protocol === "icmpv6";
  return {
    replySrcAddr: address(from),
    replyDstAddr: probe.src,
    replyId: 0,
    replySize: 56,
    replyTtl: 64,
    replyQuotedTtl: 1,
    replyProtocol: ipv4 ? ianaNumber.icmp : ianaNumber.icmpv6,
    replyIcmpType: type,
    replyIcmpCode: code,
    replyMplsLabels: [],
    probeSrcAddr: probe.src,
    probeDstAddr: probe.dst,
    probeId: 0,
    probeSize: 40 + probe.ttl,
    probeTtl: probe.ttl,
    probeProtocol: ianaNumber[probe.protocol],
    probeSrcPort: probe.srcPort,
    probeDstPort: isIcmp ? 0 : probe.dstPort,
    replyQuotedTrafficClass: 0,
    replyNextHopMtu: 0,
    replyQuotedFlowLabel: 0,
    replySite: "",
    ...asSent,
  };
}
