/** Holds an API token to its scopes, and to the one object that it may be narrowed to. */
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { ObjectKind, Scope } from "../api/scopes.ts";
import { routeScope } from "../auth/route-scopes.ts";
import type { TokenGrant } from "../auth/token-grant.ts";
import type { Identity } from "../auth/token-verifier.ts";
import { formatAddress, parseAddress } from "../ip/address.ts";
import { type Prefix, prefixContains } from "../ip/prefix.ts";
import type { HttpEnv } from "./app.ts";
import { Problem } from "./problem.ts";
import type { Connection } from "./serve.ts";

/** Throws Problem 403: `missing_scope` with the scopes that would do, `no_api_token`, `other_object`. */
export async function checkGrant(c: Context<HttpEnv>, { grant }: Identity): Promise<void> {
  if (grant === undefined) {
    return;
  }
  grant.used({ tool: toolOf(c.req.raw.headers.get("user-agent")), address: callerAddress(c, grant.proxies) });
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
  if (grant.object !== null && !(await isOf(grant, wanted.object, c.req.param("id")?.toLowerCase()))) {
    const { kind, id } = grant.object;
    throw refused("other_object", `The token is for ${kind} ${id} alone: make another one for this`);
  }
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

async function isOf(grant: TokenGrant, kind: ObjectKind | null, id: string | undefined): Promise<boolean> {
  const { object } = grant;
  if (object === null || kind === null || id === undefined) {
    return false;
  }
  if (kind === object.kind) {
    return id === object.id;
  }
  return kind === "measurement" && (await grant.holds(id));
}

/** Proxies in a row that are looked through: a header may name thousands. */
const proxiesMax = 8;

/**
 * The caller's address in its usual spelling: the connection's, or, where that is a trusted proxy, the last address in
 * `X-Forwarded-For` that no trusted proxy has. Null where there is no connection.
 */
function callerAddress(c: Context<HttpEnv>, trusted: readonly Prefix[]): string | null {
  const { remoteAddress = null } = (c.env ?? {}) as Partial<Connection>;
  const before = (c.req.raw.headers.get("x-forwarded-for") ?? "").split(",").slice(-proxiesMax);
  let caller = remoteAddress === null ? null : parseAddress(remoteAddress);
  while (caller !== null && before.length > 0) {
    const proxy = caller;
    const next = parseAddress((before.pop() ?? "").trim());
    if (next === null || !trusted.some((network) => prefixContains(network, proxy))) {
      break;
    }
    caller = next;
  }
  return caller === null ? null : formatAddress(caller);
}

/** Characters of a tool's name: longer ones are cut. */
const toolCharsMax = 40;

/**
 * The first product of a User-Agent, without its version, in lower case (RFC 9110, section 10.1.5): `vantage` of
 * `vantage/1.2 (x)`. Other characters than letters, digits, `.`, `_` and `-` end it; `none` when nothing is left.
 */
function toolOf(userAgent: string | null): string {
  const [name = ""] = /^[\w.-]+/.exec(userAgent ?? "") ?? [];
  return name.slice(0, toolCharsMax).toLowerCase() || "none";
}
