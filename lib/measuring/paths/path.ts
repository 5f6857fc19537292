/** The known part of the path to one target: each probe, its outcome, and where to stop. Pure. */
import { type Address, sameAddress } from "../../net/ip/address.ts";
import { type AnswerKind, isDestinationsKind, isRefusal } from "../../net/packet/answer-kind.ts";
import type { MplsLabel, Reply } from "../../net/packet/reply.ts";
import type { ProbeTotals } from "./probe-totals.ts";

export interface ProbeAnswer {
  readonly from: Address;
  /** Null if the send time is ambiguous: several probes in flight behind a NAT that rewrites their time. */
  readonly rttMs: number | null;
  readonly labels: readonly MplsLabel[];
  readonly kind: AnswerKind;
  /** The whole reply, if known. */
  readonly reply?: Reply;
}

export type Outcome = ProbeAnswer | "lost" | "failed";

/** A probe's departure. */
interface Sent {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Null if unknown. */
  readonly source: Address | null;
}

/** The probes of one flow with one TTL, in the order of their queries. */
export interface Cell {
  readonly flow: number;
  readonly ttl: number;
  readonly sent: number;
  readonly outcomes: readonly Outcome[];
}

/** Collects the outcomes of the probes to one target. Flows are numbered from 0, queries too. */
export class Path {
  readonly target: Address;
  readonly flows: number;
  readonly #cells = new Map<string, { sent: number; readonly outcomes: Outcome[] }>();
  readonly #endOfFlow = new Map<number, number>();
  readonly #firstSent = new Map<number, Sent>();
  readonly #lastAnsweredOfFlow = new Map<number, number>();
  #lastAnsweredTtl = 0;

  constructor(target: Address, flows: number) {
    this.target = target;
    this.flows = flows;
  }

  markSent(flow: number, ttl: number, sent: Sent): void {
    this.#cell(flow, ttl).sent++;
    if (!this.#firstSent.has(flow)) {
      this.#firstSent.set(flow, sent);
    }
  }

  /** The first probe of a flow; null before it. */
  firstSent(flow: number): Sent | null {
    return this.#firstSent.get(flow) ?? null;
  }

  record(flow: number, ttl: number, outcome: Outcome): void {
    this.#cell(flow, ttl).outcomes.push(outcome);
    if (typeof outcome === "string") {
      return;
    }
    this.#lastAnsweredTtl = Math.max(this.#lastAnsweredTtl, ttl);
    this.#lastAnsweredOfFlow.set(flow, Math.max(this.#lastAnsweredOfFlow.get(flow) ?? 0, ttl));
    if (isTargets(outcome, this.target) || isRefusal(outcome.kind)) {
      this.#endOfFlow.set(flow, Math.min(ttl, this.endOfFlow(flow)));
    }
  }

  /** The TTL at which a flow ends: at the target, or where a router refuses it; Infinity while it continues. */
  endOfFlow(flow: number): number {
    return this.#endOfFlow.get(flow) ?? Number.POSITIVE_INFINITY;
  }

  /** Each flow's end, as `endOfFlow`. */
  ends(): number[] {
    return Array.from({ length: this.flows }, (_, flow) => this.endOfFlow(flow));
  }

  /** The highest TTL with a reply; 0 before the first. */
  get lastAnsweredTtl(): number {
    return this.#lastAnsweredTtl;
  }

  /** The highest TTL of the path with a reply, without those beyond a flow's end; 0 before the first. */
  lastHopTtl(): number {
    const ofFlows = [...this.#lastAnsweredOfFlow].map(([flow, ttl]) => Math.min(ttl, this.endOfFlow(flow)));
    return Math.max(0, ...ofFlows);
  }

  /**
   * The outcome of one flow's probes with one TTL.
   *
   * An open TCP port replies to a flow's first SYN and treats later ones as strays of the same connection (RFC 9293
   * s.3.10.7.4), so later ones without a reply are not counted as lost.
   */
  cell(flow: number, ttl: number): Cell {
    const { sent, outcomes } = this.#cells.get(key(flow, ttl)) ?? { sent: 0, outcomes: [] };
    return {
      flow,
      ttl,
      sent,
      outcomes: isOpenPort(outcomes) ? outcomes.filter((outcome) => outcome !== "lost") : outcomes,
    };
  }

  /** The cells of a hop, without those beyond the end of their flow: these are not part of the path. */
  cellsOfHop(ttl: number): Cell[] {
    const flows = Array.from({ length: this.flows }, (_, flow) => flow);
    return flows
      .filter((flow) => ttl <= this.endOfFlow(flow))
      .map((flow) => this.cell(flow, ttl))
      .filter(({ sent }) => sent > 0);
  }

  /** The last TTL worth showing: where the last flow ends, or the last hop that replied. */
  lastTtl(): number {
    const longest = Math.max(...this.ends());
    return Number.isFinite(longest) ? longest : this.#lastAnsweredTtl;
  }

  reached(): boolean {
    return this.answers().some((answer) => isTargets(answer, this.target));
  }

  answers(): ProbeAnswer[] {
    return [...this.#cells.values()].flatMap(({ outcomes }) =>
      outcomes.filter((outcome) => typeof outcome !== "string"),
    );
  }

  totals(): ProbeTotals {
    const cells = [...this.#cells.values()];
    const outcomes = cells.flatMap((cell) => cell.outcomes);
    const failed = outcomes.filter((outcome) => outcome === "failed").length;
    const lost = outcomes.filter((outcome) => outcome === "lost").length;
    const answered = outcomes.length - failed - lost;
    const sent = cells.reduce((sum, cell) => sum + cell.sent, 0) - failed;
    return { sent, answered, lost, unawaited: sent - answered - lost, failed };
  }

  #cell(flow: number, ttl: number) {
    const name = key(flow, ttl);
    const cell = this.#cells.get(name) ?? { sent: 0, outcomes: [] };
    this.#cells.set(name, cell);
    return cell;
  }
}

/**
 * Whether the target itself replied: from its address, or from another of its own with a reply that no router sends in
 * its place. Replies of either kind have passed the tag check.
 */
export function isTargets({ from, kind }: Pick<ProbeAnswer, "from" | "kind">, target: Address): boolean {
  return sameAddress(from, target) || isDestinationsKind(kind);
}

export function isOpenPort(outcomes: readonly Outcome[]): boolean {
  return outcomes.some((outcome) => typeof outcome !== "string" && outcome.kind.kind === "syn_ack");
}

function key(flow: number, ttl: number): string {
  return `${flow}/${ttl}`;
}
