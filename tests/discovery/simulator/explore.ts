/** Runs a strategy on a simulated network until it is done, and counts its probes and the links that it found. */
import {
  type DiamondMinerOptions,
  diamondMinerFlows,
  firstRoundFlows,
  roundsMax,
} from "../../../lib/discovery/diamond-miner.ts";
import type { TraceReply } from "../../../lib/discovery/links.ts";
import { type MdaOptions, mdaProbes, probeKey } from "../../../lib/discovery/mda.ts";
import { type SharedOptions, type SharedReply, sharedProbes } from "../../../lib/discovery/shared.ts";
import type { ToyInternet } from "./toy-internet.ts";

interface Explored {
  readonly probes: number;
  /** As `near>far`. */
  readonly links: ReadonlySet<string>;
}

type AnswerFunction = (flow: number, ttl: number) => number | null;

/** @param ttlMax of the first round, which probes every TTL */
export function exploreDiamondMiner(
  answer: AnswerFunction,
  ttlMax: number,
  options: DiamondMinerOptions,
): Explored {
  const replies: TraceReply[] = [];
  const sent = new Map<number, number>();
  let probes = 0;
  const sendTo = (ttl: number, count: number) => {
    for (let flow = sent.get(ttl) ?? 0; flow < count; flow++) {
      probes++;
      const node = answer(flow, ttl);
      if (node !== null) {
        replies.push({ flow, ttl, node });
      }
    }
    sent.set(ttl, Math.max(count, sent.get(ttl) ?? 0));
  };
  for (let ttl = 1; ttl <= ttlMax; ttl++) {
    sendTo(ttl, firstRoundFlows);
  }
  for (let round = 1, before = 0; round < roundsMax && probes > before; round++) {
    before = probes;
    for (const [ttl, count] of diamondMinerFlows(replies, sent, options)) {
      sendTo(ttl, count);
    }
  }
  return { probes, links: linksOf(replies) };
}

export function exploreMda(answer: AnswerFunction, options: MdaOptions): Explored {
  const replies: TraceReply[] = [];
  const sent = new Set<string>();
  for (
    let next = mdaProbes(replies, sent, options);
    next.length > 0;
    next = mdaProbes(replies, sent, options)
  ) {
    for (const { flow, ttl } of next) {
      sent.add(probeKey(flow, ttl));
      const node = answer(flow, ttl);
      if (node !== null) {
        replies.push({ flow, ttl, node });
      }
    }
  }
  return { probes: sent.size, links: linksOf(replies) };
}

/** One routed prefix with its subnets. */
export function exploreShared(
  net: ToyInternet,
  subnets: readonly number[],
  options: SharedOptions,
): Explored {
  const replies: SharedReply[] = [];
  const attempts = new Map<string, number>();
  for (let next = sharedProbes(replies, subnets, options); next.length > 0; ) {
    for (const probe of next) {
      const key = `${probe.subnet}/${probe.flow}/${probe.ttl}`;
      const attempt = attempts.get(key) ?? 0;
      attempts.set(key, attempt + 1);
      replies.push({ ...probe, node: net.reply(probe.subnet, probe.flow, probe.ttl, attempt) });
    }
    next = sharedProbes(replies, subnets, options);
  }
  const links = new Set(
    subnets.flatMap((subnet) => [...linksOf(replies.filter((r) => r.subnet === subnet))]),
  );
  return { probes: replies.length, links };
}

function linksOf(
  replies: Iterable<{ readonly flow: number; readonly ttl: number; readonly node: number | null }>,
) {
  const nodes = new Map<string, number>();
  const all = [...replies];
  for (const { flow, ttl, node } of all) {
    if (node !== null) {
      nodes.set(probeKey(flow, ttl), node);
    }
  }
  const links = new Set<string>();
  for (const { flow, ttl, node } of all) {
    const far = nodes.get(probeKey(flow, ttl + 1));
    if (node !== null && far !== undefined) {
      links.add(`${node}>${far}`);
    }
  }
  return links;
}
