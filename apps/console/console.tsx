/** @jsxImportSource hono/jsx */
/**
 * The console: pages over the APIs, served by a gateway beside them, all below `/console`.
 *
 * Pages use the gateway's own routes with the visitor's login, so the API decides about rights and does the queries.
 */
import { type Context, Hono } from "hono";
import { accepts } from "hono/accepts";
import type { TokenVerifier } from "../../lib/engines/auth/token-verifier.ts";
import type { HttpEnv } from "../../lib/engines/http/app.ts";
import { Problem, problem } from "../../lib/engines/http/problem.ts";
import type { Logger } from "../../lib/engines/observe/log.ts";
import { ApiClient, type Ask } from "./api-client.ts";
import { callRoutes } from "./call-routes.ts";
import { type ConsoleFiles, consoleFiles } from "./frame/files.ts";
import { fileHeaders, pageHeaders } from "./frame/headers.ts";
import { Layout } from "./frame/layout.tsx";
import { peeringWaitMs } from "./limits.ts";
import { type IssuerClient, IssuerLogin } from "./login/issuer-login.ts";
import { loginRoutes } from "./login/login-routes.ts";
import { type SessionDatabase, SessionStore } from "./login/session-store.ts";
import { Sessions, type Visitor } from "./login/sessions.ts";
import type { ConsolePage, View, Visit } from "./page.ts";
import { missingPage, pages } from "./pages.ts";
import { failureView } from "./parts/failure.tsx";

/** Header with the ids of the requested parts of a page, separated by blanks (client/fresh-page.ts); absent: all. */
const partsHeader = "x-parts";

export interface ConsoleParts {
  /** The gateway's routes, called for a page's request, so that limits by address apply to the browser's. */
  readonly api: (c: Context<HttpEnv>) => Ask;
  /** Address of the peering gateway, which accepts the same tokens; null = none. */
  readonly peeringGateway: string | null;
  /** Addresses of policy generators, for the state of sessions. */
  readonly exchanges: readonly string[];
  readonly collectors: readonly string[];
  /** Whether the collectors' routes are public. */
  readonly hasPublicRoutes: boolean;
  /** The gateway's public address; null = from the request. */
  readonly baseUrl: string | null;
  readonly tokens: TokenVerifier;
  readonly database: SessionDatabase;
  /** Null = no logins. */
  readonly issuer: IssuerClient | null;
  readonly log: Logger;
}

export function consoleRoutes(parts: ConsoleParts): Hono<HttpEnv> {
  const { api, peeringGateway, baseUrl, tokens, log } = parts;
  const store = new SessionStore(parts.database);
  const issuer = parts.issuer === null ? null : new IssuerLogin(parts.issuer);
  const common = { tokens, store, issuer, baseUrl, log };
  const sessions = new Sessions(common);
  const apiFor = (c: Context<HttpEnv>, visitor: Visitor) => asVisitor(api(c), visitor);
  const peeringFor =
    peeringGateway === null
      ? null
      : (visitor: Visitor) => asVisitor(elsewhere(peeringGateway, peeringAway), visitor);
  // They authenticate callers by address: the gateway is an operator there, and no token is sent.
  const exchanges = parts.exchanges.map((address) => serviceAt(address, exchangeAway));
  const collectors = parts.collectors.map((address) => serviceAt(address, collectorAway));

  const visitOf = (c: Context<HttpEnv>, visitor: Visitor): Visit => {
    const url = new URL(c.req.url);
    const asked = c.req.header(partsHeader)?.split(" ") ?? null;
    const mayLookUp = parts.hasPublicRoutes || visitor.person !== null;
    return {
      url,
      query: url.searchParams,
      isAsked: (id) => asked === null || asked.includes(id),
      param: (name) => c.req.param(name) ?? "",
      person: visitor.person,
      api: new ApiClient(apiFor(c, visitor)),
      peering: peeringFor === null ? null : new ApiClient(peeringFor(visitor)),
      exchanges,
      collectors: mayLookUp ? collectors : [],
      nowMs: Date.now(),
    };
  };
  const login = tokens.needsToken ? (issuer === null ? "not configured" : "possible") : "not needed";

  const app = new Hono<HttpEnv>();
  app.get("/", (c) => c.redirect("/console", 302));
  app.get("/console/files/:name", async (c) => fileAnswer(c, c.req.param("name"), await consoleFiles()));
  const show = (page: ConsolePage) => {
    app.get(page.path, async (c) => {
      const visitor = await sessions.visitor(c);
      const visit = visitOf(c, visitor);
      const { title, body, status = 200 } = await viewOf(page, visit);
      const files = await consoleFiles();
      const frame = { title, pages, current: page, visit, files, csrf: visitor.csrf, login } as const;
      const html = await (<Layout {...frame}>{body}</Layout>).toString();
      return c.body(`<!doctype html>\n${html}`, status, {
        ...pageHeaders,
        "content-type": "text/html; charset=utf-8",
      });
    });
  };
  pages.forEach(show);
  app.route("/", loginRoutes({ ...common, sessions }));
  app.route("/", callRoutes({ sessions, apiFor, peeringFor }));
  show(missingPage);
  return app;
}

/** The API with the visitor's token, which no page ever contains. */
function asVisitor(ask: Ask, { token }: Visitor): Ask {
  return (path, init) => {
    const headers = new Headers(init.headers);
    headers.set("user-agent", consoleProgram);
    if (token !== null) {
      headers.set("authorization", `Bearer ${token}`);
    }
    return ask(path, { ...init, headers });
  };
}

/** Origin of measurements that a page submits. */
const consoleProgram = "vantage-console";

interface Away {
  readonly code: string;
  readonly message: string;
}

const peeringAway: Away = {
  code: "peering_gateway_unavailable",
  message: "The peering gateway is unreachable; try again in a moment",
};
const exchangeAway: Away = {
  code: "exchange_unavailable",
  message: "The exchange is unreachable; announcements there continue",
};

const collectorAway: Away = {
  code: "collector_unavailable",
  message: "The collector is unreachable; routes stay as they are",
};

/** Without the visitor's token. */
function serviceAt(address: string, away: Away) {
  return { name: new URL(address).host, api: new ApiClient(elsewhere(address, away)) };
}

/** Another service: the token is sent only to its configured address, never to a redirect's. */
function elsewhere(address: string, away: Away): Ask {
  return async (path, init) => {
    const signal = AbortSignal.any([
      AbortSignal.timeout(peeringWaitMs),
      ...(init.signal ? [init.signal] : []),
    ]);
    try {
      return await fetch(`${address.replace(/\/+$/, "")}${path}`, { ...init, signal, redirect: "error" });
    } catch (cause) {
      throw new Problem({ status: 503, ...away, cause });
    }
  };
}

async function viewOf(page: ConsolePage, visit: Visit): Promise<View> {
  try {
    return await page.show(visit);
  } catch (error) {
    return failureView(error);
  }
}

function fileAnswer(c: Context<HttpEnv>, name: string, files: ConsoleFiles): Response {
  const file = Object.values(files).find((one) => one.name === name);
  if (file === undefined) {
    throw problem(404, "unknown_file", "There is no such file: load the page again");
  }
  const encoding = accepts(c, { header: "Accept-Encoding", supports: ["gzip"], default: "identity" });
  return encoding === "gzip"
    ? c.body(file.gzipped, 200, { ...fileHeaders, "content-type": file.type, "content-encoding": "gzip" })
    : c.body(file.bytes, 200, { ...fileHeaders, "content-type": file.type });
}
