/** A network that answers the parts of discoveries, in place of agents and the ingester, at a gateway and its store. */
import { expect } from "bun:test";
import { mix32 } from "../../../lib/measuring/probing/mixer.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { decodeProbe, probeMessageBytes } from "../../../lib/net/wire/probe-codec.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import type { FilledStore, ResultsHome } from "../probing-gateway-reads/results-home.ts";

export const discoveryUser = "anna";

export interface Discovery {
  readonly id: string;
  readonly state: string;
  readonly complete: boolean | null;
  readonly links: number;
  readonly nodes: number;
  readonly probes_sent: number;
  readonly probes_rest: number | null;
  readonly run_state: string;
  readonly reason: string | null;
  readonly rounds: readonly { readonly round: number; readonly probes: number }[];
  readonly measurement_ids: readonly string[];
}

interface Probe {
  readonly destination: string;
  readonly srcPort: number;
  readonly ttl: number;
}

/**
 * Routers at TTL 1 to 4, two of them at TTL 2, three at TTL 3, chosen by each alone, the last with a private
 * address; then the target.
 */
const widths: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 1 };
function answererOf({ destination, srcPort, ttl }: Probe): string {
  const width = widths[ttl];
  const flow = Number(destination.split(".")[3]) + 256 * (srcPort - 24_000);
  const branch = width === undefined ? 0 : mix32(flow, ttl) % width;
  return width === undefined ? destination : `${ttl === 4 ? "10.0.0" : "198.51.100"}.${10 * ttl + branch}`;
}

export class DiscoveryNetwork {
  readonly #home: ResultsHome<FilledStore>;

  constructor(home: ResultsHome<FilledStore>) {
    this.#home = home;
  }

  async post(path: string, body: object): Promise<Record<string, unknown>> {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    return await this.#home.gateway.json(discoveryUser, path, init);
  }

  async shown(id: string): Promise<Discovery> {
    return (await (await this.#home.get(discoveryUser, `/api/discoveries/${id}`)).json()) as Discovery;
  }

  /** As agents take records: one that a gateway published again after a kill, from the same probe on, counts once. */
  async probesOf(id: string): Promise<Probe[]> {
    const firstOf = (headers: Readonly<Record<string, string>>) =>
      JSON.stringify(Object.entries(headers).map(([agent, text]) => [agent, JSON.parse(text).first_probe]));
    const all = await this.#home.gateway.records(id);
    const records = new Map(all.map((record) => [firstOf(record.headers), record]));
    return [...records.values()].flatMap(({ value }) =>
      Array.from({ length: value.length / probeMessageBytes }, (_, i) => {
        const read = decodeProbe(value, i * probeMessageBytes);
        if (!read.ok) {
          throw new Error(read.reason);
        }
        const { dst, srcPort, ttl } = read.probe;
        return { destination: formatAddress(dst), srcPort, ttl };
      }),
    );
  }

  /** As an agent and the ingester: all of a part, or so many of its probes, were sent and answered. */
  async play(id: string, sent: number | null = null): Promise<Probe[]> {
    let probes: Probe[] = [];
    const { sql } = this.#home.gateway.services.database;
    await eventually(async () => {
      probes = await this.probesOf(id);
      const [row] = await sql`SELECT probes FROM measurements WHERE measurement_id = ${id}`;
      expect(probes).toHaveLength(Number(row?.probes));
    });
    const [part] = await sql`SELECT agent_id FROM measurement_agents WHERE measurement_id = ${id}`;
    const agent = String(part?.agent_id);
    await this.#home.store.insertProbes(
      probes.map((probe, index) => ({ ...probe, measurement: id, agent, index })),
    );
    const gone = probes.slice(0, sent ?? probes.length);
    await this.#home.store.insertReplies(
      gone.map((probe) => {
        const from = answererOf(probe);
        const rest = {
          measurement: id,
          agent,
          sender: `${agent}/1`,
          source: "192.0.2.1",
          rttTenthMs: 10,
        };
        return { ...probe, ...rest, from, ...(from === probe.destination ? { icmp: [3, 3] as const } : {}) };
      }),
    );
    return gone;
  }

  /** Plays parts as they come until the discovery has ended; gives all probes that were sent. */
  async toTheEnd(id: string, played: Set<string>): Promise<Probe[]> {
    const all: Probe[] = [];
    for (let one = await this.shown(id); one.state !== "ended"; one = await this.shown(id)) {
      for (const part of one.measurement_ids.filter((known) => !played.has(known))) {
        played.add(part);
        all.push(...(await this.play(part)));
        await this.#home.end(part, 60);
      }
      this.#home.gateway.services.campaigns.wake();
      await Bun.sleep(50);
    }
    return all;
  }
}

/** Links that probes have shown, counted the simple way. */
export function linksOf(all: readonly Probe[]): string[] {
  const answerers = new Map(all.map((probe) => [keyOf(probe), answererOf(probe)]));
  const links = all.flatMap((probe) => {
    const far = answerers.get(keyOf({ ...probe, ttl: probe.ttl + 1 }));
    return far === undefined || far === probe.destination ? [] : [`${answererOf(probe)} ${far}`];
  });
  return [...new Set(links.filter((link) => !link.startsWith("203.")))].sort();
}

export const keyOf = ({ destination, srcPort, ttl }: Probe) => `${destination} ${srcPort} ${ttl}`;
