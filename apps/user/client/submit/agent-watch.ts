/**
 * The agents' progress with a measurement: the offset that each agent's group has committed.
 *
 * An agent commits a record when the kernel has accepted all its probes. It has finished when everything is committed
 * and no more replies can arrive.
 */
import { slices } from "../../../../lib/base/list/slices.ts";
import type { Broker } from "../../../../lib/engines/broker/broker.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import { agentGroup } from "../../../../lib/net/wire/target-header.ts";
import { settleMs } from "../limits.ts";
import type { PublishMarks } from "./publish-marks.ts";

export interface AgentProgress {
  readonly agent: string;
  /** Probes consumed, over all its sources. */
  readonly probes: number;
  readonly taken: number;
  readonly state: "waiting" | "probing" | "settling" | "finished";
}

interface WatchOrder {
  readonly broker: Broker;
  readonly topic: string;
  readonly partition: number;
  readonly marks: PublishMarks;
  readonly targets: readonly Target[];
  /** Probes of each target. */
  readonly probes: number;
}

/** Groups queried at a time: enough for a quick response, few enough for any broker. */
const asksAtATime = 8;

export class AgentWatch {
  readonly #order: WatchOrder;
  /** Sources of each agent. */
  readonly #sources = new Map<string, number>();
  readonly #takenAllAtMs = new Map<string, number>();

  constructor(order: WatchOrder) {
    this.#order = order;
    for (const { agent } of order.targets) {
      this.#sources.set(agent, (this.#sources.get(agent) ?? 0) + 1);
    }
  }

  /** One entry for each agent, in the order of the targets. Rejects like the broker. */
  async look(nowMs: number): Promise<AgentProgress[]> {
    const agents = [...this.#sources.keys()];
    const all: AgentProgress[] = [];
    for (const some of slices(agents, asksAtATime)) {
      all.push(...(await Promise.all(some.map((agent) => this.#lookAt(agent, nowMs)))));
    }
    return all;
  }

  async #lookAt(agent: string, nowMs: number): Promise<AgentProgress> {
    const sources = this.#sources.get(agent) ?? 1;
    const probes = this.#order.probes * sources;
    const takenAllAtMs = this.#takenAllAtMs.get(agent);
    if (takenAllAtMs !== undefined) {
      const state = nowMs >= takenAllAtMs + settleMs ? "finished" : "settling";
      return { agent, probes, taken: probes, state };
    }
    const committed = await this.#committed(agent);
    if (this.#order.marks.coversAll(committed)) {
      this.#takenAllAtMs.set(agent, nowMs);
      return { agent, probes, taken: probes, state: "settling" };
    }
    const taken = this.#order.marks.probesBefore(committed) * sources;
    return { agent, probes, taken, state: taken === 0 ? "waiting" : "probing" };
  }

  async #committed(agent: string): Promise<bigint> {
    const { broker, topic, partition } = this.#order;
    const positions = await broker.positions(agentGroup(agent), topic);
    return positions.find((position) => position.partition === partition)?.committed ?? 0n;
  }
}
