/** Lets in whoever has a good token, and says to the handlers behind it who that is. */
import type { Context, MiddlewareHandler } from "hono";
import { AuthError } from "../auth/auth-error.ts";
import { bearerToken } from "../auth/bearer.ts";
import type { Identity, TokenVerifier } from "../auth/token-verifier.ts";
import type { HttpMetrics } from "../observe/http-metrics.ts";
import type { HttpEnv } from "./app.ts";
import { Problem } from "./problem.ts";

/** 401 with a stable code; 503 when there are no keys to check a token with. */
export function requireUser(verifier: TokenVerifier, metrics: HttpMetrics): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    try {
      const token = verifier.needsToken ? bearerToken(c.req.raw.headers.get("authorization")) : "";
      c.set("identity", await verifier.verify(token));
    } catch (error) {
      if (error instanceof AuthError) {
        metrics.authenticationFailure(error.code);
        throw authProblem(error);
      }
      throw error;
    }
    await next();
  };
}

/** Throws when the route is not behind requireUser: a mistake of ours, which must not let anybody in. */
export function userOf(c: Context<HttpEnv>): Identity {
  const identity = c.get("identity");
  if (identity === undefined) {
    throw new Error(`Cannot tell who calls ${c.req.path}: the route lacks requireUser`);
  }
  return identity;
}

/** Also for what else carries a bearer credential: agents, operators, services. */
export function authProblem(error: AuthError): Problem {
  const { code, message } = error;
  if (code === "issuer_unavailable") {
    const headers = { "retry-after": "5" };
    return new Problem({ status: 503, code, message, error: message, headers, cause: error });
  }
  return new Problem({ status: 401, code, message, error: message, headers: challenge(code), cause: error });
}

/** RFC 6750, section 3: no error is named to somebody who sent no token. */
function challenge(code: string): Record<string, string> {
  const detail = code === "missing_authorization" ? "" : ', error="invalid_token"';
  return { "www-authenticate": `Bearer realm="vantage"${detail}` };
}
