/** Authenticates by secret key: agents and services; operators: require-operator.ts. */
import type { Context, MiddlewareHandler } from "hono";
import { isFailure } from "../../base/failure/failure.ts";
import { bearerToken } from "../auth/bearer.ts";
import { hashKey } from "../auth/secret-key.ts";
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

/** Calls `use` with the SHA-256 of the caller's key. Authentication failures are counted by code. */
export async function withKey<Answer>(
  metrics: HttpMetrics,
  { req }: Context<HttpEnv>,
  use: (keyHash: Uint8Array) => Promise<Answer>,
): Promise<Answer> {
  return counted(metrics, () => use(hashKey(bearerToken(req.raw.headers.get("authorization")))));
}

/** Counts the failures of `act` that are of authentication, and throws what callers see of them. */
export async function counted<Answer>(metrics: HttpMetrics, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
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
