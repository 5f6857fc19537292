/** Requires a valid token, and passes the user's identity to the handlers. */
import type { Context, MiddlewareHandler } from "hono";
import { isFailure } from "../../base/failure/failure.ts";
import { bearerToken } from "../auth/bearer.ts";
import type { Identity, TokenVerifier } from "../auth/token-verifier.ts";
import type { HttpMetrics } from "../observe/http-metrics.ts";
import type { HttpEnv } from "./app.ts";
import { checkGrant } from "./check-grant.ts";
import { authProblem } from "./failure-problem.ts";

/** 401 with a stable code; 503 without keys to check a token with; 403 for an API token without the route's scope. */
export function requireUser(verifier: TokenVerifier, metrics: HttpMetrics): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    try {
      const token = verifier.needsToken ? bearerToken(c.req.raw.headers.get("authorization")) : "";
      const identity = await verifier.verify(token);
      c.set("identity", identity);
      c.set("checkAgain", () => verifier.verify(token));
      await checkGrant(c, identity);
    } catch (error) {
      if (isFailure(error, "auth")) {
        metrics.authenticationFailure(error.code);
        throw authProblem(error);
      }
      throw error;
    }
    await next();
  };
}

/** Throws when the route is not behind requireUser: such a bug must not give access. */
export function userOf(c: Context<HttpEnv>): Identity {
  const identity = c.get("identity");
  if (identity === undefined) {
    throw new Error(`The caller of ${c.req.path} is unknown: the route lacks requireUser`);
  }
  return identity;
}
