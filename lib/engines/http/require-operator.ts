/** Requires an operator: by the key of the admin API, or by the login of a user who has the right. */
import type { Context, MiddlewareHandler } from "hono";
import { isApiToken } from "../auth/api-token.ts";
import { bearerToken } from "../auth/bearer.ts";
import { hashKey, sameHash } from "../auth/secret-key.ts";
import type { TokenVerifier } from "../auth/token-verifier.ts";
import type { HttpMetrics } from "../observe/http-metrics.ts";
import type { HttpEnv } from "./app.ts";
import { checkGrant } from "./check-grant.ts";
import { problem } from "./problem.ts";
import { counted, keyProblem } from "./require-key.ts";

interface OperatorRights {
  readonly metrics: HttpMetrics;
  /** In plain; compared in constant time. */
  readonly adminKey: string;
  readonly tokens: TokenVerifier;
}

/**
 * 401 for anything but the key and, where the configuration names operators, a user's token; 403 for a token of another
 * user; 503 without keys to check a token with.
 */
export function requireOperator({ metrics, adminKey, tokens }: OperatorRights): MiddlewareHandler<HttpEnv> {
  const wanted = hashKey(adminKey);
  return async (c, next) => {
    const operator = await counted(metrics, async () => {
      const credential = bearerToken(c.req.raw.headers.get("authorization"));
      return sameHash(hashKey(credential), wanted) ? "admin" : await nameOf(c, credential, tokens);
    });
    c.set("operator", operator);
    await next();
  };
}

/** The author of a change, for the audit: `admin` with the key, or `operator:HASH`. Throws when it is unknown. */
export function operatorOf(c: Context<HttpEnv>): string {
  const operator = c.get("operator");
  if (operator === undefined) {
    throw new Error(`The caller of ${c.req.path} is unknown: the route lacks requireOperator`);
  }
  return operator;
}

/** A signed token has three parts with dots between them; an admin key has no dot. */
async function nameOf(c: Context<HttpEnv>, credential: string, tokens: TokenVerifier): Promise<string> {
  const isToken = isApiToken(credential) || credential.split(".").length === 3;
  if (tokens.hasOperators !== true || !tokens.needsToken || !isToken) {
    throw keyProblem("unknown_key", "The key is not that of the admin API");
  }
  const identity = await tokens.verify(credential);
  const { userHash, isOperator } = identity;
  await checkGrant(c, identity);
  if (!isOperator) {
    throw problem(
      403,
      "not_an_operator",
      "Your login has no operator's right here: it is given by oidc.operators or oidc.operator_claim",
    );
  }
  return `operator:${userHash}`;
}
