/** The gateway's directory of agents, for its other areas. */
import type { AgentInstance } from "../../../../lib/measuring/probing/agent-config.ts";
import type { SelectableAgent } from "../../../../lib/measuring/probing/agent-selector.ts";
import type { AgentRow } from "./agent-row.ts";

export interface AgentDirectory {
  /** The public list of all agents while it is fresh, else null; `read` waits for a fresh one. */
  readonly fresh: AgentSnapshot | null;
  read(): Promise<AgentSnapshot>;
  /** Makes the next read query the database. */
  changed(): void;
  /** The existing agents among these ids, by id, and maybe others; without `agentIds`, all. */
  eligible(agentIds?: readonly string[]): Promise<ReadonlyMap<string, EligibleAgent>>;
}

export interface EligibleAgent extends SelectableAgent {
  /** Its instances with only the granted prefixes; null = it has posted no configuration. */
  readonly config: readonly AgentInstance[] | null;
  /** An ungranted prefix from which it would choose its source; null = none. */
  readonly ungrantedChoice: string | null;
  /** It has recently reported that it is healthy. */
  readonly healthy: boolean;
  /** It has reported recently. */
  readonly online: boolean;
  /** It has reported before, at any time. */
  readonly hasReported: boolean;
  readonly paused: boolean;
  /** Continues "the agent is"; null = its host lets it send. */
  readonly heldByHost: string | null;
  /** An agent of other software, which does not report details of its health. */
  readonly isExisting: boolean;
  /** Its program sends probes with a size, marks and flow labels. */
  readonly sendsShapes: boolean;
  /** Its operator lets it ask name servers; null = its program cannot. */
  readonly allowsDns: boolean | null;
}

export interface AgentSnapshot {
  readonly rows: readonly AgentRow[];
  /** The JSON array of GET /api/agents. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Headers of the response: copying them costs half as much as creating them. */
  readonly headers: Headers;
}
