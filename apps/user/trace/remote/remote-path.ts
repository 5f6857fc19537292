/** The results so far of one agent's probes to one target. Pure. */
import type { StoredReply } from "../../../../lib/answers/results/stored-reply.ts";
import { rttMsOf } from "../../../../lib/answers/results/stored-reply.ts";
import { type Outcome, Path } from "../../../../lib/measuring/paths/path.ts";
import type { Address } from "../../../../lib/net/ip/address.ts";
import { answerKindOf } from "../../../../lib/net/packet/answer-kind.ts";
import { rttUnknownTenthMs } from "../../../../lib/net/packet/reply.ts";
import { tickOfNs } from "../../../../lib/net/packet/time-code.ts";
import type { NamedTarget } from "../target.ts";

interface FlowCell {
  readonly flow: number;
  readonly ttl: number;
}

interface RemotePathParts {
  readonly agent: string;
  readonly target: NamedTarget;
  readonly flows: number;
  /** Null leaves it to the agent. */
  readonly requestedSource: Address | null;
}

export class RemotePath {
  readonly agent: string;
  readonly target: NamedTarget;
  readonly path: Path;
  /** Null before the first answer. */
  source: Address | null = null;
  /** Whether another agent has received an answer, as of an anycast source. */
  isShared = false;
  /** Answers to probes that were answered before. */
  repeated = 0;
  /** Changes whenever there is something new to show. */
  version = 0;
  /** When the last probe was known to be sent. */
  newsAtMs = Number.NEGATIVE_INFINITY;
  readonly #requestedSource: Address | null;
  #isFinished = false;
  readonly #sentTtls = new Set<number>();
  /** Flow, TTL and send tick of the answered probes: copies of an answer have the same. */
  readonly #answeredTicks = new Set<string>();

  constructor({ agent, target, flows, requestedSource }: RemotePathParts) {
    this.#requestedSource = requestedSource;
    this.agent = agent;
    this.target = target;
    this.path = new Path(target.address, flows);
  }

  markSent({ flow, ttl }: FlowCell, nowMs: number): void {
    this.path.markSent(flow, ttl, { atMs: nowMs, source: this.#requestedSource });
    this.version++;
    this.newsAtMs = nowMs;
    this.#sentTtls.add(ttl);
  }

  /** Null for a copy of an answer, and when there are already as many answers as probes. */
  take({ flow, ttl }: FlowCell, { reply, probeAgent }: StoredReply): Outcome | null {
    this.source = reply.probeSrcAddr;
    this.isShared ||= probeAgent !== "" && probeAgent !== reply.agentId;
    this.version++;
    const { sent, outcomes } = this.path.cell(flow, ttl);
    const isKnown = reply.rttTenthMs !== rttUnknownTenthMs;
    const probe = `${flow} ${ttl} ${tickOfNs(reply.timeReceivedNs) - reply.rttTenthMs}`;
    if (outcomes.length >= sent || (isKnown && this.#answeredTicks.has(probe))) {
      this.repeated++;
      return null;
    }
    this.#answeredTicks.add(probe);
    const outcome = {
      from: reply.replySrcAddr,
      rttMs: rttMsOf(reply),
      labels: reply.replyMplsLabels,
      kind: answerKindOf(reply),
      reply,
    };
    this.path.record(flow, ttl, outcome);
    return outcome;
  }

  /** Marks unanswered probes as lost, once. */
  finish(): void {
    if (this.#isFinished) {
      return;
    }
    this.#isFinished = true;
    for (const ttl of this.#sentTtls) {
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
