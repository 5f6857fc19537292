/** Authenticates an agent by its own key, and restricts it to its own id, the path's `:id`. */
import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { requireKey } from "../../../../lib/engines/http/require-key.ts";
import type { Services } from "../services.ts";
import { AgentKeys, wrongAgent } from "./agent-key.ts";
import { checkMayRegister, notAnAgentsKey } from "./registration.ts";

export function requireAgent({
  database,
  metrics,
}: Pick<Services, "database" | "metrics">): MiddlewareHandler<HttpEnv> {
  const keys = new AgentKeys(database);
  return requireKey(metrics.http, async (keyHash, c) => {
    const own = await keys.find(keyHash);
    if (own === null) {
      throw await notAnAgentsKey(database, keyHash);
    }
    if (own !== c.req.param("id")) {
      throw wrongAgent(own);
    }
  });
}

/** Accepts keys that could register: an agent's own, or an enrolment key. */
export function requireRegistrant({
  database,
  metrics,
}: Pick<Services, "database" | "metrics">): MiddlewareHandler<HttpEnv> {
  return requireKey(metrics.http, (keyHash) => checkMayRegister(database, keyHash));
}

/** The calling agent, after requireAgent. */
export function agentOf(c: Context<HttpEnv>): string {
  return c.req.param("id") ?? "";
}

/** For an agent that has a key and has not registered yet, or was retired. */
export function unknownAgent(id: string): Problem {
  return problem(404, "unknown_agent", `Agent "${id}" is not registered`);
}
