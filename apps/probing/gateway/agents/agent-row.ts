/** An agent's row in the database, and its public view: fields that existing clients read, and ours. */
import type postgres from "postgres";
import type { AgentInstance } from "../../../../lib/measuring/probing/agent-config.ts";
import type { AgentDetails } from "../../../../lib/measuring/probing/agent-report.ts";
import { heldByHost, isOnline } from "../agent-state.ts";

/** An agent's location and tags, set by its operator or an admin. */
export interface AgentPlace {
  readonly location: string | null;
  readonly country: string | null;
  readonly asn: number | null;
  readonly tags: readonly string[];
}

export interface AgentRow extends AgentPlace {
  readonly agent_id: string;
  /** The granted part of `claimed`. */
  readonly config: readonly AgentInstance[] | null;
  readonly claimed: readonly AgentInstance[] | null;
  readonly pending_prefixes: readonly string[];
  readonly config_version: number;
  readonly healthy: boolean | null;
  readonly health_checked_at: Date | null;
  readonly health_received_at: Date | null;
  readonly health_message: string | null;
  readonly health_details: AgentDetails | null;
  readonly is_online: boolean;
  readonly paused: boolean;
  /** Continues "the agent is"; null = its host lets it send, or it is offline. */
  readonly held_by_host: string | null;
  readonly last_seen_at: Date;
}

interface AgentHealth {
  /** From its own report; false when it has stopped reporting. */
  readonly healthy: boolean;
  readonly last_check: Date | null;
  readonly message: string | null;
  readonly received_at: Date | null;
  readonly details: AgentDetails | null;
}

interface AgentView extends AgentPlace {
  readonly id: string;
  readonly config: readonly AgentInstance[] | null;
  readonly health: AgentHealth | null;
  readonly last_seen: Date;
  readonly online: boolean;
  readonly paused: boolean;
  readonly held_by_host: string | null;
}

/** Registered agents that were not retired, by id; all of them without `agentIds`. */
export function selectAgents(sql: postgres.Sql, agentIds?: readonly string[]) {
  return sql<AgentRow[]>`
    SELECT agent_id, config, claimed, pending_prefixes, config_version, healthy, health_checked_at,
      health_received_at, health_message, health_details, ${isOnline(sql)} AS is_online, paused,
      ${heldByHost(sql)} AS held_by_host, last_seen_at, location, country, asn, tags
    FROM agents
    WHERE registered_at IS NOT NULL AND retired_at IS NULL
      ${agentIds === undefined ? sql`` : sql`AND agent_id = ANY(${agentIds as string[]})`}
    ORDER BY agent_id`;
}

export function agentView(row: AgentRow): AgentView {
  return {
    id: row.agent_id,
    config: row.config,
    health: healthView(row),
    last_seen: row.last_seen_at,
    online: row.is_online,
    paused: row.paused,
    held_by_host: row.held_by_host,
    location: row.location,
    country: row.country,
    asn: row.asn,
    tags: row.tags,
  };
}

/** Null before the first report. Existing clients read `healthy` alone, so an offline agent is not healthy. */
export function healthView(row: AgentRow): AgentHealth | null {
  if (row.healthy === null) {
    return null;
  }
  const received = row.health_received_at;
  return {
    healthy: row.healthy && row.is_online,
    last_check: row.health_checked_at,
    message: row.is_online
      ? row.health_message
      : `Offline: no report since ${received?.toISOString() ?? "ever"}`,
    received_at: received,
    details: row.health_details,
  };
}
