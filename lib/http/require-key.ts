/** Lets in whoever has the right secret key: operators and services. */
import type { MiddlewareHandler } from "hono";
import { AuthError } from "../auth/auth-error.ts";
import { bearerToken } from "../auth/bearer.ts";
import { hashKey } from "../auth/secret-key.ts";
import type { HttpMetrics } from "../observe/http-metrics.ts";
import type { HttpEnv } from "./app.ts";
import { Problem } from "./problem.ts";
import { authProblem } from "./require-user.ts";

/** `refuse` says why the key of this SHA-256 does not let in; null = it does. Each refusal is counted by its code. */
export function requireKey(
  metrics: HttpMetrics,
  refuse: (keyHash: Uint8Array) => Promise<Problem | null>,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const refusal = await refusalOf(c.req.raw.headers.get("authorization"), refuse);
    if (refusal !== null) {
      metrics.authenticationFailure(refusal.code);
      throw refusal;
    }
    await next();
  };
}

async function refusalOf(
  header: string | null,
  refuse: (keyHash: Uint8Array) => Promise<Problem | null>,
): Promise<Problem | null> {
  try {
    return await refuse(hashKey(bearerToken(header)));
  } catch (error) {
    if (error instanceof AuthError) {
      return authProblem(error);
    }
    throw error;
  }
}

/** 401 for a key that is nobody's, or is no longer. */
export function keyProblem(code: string, message: string): Problem {
  const headers = { "www-authenticate": 'Bearer realm="vantage", error="invalid_token"' };
  return new Problem({ status: 401, code, message, headers });
}
