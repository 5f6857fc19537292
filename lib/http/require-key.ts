/** Authenticates by secret key: operators, agents and services. */

import type { Context, MiddlewareHandler } from "hono";
import { bearerToken } from "../auth/bearer.ts";
import { hashKey, sameHash } from "../auth/secret-key.ts";
import { isFailure } from "../failure/failure.ts";
import type { HttpMetrics } from "../observe/http-metrics.ts";
import type { HttpEnv } from "./app.ts";
import { authProblem } from "./failure-problem.ts";
import { Problem } from "./problem.ts";

/** `check` throws a Problem when the key with this SHA-256 is refused. Each refusal is counted by its code. */
export function requireKey(
  metrics: HttpMetrics,
  check: (keyHash: Uint8Array, c: Context<HttpEnv>) => Promise<void>,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await withKey(metrics, c, (keyHash) => check(keyHash, c));
    await next();
  };
}

/** Requires the key of the admin API: 401 without it; compared in constant time. */
export function requireAdmin(metrics: HttpMetrics, adminKey: string): MiddlewareHandler<HttpEnv> {
  const wanted = hashKey(adminKey);
  return requireKey(metrics, async (keyHash) => {
    if (!sameHash(keyHash, wanted)) {
      throw keyProblem("unknown_key", "The key is not that of the admin API");
    }
  });
}

/** Calls `use` with the SHA-256 of the caller's key. Authentication failures are counted by code. */
export async function withKey<Answer>(
  metrics: HttpMetrics,
  { req }: Context<HttpEnv>,
  use: (keyHash: Uint8Array) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await use(hashKey(bearerToken(req.raw.headers.get("authorization"))));
  } catch (error) {
    const problem = isFailure(error, "auth") ? authProblem(error) : error;
    if (problem instanceof Problem && (problem.status === 401 || problem.status === 403)) {
      metrics.authenticationFailure(problem.code);
    }
    throw problem;
  }
}

/** 401 for an unknown or revoked key. */
export function keyProblem(code: string, message: string): Problem {
  const headers = { "www-authenticate": 'Bearer realm="vantage", error="invalid_token"' };
  return new Problem({ status: 401, code, message, headers });
}
