/**
 * `/console/call/api/…` and `/console/call/admin/…`: the gateway's API for our pages' scripts;
 * `/console/peering-call/…`: the peering gateway's. The session replaces the token; everything else is the API's.
 */
import { type Context, Hono } from "hono";
import type { HttpEnv } from "../../lib/engines/http/app.ts";
import { type Problem, problem } from "../../lib/engines/http/problem.ts";
import { type Standing, standingOf } from "../../lib/engines/http/standing.ts";
import type { Ask } from "./api-client.ts";
import { checkCsrf } from "./login/csrf.ts";
import type { Sessions, Visitor } from "./login/sessions.ts";

/** Request headers that are passed to the API, without cookies. */
const passedOn = ["accept", "content-type", "idempotency-key", "if-none-match", "last-event-id", "range"];

/** Response headers that are passed to the browser, besides those below. */
const passedBack = ["content-type", "content-disposition", "etag", "link", "location", "retry-after"];

const ownHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  // Results are untrusted text: nothing in them is executed, even if the address is opened directly.
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

interface CallParts {
  readonly sessions: Sessions;
  readonly apiFor: (c: Context<HttpEnv>, visitor: Visitor) => Ask;
  /** Null = no peering gateway is configured. */
  readonly peeringFor: ((visitor: Visitor) => Ask) | null;
}

export function callRoutes({ sessions, apiFor, peeringFor }: CallParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.all("/console/call/*", async (c) => {
    const visitor = await sessions.visitor(c);
    c.set("checkAgain", () => sessions.checkLive(visitor));
    return passOn(c, visitor, { prefix: "/console/call", ask: apiFor(c, visitor) });
  });
  app.all("/console/peering-call/*", async (c) => {
    if (peeringFor === null) {
      throw unknownPath();
    }
    const visitor = await sessions.visitor(c);
    c.set("checkAgain", () => sessions.checkLive(visitor));
    return passOn(c, visitor, { prefix: "/console/peering-call", ask: peeringFor(visitor) });
  });
  return app;
}

interface Way {
  readonly prefix: string;
  readonly ask: Ask;
}

async function passOn(c: Context<HttpEnv>, visitor: Visitor, { prefix, ask }: Way): Promise<Response> {
  const { method, raw } = c.req;
  const isReading = method === "GET" || method === "HEAD";
  if (!isReading) {
    checkCsrf(c, visitor);
  }
  const url = new URL(raw.url);
  const path = url.pathname.slice(prefix.length);
  if (!/^\/(api|admin)\//.test(path)) {
    throw unknownPath();
  }
  const standing = standingOf(c);
  const answer = await ask(`${path}${url.search}`, {
    method,
    headers: chosen(raw.headers, passedOn),
    signal: AbortSignal.any([raw.signal, standing.signal]),
    redirect: "error",
    ...(isReading || raw.body === null ? {} : { body: raw.body }),
  }).catch((error: unknown) => {
    standing[Symbol.dispose]();
    throw error;
  });
  return new Response(watched(answer, raw.signal, standing), {
    status: answer.status,
    headers: { ...chosen(answer.headers, passedBack), ...ownHeaders },
  });
}

/** Cuts off an open event stream when its session ends; the checks end with the stream. */
function watched({ body, headers }: Response, reader: AbortSignal, standing: Standing): Response["body"] {
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (body === null || !isStream || reader.aborted) {
    standing[Symbol.dispose]();
    return body;
  }
  const end = () => standing[Symbol.dispose]();
  reader.addEventListener("abort", end, { once: true });
  return body.pipeThrough(new TransformStream({ flush: end }));
}

function chosen(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function unknownPath(): Problem {
  return problem(404, "unknown_path", "There is no API at this path");
}
