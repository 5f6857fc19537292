/**
 * Traces one target: chooses the next probe until the path is known.
 *
 * Probes go a few hops ahead of the last answer, further the longer nothing comes, up to `silentHopsMax`: so a silent
 * router causes no waiting, and a close target gets few surplus probes; one hop ahead where probes wait for the rate,
 * which surplus ones would use up. All flows probe a hop at once; its queries are spaced, because routers limit how
 * often they answer, but less where everything has been answered.
 */
import { isOpenPort, type Outcome, Path } from "../../../lib/measuring/paths/path.ts";
import { answerKindOf } from "../../../lib/net/packet/answer-kind.ts";
import type { Probe } from "../../../lib/net/packet/probe.ts";
import { answeredSpacingMs, burstProbes, querySpacingMs, silentHopsMax } from "./limits.ts";
import type { Options } from "./options.ts";
import type { Ending, Outstanding } from "./outstanding.ts";
import type { Way } from "./session.ts";
import type { TraceTarget } from "./target.ts";

/** A hop that is being probed: the next query, and the next flow to send it on. */
interface OpenHop {
  readonly ttl: number;
  /** When the first probe of the last query was sent. */
  queryAtMs: number;
  query: number;
  flow: number;
  /** Probes whose ending is not known. */
  waiting: number;
  hasLost: boolean;
}

const aheadHopsMax = 3;
const aheadStepMs = 100;

export class Tracer {
  readonly target: TraceTarget;
  readonly path: Path;
  readonly startedAtMs: number;
  endedAtMs = 0;
  /** Changes whenever there is something new to show. */
  version = 0;
  readonly #options: Options;
  readonly #outstanding: Outstanding;
  readonly #wayOf: (srcPort: number) => Way;
  readonly #openHops: OpenHop[] = [];
  readonly #inFlight = new Set<{ flow: number; ttl: number }>();
  #progressAtMs: number;
  /** Since the last step. */
  #answered = false;

  constructor(
    target: TraceTarget,
    wayOf: (srcPort: number) => Way,
    options: Options,
    outstanding: Outstanding,
    nowMs: number,
  ) {
    this.target = target;
    this.path = new Path(target.address, options.flows);
    this.startedAtMs = nowMs;
    this.#progressAtMs = nowMs;
    this.#options = options;
    this.#outstanding = outstanding;
    this.#wayOf = wayOf;
  }

  /** Sends the probes that are due; true when the trace has ended. */
  step(nowMs: number): boolean {
    this.#progressAtMs = this.#answered ? nowMs : this.#progressAtMs;
    this.#answered = false;
    while (this.#nextTtl() <= this.#ttlLimit(nowMs)) {
      this.#openHops.push({
        ...{ ttl: this.#nextTtl(), queryAtMs: 0 },
        ...{ query: 0, flow: 0, waiting: 0, hasLost: false },
      });
    }
    for (const hop of this.#openHops) {
      this.#sendDue(hop, nowMs);
    }
    const waiting = [...this.#inFlight].some(({ flow, ttl }) => ttl <= this.path.endOfFlow(flow));
    const ended = !waiting && !this.#hasMoreToSend();
    this.endedAtMs = ended ? nowMs : 0;
    return ended;
  }

  #nextTtl(): number {
    return this.#options.firstTtl + this.#openHops.length;
  }

  /** The highest TTL worth probing, given the answers so far. */
  #ttlWorth(): number {
    const answered = Math.max(this.path.lastAnsweredTtl, this.#options.firstTtl - 1);
    const ends = Array.from({ length: this.#options.flows }, (_, flow) => this.path.endOfFlow(flow));
    return Math.min(this.#options.maxTtl, answered + silentHopsMax, Math.max(...ends));
  }

  #ttlLimit(nowMs: number): number {
    const answered = Math.max(this.path.lastAnsweredTtl, this.#options.firstTtl - 1);
    const quietHops = Math.floor((nowMs - this.#progressAtMs) / aheadStepMs);
    // Where the rate is used up, probes sent ahead cost time instead of saving it.
    const aheadHops = this.#outstanding.isQueued ? 1 : aheadHopsMax;
    return Math.min(this.#ttlWorth(), answered + aheadHops + quietHops);
  }

  #hasMoreToSend(): boolean {
    return this.#nextTtl() <= this.#ttlWorth() || this.#openHops.some((hop) => !this.#isDone(hop));
  }

  #isDone({ ttl, query }: OpenHop): boolean {
    return query >= this.#options.queries || ttl > this.#ttlWorth();
  }

  #sendDue(hop: OpenHop, nowMs: number): void {
    while (!this.#isDone(hop) && nowMs >= this.#dueAtMs(hop)) {
      if (this.#isUseful(hop.flow, hop.ttl) && !this.#send(hop.flow, hop)) {
        return;
      }
      hop.queryAtMs = hop.flow === 0 ? nowMs : hop.queryAtMs;
      hop.flow++;
      if (hop.flow === this.#options.flows) {
        hop.flow = 0;
        hop.query++;
      }
    }
  }

  /** A query that has begun is sent whole; the next one follows sooner where all before it are answered. */
  #dueAtMs({ queryAtMs, query, flow, waiting, hasLost }: OpenHop): number {
    if (flow > 0 || query === 0) {
      return queryAtMs;
    }
    if (waiting > 0 || hasLost) {
      return queryAtMs + querySpacingMs;
    }
    const isBurst = (query + 1) * this.#options.flows <= burstProbes;
    return queryAtMs + (isBurst ? 0 : answeredSpacingMs);
  }

  /** Not beyond the end of the flow, nor to an open TCP port again, see Path.cell. */
  #isUseful(flow: number, ttl: number): boolean {
    return ttl <= this.path.endOfFlow(flow) && !isOpenPort(this.path.cell(flow, ttl).outcomes);
  }

  #send(flow: number, hop: OpenHop): boolean {
    const { ttl } = hop;
    const { address: dst, protocol } = this.target;
    const probe: Probe = {
      dst,
      protocol,
      ttl,
      srcPort: this.#options.srcPort + flow,
      dstPort: this.#options.dstPort,
      shape: this.#options.shape,
    };
    const place = { flow, ttl };
    const { instance, source } = this.#wayOf(probe.srcPort);
    const sent = this.#outstanding.send(instance, probe, source, (ending) => {
      this.#inFlight.delete(place);
      hop.waiting--;
      hop.hasLost ||= typeof ending === "string";
      this.path.record(flow, ttl, outcomeOf(ending));
      this.version++;
      this.#answered ||= typeof ending !== "string";
    });
    if (sent) {
      this.#inFlight.add(place);
      hop.waiting++;
      this.path.markSent(flow, ttl, { atMs: Date.now(), source });
    }
    return sent;
  }
}

export function outcomeOf(ending: Ending): Outcome {
  if (typeof ending === "string") {
    return ending;
  }
  const { reply, rttMs } = ending;
  return { from: reply.replySrcAddr, rttMs, labels: reply.replyMplsLabels, kind: answerKindOf(reply), reply };
}
