/**
 * All agents, for the public list and for submissions: read from the database at most once a second.
 *
 * The site and every client request this list first, so its serialised bytes are kept. This gateway's own changes are
 * visible at once, those of other gateways within a second.
 */
import { createHash } from "node:crypto";
import { Together } from "../../../../lib/engines/service/together.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { ungrantedChoice } from "../../../../lib/measuring/probing/granted-config.ts";
import { agentListAgeMsMax, sharedAsksMax } from "../limits.ts";
import type { AgentDirectory, AgentSnapshot, EligibleAgent } from "./agent-directory.ts";
import { type AgentRow, agentView, selectAgents } from "./agent-row.ts";

export class AgentList implements AgentDirectory {
  readonly #database: Database;
  readonly #nowMs: () => number;
  readonly #chosen: Together<readonly string[], ReadonlyMap<string, EligibleAgent>>;
  #snapshot: AgentSnapshot | null = null;
  #goodUntilMs = 0;
  #reading: Promise<AgentSnapshot> | null = null;
  /** Number of the last query started; the result of an older one may miss a change. */
  #generation = 0;

  /** `nowMs` is any clock that only goes forward. */
  constructor(database: Database, nowMs: () => number = () => performance.now()) {
    this.#database = database;
    this.#nowMs = nowMs;
    this.#chosen = new Together({
      asksMax: sharedAsksMax,
      underWayMax: 1,
      answer: async (asks) => {
        const agents = await this.#eligible([...new Set(asks.flat())]);
        return () => agents;
      },
    });
  }

  /** The list if it is fresh, without waiting; null = call `read`. */
  get fresh(): AgentSnapshot | null {
    return this.#nowMs() < this.#goodUntilMs ? this.#snapshot : null;
  }

  /** At most a second old. Concurrent calls share one query. */
  async read(): Promise<AgentSnapshot> {
    const { fresh } = this;
    if (fresh !== null) {
      return fresh;
    }
    this.#reading ??= this.#query();
    return this.#reading;
  }

  /** Makes later calls query the database again. */
  changed(): void {
    this.#generation++;
    this.#goodUntilMs = 0;
    this.#reading = null;
  }

  /** Queries the database each time: a submission must not go to an agent that was stopped a moment ago. */
  eligible(agentIds?: readonly string[]): Promise<ReadonlyMap<string, EligibleAgent>> {
    return agentIds === undefined ? this.#eligible() : this.#chosen.ask(agentIds);
  }

  async #eligible(agentIds?: readonly string[]): Promise<ReadonlyMap<string, EligibleAgent>> {
    const { sql } = this.#database;
    const rows = await this.#database.timed("agents_eligible", () => selectAgents(sql, agentIds));
    return new Map(rows.map((row) => [row.agent_id, eligibleAgent(row)]));
  }

  async #query(): Promise<AgentSnapshot> {
    const generation = ++this.#generation;
    const askedAtMs = this.#nowMs();
    try {
      const { sql } = this.#database;
      const snapshot = snapshotOf(await this.#database.timed("agents_list", () => selectAgents(sql)));
      if (generation === this.#generation) {
        this.#snapshot = snapshot;
        this.#goodUntilMs = askedAtMs + agentListAgeMsMax;
      }
      return snapshot;
    } finally {
      if (generation === this.#generation) {
        this.#reading = null;
      }
    }
  }
}

function eligibleAgent(row: AgentRow): EligibleAgent {
  return {
    id: row.agent_id,
    config: row.config,
    ungrantedChoice: ungrantedChoice(row.claimed ?? [], row.config ?? []),
    healthy: row.healthy === true && row.is_online,
    online: row.is_online,
    hasReported: row.healthy !== null,
    paused: row.paused,
    heldByHost: row.held_by_host,
    tags: row.tags,
    asn: row.asn,
    country: row.country,
    location: row.location,
    isExisting: row.health_details === null,
    sendsShapes: row.health_details?.sends_shapes === true,
    allowsDns: row.health_details?.allows_dns ?? null,
  };
}

function snapshotOf(rows: readonly AgentRow[]): AgentSnapshot {
  const text = JSON.stringify(rows.map(listed));
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  const etag = `"${hash}"`;
  const headers = new Headers({ etag, "cache-control": "no-cache", "content-type": "application/json" });
  return { rows, body: new TextEncoder().encode(text), etag, headers };
}

/** Without health details, which change each second: they are on the agent's own page. */
function listed(row: AgentRow) {
  const { health, ...agent } = agentView(row);
  return { ...agent, health: health && { ...health, details: undefined } };
}
