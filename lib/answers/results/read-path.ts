/** A path from a row of the store (paths-query.ts). Pure. */
import * as v from "valibot";
import type { Hop, HopNode } from "../../measuring/paths/hops.ts";
import type { RttSummary } from "../../measuring/paths/rtt-summary.ts";
import { formatAddress } from "../../net/ip/address.ts";
import { answerKindOf } from "../../net/packet/answer-kind.ts";
import { ianaNumber, protocols } from "../../net/packet/probe.ts";
import { asPathSchema } from "../enrich/path-context.ts";

const number = v.number();
const numbers = v.array(number);
const hexAddress = v.pipe(v.string(), v.regex(/^[\dA-F]{32}$/));

/**
 * TTL, first flow, router, flows, answered, lost; in tenths of a millisecond, with fractions, the lowest, p10, median,
 * p90, highest, mean, standard deviation, sum of steps and their number, or nothing; samples; protocol, ICMP type and
 * code of the last reply; MPLS labels.
 */
const nodeSchema = v.strictTuple([
  number,
  number,
  v.nullable(hexAddress),
  numbers,
  number,
  number,
  numbers,
  numbers,
  number,
  number,
  number,
  v.array(v.strictTuple([number, number, number, number])),
]);

/** Whether the replies quote the probe; traffic class, MTU, rewritten bits, source or nothing, and site or nothing. */
const markSchema = v.strictTuple([number, number, number, number, v.string(), v.string()]);

export const pathRowSchema = v.object({
  agent: v.string(),
  target: hexAddress,
  /** IANA number. */
  protocol: number,
  /** Source port, destination port, and end: 0 = none. */
  flowEnds: v.array(v.strictTuple([number, number, number])),
  /** 0 or 1; null without a reply. */
  isReached: v.nullable(number),
  known: number,
  answeredProbes: number,
  /** Further replies to probes that were already answered. */
  copies: v.optional(number, 0),
  firstTtl: number,
  /** 0 without a reply. */
  lastAnsweredTtl: number,
  /** By TTL, first flow and router. */
  nodes: v.array(nodeSchema),
  /** What the replies of each node quote: distinct ones; absent in rows of older gateways. */
  marks: v.optional(v.array(v.array(markSchema))),
  /** TTLs, and how many nodes each has; absent in rows of older gateways. */
  hopNodes: v.optional(v.strictTuple([numbers, numbers])),
  /**
   * One for each node; when the path is drawn, they are replaced by the context of its routers, by address.
   */
  context_keys: v.optional(v.array(v.string())),
  owners: v.optional(v.record(v.string(), v.nullable(number))),
  as_paths: v.optional(v.array(asPathSchema)),
  routers: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
});
export type PathRow = v.InferOutput<typeof pathRowSchema>;
type NodeRow = PathRow["nodes"][number];
type Mark = v.InferOutput<typeof markSchema>;

export type MeasuredPath = ReturnType<typeof measuredPath>;

export function measuredPath(row: PathRow) {
  const { agent, known: submitted, answeredProbes: answered, copies: duplicates } = row;
  // In the order of their ports; the flows of a hop are indexes of them.
  const flows = row.flowEnds.map(([srcPort, dstPort, end]) => ({
    srcPort,
    // 0 for ICMP.
    dstPort,
    // Where it ends: at the target, or at a router that refuses it; null without either.
    endTtl: end === 0 ? null : end,
  }));
  const longest = flows.reduce(
    (most, { endTtl }) => Math.max(most, endTtl ?? Number.POSITIVE_INFINITY),
    -Infinity,
  );
  return {
    /** The agent that sent the probes, if known, else the one that captured the replies. */
    agent,
    target: Uint8Array.fromHex(row.target),
    protocol: protocols.find((protocol) => ianaNumber[protocol] === row.protocol) ?? "udp",
    flows,
    /** Whether the target itself has replied. */
    reached: row.isReached === 1,
    /**
     * Copies of a reply count as one, and are the duplicates; for probes whose submission is not in the store, only the
     * answered ones are known.
     */
    probes: { submitted, answered, lost: submitted - answered, duplicates },
    hops: hopsOf(row, Number.isFinite(longest) ? longest : row.lastAnsweredTtl),
  };
}

/** From the first TTL to the last one worth showing: where the last flow ends, or the last hop that replied. */
function hopsOf(row: PathRow, lastTtl: number): Hop[] {
  const { nodes, firstTtl, context_keys: keys = [], marks = [], hopNodes: [ttls, counts] = [[], []] } = row;
  const countOf = new Map(ttls.map((ttl, i) => [ttl, counts[i] ?? 0]));
  const keyed = nodes.map((node, i) => ({ node, contextKey: keys[i] ?? "", marks: marks[i] ?? [] }));
  const known = Map.groupBy(keyed, ({ node: [ttl] }) => ttl);
  return Array.from({ length: Math.max(0, lastTtl - firstTtl + 1) }, (_, i) => {
    const ttl = firstTtl + i;
    const own = known.get(ttl)?.map(({ node, marks: own, contextKey }) => {
      return { ...nodeOf(node), ...markedOf(own), contextKey };
    }) ?? [nobody];
    const moreRouters = Math.max(0, (countOf.get(ttl) ?? 0) - own.length);
    return { ttl, nodes: own, ...(moreRouters === 0 ? {} : { moreRouters }) };
  });
}

const nobody: HopNode = {
  ...{ address: null, flows: [], probes: 0, answered: 0 },
  ...{ rtt: null, samplesMs: [], labels: [], kind: null },
};

function nodeOf(row: NodeRow): HopNode {
  const [, , router, flows, answered, lost, figures, samples, replyProtocol, icmpType, icmpCode, labels] =
    row;
  const reply = { replyProtocol, replyIcmpType: icmpType, replyIcmpCode: icmpCode };
  return {
    address: router === null ? null : Uint8Array.fromHex(router),
    flows,
    probes: answered + lost,
    answered,
    rtt: summaryOf(figures),
    samplesMs: samples.map(wholeUsMs),
    labels: labels.map(([label, exp, bottom, ttl]) => ({ label, exp, bottomOfStack: bottom !== 0, ttl })),
    kind: router === null ? null : answerKindOf(reply),
  };
}

/** As of replies that are known whole: lib/measuring/paths/hops.ts. */
function markedOf(marks: readonly Mark[]): Pick<HopNode, "quoted" | "sites"> {
  const quoting = marks.filter(([isQuote]) => isQuote !== 0);
  const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
  const sites = [...new Set(marks.map((mark) => mark[5]))].filter((site) => site !== "");
  const sources = quoting.flatMap((mark) =>
    mark[4] === "" ? [] : [formatAddress(Uint8Array.fromHex(mark[4]))],
  );
  const quoted = {
    trafficClasses: ascending(quoting.map((mark) => mark[1])),
    nextHopMtus: ascending(quoting.map((mark) => mark[2])).filter((mtu) => mtu > 0),
    rewriting: {
      bits: quoting.reduce((bits, mark) => bits | mark[3], 0),
      sources: [...new Set(sources)].sort(),
    },
  };
  return { ...(quoting.length === 0 ? {} : { quoted }), ...(sites.length === 0 ? {} : { sites }) };
}

/** From tenths of a millisecond, to whole microseconds. */
function summaryOf([
  min,
  p10,
  median,
  p90,
  max,
  mean,
  deviation,
  steps,
  stepCount,
]: NodeRow[6]): RttSummary | null {
  const ms = (tenthMs: number | undefined) => wholeUsMs(tenthMs ?? 0);
  return min === undefined
    ? null
    : {
        minMs: ms(min),
        p10Ms: ms(p10),
        medianMs: ms(median),
        p90Ms: ms(p90),
        maxMs: ms(max),
        meanMs: ms(mean),
        standardDeviationMs: ms(deviation),
        jitterMs: stepCount === undefined || stepCount === 0 ? null : ms((steps ?? 0) / stepCount),
      };
}

/** Milliseconds, to whole microseconds. */
function wholeUsMs(tenthMs: number): number {
  return Math.round(100 * tenthMs) / 1000;
}
