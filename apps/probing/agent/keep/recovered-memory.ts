/** Recovers the data that a killed agent left in its kept memory. */
import type { AgentConfig } from "../config/config.ts";
import { spoolOf } from "../produce/spool.ts";
import { KeptMemory } from "./kept-memory.ts";
import { recoverReplies, type UnjournaledProgress } from "./recover-replies.ts";
import { sentProbesOf } from "./sent-probes.ts";

interface RecoveredMemory {
  readonly memory: KeptMemory;
  /** Replies that are in the spool now. */
  readonly rescued: number;
  readonly left: UnjournaledProgress;
}

/** Throws when the state folder has no room. */
export function recoverMemory(config: AgentConfig): RecoveredMemory {
  const memory = new KeptMemory(config.stateDir, config.agentId);
  const { replies: rescued, counts } = recoverReplies(memory, spoolOf(config));
  const left = { probes: sentProbesOf(memory), counts };
  memory.forget();
  return { memory, rescued, left };
}
