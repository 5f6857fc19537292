/** Recovers the data that a killed agent left in its kept memory. */
import type { AgentConfig } from "../config/config.ts";
import { spoolOf } from "../produce/spool.ts";
import { KeptMemory } from "./kept-memory.ts";
import { leftProbes } from "./left-probes.ts";
import { type LeftBehind, rescueReplies } from "./rescue-replies.ts";

interface LeftMemory {
  readonly memory: KeptMemory;
  /** Replies that are in the spool now. */
  readonly rescued: number;
  readonly left: LeftBehind;
}

/** Throws when the state folder has no room. */
export function takeLeftMemory(config: AgentConfig): LeftMemory {
  const memory = new KeptMemory(config.stateDir, config.agentId);
  const { replies: rescued, counts } = rescueReplies(memory, spoolOf(config));
  const left = { probes: leftProbes(memory), counts };
  memory.forget();
  return { memory, rescued, left };
}
