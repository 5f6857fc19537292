/**
 * A trace or ping by agents of a gateway: submits the probes, follows the measurement, and assigns each answer to its
 * path. Probes that are no longer needed are cancelled.
 */
import { measurementEvents } from "../../../../lib/answers/results/measurement-events.ts";
import type { StoredReply } from "../../../../lib/answers/results/stored-reply.ts";
import { tellingRejected } from "../../../../lib/command/command/gateway/rejected.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import {
  cancelledSchema,
  type Submitted,
  submittedSchema,
} from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { type AgentChoice, formatTarget } from "../../../../lib/engines/submission/targets.ts";
import type { Outcome } from "../../../../lib/measuring/paths/path.ts";
import { type Address, formatAddress, parseAddress } from "../../../../lib/net/ip/address.ts";
import { formatProbeLine } from "../../../../lib/net/wire/probe-line.ts";
import type { NamedTarget } from "../target.ts";
import { AgentProgress } from "./agent-progress.ts";
import type { PlannedProbe } from "./probe-plan.ts";
import { RemotePath } from "./remote-path.ts";

interface CampaignOrder {
  readonly session: GatewaySession;
  readonly gateway: Gateway;
  readonly agents: readonly AgentChoice[];
  readonly targets: readonly NamedTarget[];
  /** The first probes, in the order in which they are sent. */
  readonly plan: readonly PlannedProbe[];
  readonly flows: number;
  /** "open": more probes may follow, and each is sent at once. */
  readonly pace: "open" | { readonly intervalMs: number; readonly round: number };
  /** Whether the agents keep the packets. */
  readonly recordsPackets: boolean;
  /** Name, tags, note and shape. */
  readonly query: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly remote: RemotePath;
  /** Index of the target. */
  readonly target: number;
  /** Null for a surplus answer. */
  readonly outcome: Outcome | null;
}

export class Campaign {
  readonly submitted: Submitted;
  /** By agent, then by target. */
  readonly paths: readonly RemotePath[];
  readonly progress = new AgentProgress();
  /** Whether the event stream is connected: while it is not, the absence of answers means nothing. */
  isReading = false;
  readonly #order: CampaignOrder;
  readonly #plan: PlannedProbe[] = [];
  /** The paths of each agent, by target. */
  readonly #pathsOf: ReadonlyMap<string, readonly RemotePath[]>;
  /** Positions in the plan of the probes that an answer can belong to, in order. */
  readonly #places = new Map<string, number[]>();

  private constructor(order: CampaignOrder, submitted: Submitted) {
    this.#order = order;
    this.submitted = submitted;
    this.#extend(order.plan);
    const pathsFrom = ({ id: agent, ip_address: given }: Submitted["agents"][number]) => {
      const own = { agent, flows: order.flows, requestedSource: given === null ? null : parseAddress(given) };
      return order.targets.map((target) => new RemotePath({ ...own, target }));
    };
    this.#pathsOf = new Map(submitted.agents.map((agent) => [agent.id, pathsFrom(agent)]));
    this.paths = [...this.#pathsOf.values()].flat();
  }

  /** Rejects with GatewayError. */
  static async start(order: CampaignOrder): Promise<Campaign> {
    const { session, gateway, agents, plan, pace, recordsPackets, query: more } = order;
    const paced =
      pace === "open" ? { open: "true" } : { interval_ms: `${pace.intervalMs}`, round: `${pace.round}` };
    const recorded = recordsPackets ? { record_packets: "true" } : {};
    const query = { agents: agents.map(formatTarget).join(","), ...paced, ...recorded, ...more };
    const ask = { ...asProbes(plan), query, signal: session.signal };
    const submit = () => gateway.read("/api/probes", submittedSchema, ask);
    return new Campaign(order, await tellingRejected(session, gateway, submit));
  }

  /** Sends more, after those before; the campaign is open. Rejects with GatewayError. */
  async add(more: readonly PlannedProbe[]): Promise<void> {
    const { gateway, session } = this.#order;
    this.#extend(more);
    const ask = { ...asProbes(more), signal: session.signal };
    await gateway.read(`/api/measurements/${this.submitted.id}/probes`, submittedSchema, ask);
  }

  /** Probes that were requested so far; each agent sends all of them. */
  get requested(): number {
    return this.#plan.length;
  }

  /** Whether the agent sends no more of what it was asked for. */
  hasSentAll(agent: string): boolean {
    return this.progress.sentBy(agent) >= this.#plan.length || this.progress.hasEnded(agent);
  }

  /** The paths to one target, by agent. */
  pathsTo(target: number): readonly RemotePath[] {
    return [...this.#pathsOf.values()].flatMap((paths) => paths[target] ?? []);
  }

  /** Whether some agent's part has not ended. */
  get isRunning(): boolean {
    return this.submitted.agents.some(({ id }) => !this.progress.hasEnded(id));
  }

  /** Yields answers as they arrive; ends when none can follow, or with the signal. Rejects with GatewayError. */
  async *answers(signal: AbortSignal): AsyncGenerator<Answered, void, undefined> {
    const { session, gateway } = this.#order;
    const onBreak = (reason: string) => {
      this.isReading = false;
      session.note(`${reason}; trying again`);
    };
    for await (const event of measurementEvents(gateway, this.submitted.id, { signal, onBreak })) {
      this.isReading = true;
      if (event.kind === "reply") {
        const answered = this.#take(event.reply);
        if (answered !== null) {
          yield answered;
        }
        continue;
      }
      this.progress.status = event.status;
      for (const { agent_id, sent_probes } of event.status.agents) {
        this.progress.noteReport(agent_id, sent_probes, Date.now());
        this.#markSent(agent_id, sent_probes);
      }
    }
  }

  /**
   * Stops sending: because the results are complete, which completes the measurement, or because the user cancelled.
   * Rejects with GatewayError.
   */
  async callOff(why: "finished" | "cancelled"): Promise<void> {
    const query = why === "finished" ? { reason: why } : {};
    const ask = { method: "POST", repeatable: true, query } as const;
    await this.#order.gateway.read(`/api/measurement/${this.submitted.id}/cancel`, cancelledSchema, ask);
  }

  finish(): void {
    for (const remote of this.paths) {
      remote.finish();
    }
  }

  /** An agent sends in the order of the plan. */
  #markSent(agent: string, count: number): void {
    const from = this.progress.noteSent(agent, Math.min(count, this.#plan.length));
    for (const planned of this.#plan.slice(from, count)) {
      this.#pathOf(agent, planned.target)?.markSent(planned, Date.now());
    }
  }

  /** An answer can arrive before its agent has reported the probe as sent; then all probes before it were sent too. */
  #take(stored: StoredReply): Answered | null {
    const { reply, probeAgent } = stored;
    this.progress.noteRead(reply.agentId);
    const places = this.#places.get(keyOf(reply.probeDstAddr, reply.probeSrcPort, reply.probeTtl)) ?? [];
    const planned = this.#plan[places[0] ?? -1];
    const agent = probeAgent === "" ? reply.agentId : probeAgent;
    const remote = planned === undefined ? null : this.#pathOf(agent, planned.target);
    if (planned === undefined || remote === null) {
      return null;
    }
    const before = remote.path.cell(planned.flow, planned.ttl).outcomes.length;
    const place = places[before];
    if (place !== undefined) {
      this.progress.noteDelay(agent, place, Date.now());
      this.#markSent(agent, place + 1);
    }
    return { remote, target: planned.target, outcome: remote.take(planned, stored) };
  }

  #extend(more: readonly PlannedProbe[]): void {
    for (const planned of more) {
      const { dst, srcPort, ttl } = planned.probe;
      const key = keyOf(dst, srcPort, ttl);
      this.#places.set(key, [...(this.#places.get(key) ?? []), this.#plan.length]);
      this.#plan.push(planned);
    }
  }

  #pathOf(agent: string, target: number): RemotePath | null {
    return this.#pathsOf.get(agent)?.[target] ?? null;
  }
}

/** Repeatable: a repetition that was accepted the first time adds nothing. */
export function asProbes(plan: readonly PlannedProbe[]) {
  return {
    method: "POST",
    headers: { "content-type": "text/csv", "idempotency-key": crypto.randomUUID() },
    body: plan.map(({ probe }) => `${formatProbeLine(probe)}\n`).join(""),
    repeatable: true,
  } as const;
}

function keyOf(destination: Address, srcPort: number, ttl: number): string {
  return `${formatAddress(destination)} ${srcPort} ${ttl}`;
}
