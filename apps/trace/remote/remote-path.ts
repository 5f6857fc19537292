/** The results so far of one agent's probes to one target. Pure. */
import type { Address } from "../../../lib/ip/address.ts";
import { answerKindOf, type Outcome, Path } from "../../../lib/paths/path.ts";
import type { StoredReply } from "../../../lib/results/stored-reply.ts";
import { rttMsOf } from "../../../lib/results/stored-reply.ts";
import { silentHopsMax } from "../limits.ts";
import type { NamedTarget } from "../target.ts";

interface FlowCell {
  readonly flow: number;
  readonly ttl: number;
}

export class RemotePath {
  readonly agent: string;
  readonly target: NamedTarget;
  readonly path: Path;
  /** Null before the first answer. */
  source: Address | null = null;
  /** Answers to probes that were answered before. */
  repeated = 0;
  /** Changes whenever there is something new to show. */
  version = 0;
  /** When the first probe with each TTL was known to be sent. */
  readonly #sentAtMs = new Map<number, number>();

  constructor(agent: string, target: NamedTarget, flows: number) {
    this.agent = agent;
    this.target = target;
    this.path = new Path(target.address, flows);
  }

  markSent({ flow, ttl }: FlowCell, nowMs: number): void {
    this.path.markSent(flow, ttl);
    this.version++;
    if (!this.#sentAtMs.has(ttl)) {
      this.#sentAtMs.set(ttl, nowMs);
    }
  }

  /** Null when there are already as many answers as probes. */
  take({ flow, ttl }: FlowCell, { reply }: StoredReply): Outcome | null {
    this.source = reply.probeSrcAddr;
    this.version++;
    const { sent, outcomes } = this.path.cell(flow, ttl);
    if (outcomes.length >= sent) {
      this.repeated++;
      return null;
    }
    const outcome = {
      from: reply.replySrcAddr,
      rttMs: rttMsOf(reply.rttTenthMs),
      labels: reply.replyMplsLabels,
      kind: answerKindOf(reply),
    };
    this.path.record(flow, ttl, outcome);
    return outcome;
  }

  /** True when every flow has ended, at the target or at a router that refuses it, or answers have stopped. */
  isKnown(nowMs: number, patienceMs: number): boolean {
    const flows = Array.from({ length: this.path.flows }, (_, flow) => flow);
    if (flows.every((flow) => Number.isFinite(this.path.endOfFlow(flow)))) {
      return true;
    }
    const beyondAtMs = this.#sentAtMs.get(this.path.lastAnsweredTtl + silentHopsMax);
    return beyondAtMs !== undefined && nowMs - beyondAtMs > patienceMs;
  }

  /** Marks unanswered probes as lost; call it once, at the end. */
  finish(): void {
    for (const ttl of this.#sentAtMs.keys()) {
      for (let flow = 0; flow < this.path.flows; flow++) {
        const { sent, outcomes } = this.path.cell(flow, ttl);
        for (let missing = sent - outcomes.length; missing > 0; missing--) {
          this.path.record(flow, ttl, "lost");
        }
      }
    }
    this.version++;
  }
}
