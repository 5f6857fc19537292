/** Lets an agent in by its own key, and only to what is its own: the `:id` of the path. */
import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../../../lib/http/app.ts";
import { Problem } from "../../../lib/http/problem.ts";
import type { Services } from "../services.ts";
import { bearerKey, findAgentKey, keyProblem, wrongAgent } from "./agent-key.ts";

export function requireAgent({ database, metrics }: Services): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await countingFailures(metrics, async () => {
      const own = await findAgentKey(database, bearerKey(c.req.header("authorization")));
      if (own === null) {
        throw keyProblem(
          "unknown_key",
          "The key is no agent's; register, or ask the gateway's operator for one",
        );
      }
      if (own !== c.req.param("id")) {
        throw wrongAgent(own);
      }
    });
    await next();
  };
}

/** Counts the Problem that `check` throws because of who called. */
export async function countingFailures<Answer>(
  { http }: Services["metrics"],
  check: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Problem && (error.status === 401 || error.status === 403)) {
      http.authenticationFailure(error.code);
    }
    throw error;
  }
}

/** Behind requireAgent: the agent that calls. */
export function agentOf(c: Context<HttpEnv>): string {
  return c.req.param("id") ?? "";
}

/** For an agent that has a key and has not registered yet, or was retired. */
export function unknownAgent(id: string): Problem {
  return new Problem({ status: 404, code: "unknown_agent", message: `Agent "${id}" is not registered` });
}
