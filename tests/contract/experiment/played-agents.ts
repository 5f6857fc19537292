/** Agents that answer the measurements of experiments as they come. */
import { DiscoveryNetwork } from "../campaigns/discovery-network.ts";
import type { ResultsHome } from "../probing-gateway-reads/results-home.ts";

export const targets = [1, 2, 3, 4].map((host) => `2001:db8:9::${host}`);

export interface Play {
  /** How far an agent's clock is ahead. */
  readonly aheadMs: (agent: string) => number;
  /** Answers of a round are about to come. */
  readonly onRound: (round: number) => void;
}

/** In the first round the last target is at east, from the second on two are. */
const siteOf = (target: string, round: number) =>
  Number(target.split("::")[1]) > targets.length - 1 - round ? "east" : "west";

/** Answers measurements as they come, as agents and the ingester would; gives what was sent, by measurement. */
export class PlayedAgents {
  readonly sent: string[][] = [];
  readonly #probing: ResultsHome;
  readonly #play: Play;
  readonly #network: DiscoveryNetwork;
  #isOver = false;

  constructor(probing: ResultsHome, play: Play) {
    this.#probing = probing;
    this.#play = play;
    this.#network = new DiscoveryNetwork(probing);
  }

  async play(report: () => Promise<void>): Promise<void> {
    const { sql } = this.#probing.gateway.services.database;
    const ids = async () => {
      const rows = await sql<{ id: string }[]>`
        SELECT measurement_id::text AS id FROM measurements WHERE published_at IS NOT NULL`;
      return rows.map(({ id }) => id);
    };
    const seen = new Set(await ids());
    while (!this.#isOver) {
      await report();
      for (const id of (await ids()).filter((one) => !seen.has(one))) {
        seen.add(id);
        await this.#answer(id);
      }
      await Bun.sleep(100);
    }
  }

  end(): void {
    this.#isOver = true;
  }

  async #answer(id: string): Promise<void> {
    const { store } = this.#probing;
    const probes = await this.#network.probesOf(id);
    const round = this.sent.push(probes.map(({ destination }) => destination)) - 1;
    await store.insertProbes(
      probes.map((probe, index) => ({ ...probe, measurement: id, agent: "west", index })),
    );
    this.#play.onRound(round);
    await store.insertReplies(
      probes.map((probe) => {
        const agent = siteOf(probe.destination, round);
        return {
          ...{ ...probe, measurement: id, sender: "west/1", source: "2001:db8:100::1", rttTenthMs: 10 },
          ...{ from: probe.destination, agent, icmp: [3, 3] as const },
          timeMs: Date.now() + this.#play.aheadMs(agent),
        };
      }),
    );
    await this.#probing.end(id, 1);
  }
}
