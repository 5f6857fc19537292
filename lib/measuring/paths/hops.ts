/** The path by hop: which routers replied, on which flows, how fast and how often. Pure. */
import { type Address, formatAddress } from "../../net/ip/address.ts";
import { type AnswerKind, isDestinationsKind } from "../../net/packet/answer-kind.ts";
import type { MplsLabel } from "../../net/packet/reply.ts";
import type { Cell, Path, ProbeAnswer } from "./path.ts";
import { rewritingOf, type SeenRewriting } from "./rewriting.ts";
import { type RttSummary, rttSummary } from "./rtt-summary.ts";

export interface HopNode {
  /** Null = flows without a reply. */
  readonly address: Address | null;
  /** Ascending, from 0. */
  readonly flows: readonly number[];
  /** Probes with a known outcome. */
  readonly probes: number;
  readonly answered: number;
  /** Over all replies with a known time; null without any. */
  readonly rtt: RttSummary | null;
  /** Some round-trip times, ascending: all of them, or a random sample. */
  readonly samplesMs: readonly number[];
  readonly labels: readonly MplsLabel[];
  /** Kind of the last reply. */
  readonly kind: AnswerKind | null;
  /** From replies that are known whole; absent without any. */
  readonly quoted?: QuotedMarks;
  /** What a name server's sites call themselves, in the order of their replies; absent without any. */
  readonly sites?: readonly string[];
  /** Day of its last reply, and its address, if context is requested: `2026-11-22 192.0.2.1`. */
  readonly contextKey?: string;
}

/** What a router's errors quote and report: distinct values, ascending. */
interface QuotedMarks {
  /** The probes' own as it received them: traffic-class.ts. */
  readonly trafficClasses: readonly number[];
  /** Bytes that its next hop takes. */
  readonly nextHopMtus: readonly number[];
  /** What NATs have made of them. */
  readonly rewriting: SeenRewriting;
}

export interface Hop {
  readonly ttl: number;
  /** In the order of their first flow, then of their address, silence last; never empty. */
  readonly nodes: readonly HopNode[];
  /** Further responding routers that a limit has left out. */
  readonly moreRouters?: number;
}

interface Growing {
  readonly flows: Set<number>;
  /** One list for each flow, in order of arrival. */
  readonly answers: ProbeAnswer[][];
  probes: number;
  readonly address: Address | null;
}

/** The hops from `firstTtl` to the last one worth showing. */
export function hopsOf(path: Path, firstTtl: number): Hop[] {
  const count = Math.max(0, path.lastTtl() - firstTtl + 1);
  return Array.from({ length: count }, (_, i) => hopOf(firstTtl + i, path.cellsOfHop(firstTtl + i)));
}

/**
 * Cells are in the order of their flows, and so are each node's flows.
 *
 * A flow belongs to the router that replied to it, and its lost probes count against that router. If several replied to
 * one flow (per-packet load balancing), they count against the one with most replies, and among equals against the
 * lowest address.
 */
function hopOf(ttl: number, cells: readonly Cell[]): Hop {
  const nodes = new Map<string, Growing>();
  for (const cell of cells.filter(({ outcomes }) => outcomes.length > 0)) {
    const answers = cell.outcomes.filter((outcome) => typeof outcome !== "string");
    const own = [...Map.groupBy(answers, ({ from }) => formatAddress(from)).values()];
    for (const replies of own) {
      const node = nodeAt(nodes, replies[0]?.from ?? null);
      node.flows.add(cell.flow);
      node.answers.push(replies);
      node.probes += replies.length;
    }
    const [most] = own.toSorted((a, b) => b.length - a.length || compare(a[0]?.from, b[0]?.from));
    const owner = nodeAt(nodes, most?.[0]?.from ?? null);
    owner.flows.add(cell.flow);
    owner.probes += cell.outcomes.length - answers.length;
  }
  if (nodes.size === 0) {
    nodeAt(nodes, null);
  }
  return { ttl, nodes: [...nodes.values()].map(toNode).sort(inOrder) };
}

function nodeAt(nodes: Map<string, Growing>, address: Address | null): Growing {
  const name = address === null ? "" : formatAddress(address);
  const node = nodes.get(name) ?? { address, flows: new Set(), answers: [], probes: 0 };
  nodes.set(name, node);
  return node;
}

function inOrder(a: HopNode, b: HopNode): number {
  return (a.flows[0] ?? 0) - (b.flows[0] ?? 0) || compare(a.address, b.address);
}

/** Compares as numbers; null sorts last. */
function compare(a: Address | null | undefined, b: Address | null | undefined): number {
  if (a == null || b == null) {
    return Number(a == null) - Number(b == null);
  }
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function toNode({ address, flows, answers, probes }: Growing): HopNode {
  const rttsMs = answers.map((own) => own.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs])));
  const all = answers.flat();
  const quoted = marksOf(all);
  const sites = [...new Set(all.map(({ reply }) => reply?.replySite ?? ""))].filter((site) => site !== "");
  return {
    address,
    flows: [...flows],
    probes,
    answered: all.length,
    rtt: rttSummary(rttsMs),
    samplesMs: rttsMs.flat().sort((a, b) => a - b),
    labels: all.findLast(({ labels }) => labels.length > 0)?.labels ?? [],
    kind: all.at(-1)?.kind ?? null,
    ...(quoted === null ? {} : { quoted }),
    ...(sites.length === 0 ? {} : { sites }),
  };
}

/** Null where no reply quotes a probe. */
function marksOf(answers: readonly ProbeAnswer[]): QuotedMarks | null {
  const quoting = answers.flatMap(({ reply, kind }) =>
    reply === undefined || isDestinationsKind(kind) ? [] : [reply],
  );
  if (quoting.length === 0) {
    return null;
  }
  const distinct = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
  return {
    trafficClasses: distinct(quoting.map(({ replyQuotedTrafficClass }) => replyQuotedTrafficClass)),
    nextHopMtus: distinct(quoting.map(({ replyNextHopMtu }) => replyNextHopMtu).filter((mtu) => mtu > 0)),
    rewriting: rewritingOf(quoting),
  };
}

export function lossPercent({ probes, answered }: { probes: number; answered: number }): number {
  return probes === 0 ? 0 : (100 * (probes - answered)) / probes;
}
