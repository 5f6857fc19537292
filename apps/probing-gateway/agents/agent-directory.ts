/** What the gateway knows of agents, as other areas ask for it. */
import type { AgentInstance } from "../../../lib/probing/agent-config.ts";
import type { AgentRow } from "./agent-row.ts";

export interface AgentDirectory {
  /** All of them as the public list has them: what is fresh, else null; `read` waits for it. */
  readonly fresh: AgentSnapshot | null;
  read(): Promise<AgentSnapshot>;
  /** The next who asks gets what is in the database then. */
  changed(): void;
  /** Of these ids, the agents that exist. */
  eligible(agentIds: readonly string[]): Promise<ReadonlyMap<string, EligibleAgent>>;
}

export interface EligibleAgent {
  readonly id: string;
  /** With those of its prefixes that were granted to it; null = it has posted none. */
  readonly config: readonly AgentInstance[] | null;
  /** A prefix that it would choose its source from, and that was not granted to it; null = there is none. */
  readonly ungrantedChoice: string | null;
  /** It says that it is healthy, and has said so lately. */
  readonly healthy: boolean;
  /** It has reported lately. */
  readonly online: boolean;
  readonly paused: boolean;
}

export interface AgentSnapshot {
  readonly rows: readonly AgentRow[];
  /** The JSON array of GET /api/agents. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Of its answer: to copy them costs half of what it costs to make them. */
  readonly headers: Headers;
}
