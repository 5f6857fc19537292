/** Lets in whoever has the key of the admin API. */
import type { MiddlewareHandler } from "hono";
import { hashKey, sameHash } from "../../../lib/auth/secret-key.ts";
import type { HttpEnv } from "../../../lib/http/app.ts";
import { Problem } from "../../../lib/http/problem.ts";
import { bearerKey } from "../agents/agent-key.ts";
import { countingFailures } from "../agents/require-agent.ts";
import type { Services } from "../services.ts";

/** 401 without a key, 403 with another: compared as hashes, in constant time. */
export function requireAdmin({ adminKey, metrics }: AdminServices): MiddlewareHandler<HttpEnv> {
  const wanted = hashKey(adminKey);
  return async (c, next) => {
    await countingFailures(metrics, async () => {
      if (!sameHash(hashKey(bearerKey(c.req.header("authorization"))), wanted)) {
        throw new Problem({
          status: 403,
          code: "not_admin",
          message: "The key is not that of the admin API",
        });
      }
    });
    await next();
  };
}

/** What the admin API works with. */
export type AdminServices = Pick<Services, "adminKey" | "database" | "agents" | "safety" | "metrics">;
