/** Restricts an API token to its scopes, and to the one object that it may be narrowed to. */
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { Scope } from "../../base/api/scopes.ts";
import { routeScope } from "../auth/route-scopes.ts";
import type { Identity } from "../auth/token-verifier.ts";
import type { HttpEnv } from "./app.ts";
import { callerAddress, toolOf } from "./caller.ts";
import { checkHeld } from "./owned.ts";
import { Problem } from "./problem.ts";

/** Throws Problem 403: `missing_scope` with the scopes that suffice, `no_api_token`, `other_object`. */
export async function checkGrant(c: Context<HttpEnv>, identity: Identity): Promise<void> {
  const { grant } = identity;
  if (grant === undefined) {
    return;
  }
  grant.used({ tool: toolOf(c.req.raw.headers.get("user-agent")), address: callerAddress(c) });
  const route = routeAt(c);
  if (route === null) {
    // Nothing is there: 404 or 405 follows.
    return;
  }
  const wanted = routeScope(route.method, route.path);
  if (wanted === null) {
    throw refused("no_api_token", "This takes no API token: log in");
  }
  if (!wanted.scopes.some((scope) => grant.scopes.includes(scope))) {
    throw missingScope(wanted.scopes);
  }
  const id = c.req.param("id")?.toLowerCase();
  await checkHeld(identity, wanted.object === null || id === undefined ? null : { kind: wanted.object, id });
}

/** 403 of RFC 6750, section 3.1. */
function missingScope(scopes: readonly Scope[]): Problem {
  const [first = ""] = scopes;
  return new Problem({
    status: 403,
    code: "missing_scope",
    message: `The token lacks the scope ${scopes.join(" or ")}: make one that has it`,
    headers: {
      "www-authenticate": `Bearer realm="vantage", error="insufficient_scope", scope="${first}"`,
    },
    extra: { scopes },
  });
}

function refused(code: string, message: string): Problem {
  return new Problem({ status: 403, code, message });
}

/** The route that the request has come to: the one whose handlers run, or that a guard of many stands before. */
function routeAt(c: Context<HttpEnv>): { readonly method: string; readonly path: string } | null {
  const routes = matchedRoutes(c);
  const here = routes[c.req.routeIndex];
  return here !== undefined && here.method !== "ALL"
    ? here
    : (routes.find(({ method }) => method !== "ALL") ?? null);
}
