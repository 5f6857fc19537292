/**
 * The base of each service's Hono app: request ids, metrics, logs, and one shape for every failure, also of
 * middleware, unknown paths and methods.
 *
 * Areas are mounted with `app.route("/", area)` and throw Problem, or anything else, which becomes a 500.
 */
import { type Context, type Env, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { matchedRoutes } from "hono/route";
import type { Prefix } from "../../net/ip/prefix.ts";
import { isRequestId } from "../../net/wire/target-header.ts";
import type { HttpMetrics } from "../observe/http-metrics.ts";
import type { Logger } from "../observe/log.ts";
import { SampledWarnings } from "../observe/sampled-warnings.ts";
import { BodyRoom } from "./body-room.ts";
import { crossOrigin } from "./cors.ts";
import { failureProblem } from "./failure-problem.ts";
import type { HttpEnv } from "./http-env.ts";
import { Problem, problem } from "./problem.ts";
import { answerProblem } from "./problem-page.ts";
import { requestWork } from "./request-work.ts";
import { SegmentRouter } from "./segment-router.ts";

export type { HttpEnv };

/** Where people log in, in services that have a console. */
const consolePath = "/console";

/** Methods that a route may have. */
const askedMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export interface HttpAppOptions {
  readonly log: Logger;
  readonly metrics: HttpMetrics;
  /** Log a line for each request, not only for failures. Costs about a tenth of the throughput. */
  readonly accessLog?: boolean;
  /** Called with the answer to a failure that no route has handled. */
  readonly onFailure?: (problem: Problem) => void;
  /** Web pages of these origins may call: `https://app.example.net`, or `*`. Default none. */
  readonly origins?: readonly string[];
  /** Proxies trusted to set X-Forwarded-For: by the network before them strangers have their shares. */
  readonly proxies?: readonly Prefix[];
}

export function httpApp(options: HttpAppOptions): Hono<HttpEnv> {
  const { log, metrics, accessLog = false, onFailure, origins = [], proxies = [] } = options;
  const nextId = requestIds();
  const app = new Hono<HttpEnv>({ router: new SegmentRouter() });
  const allow = allowedMethods(app);
  const bodyRoom = new BodyRoom((code) => metrics.bodyRefused(code));
  const workOf = requestWork((code) => metrics.workRefused(code));
  const warnings = new SampledWarnings(log);
  const answer = answerer(allow);

  app.use(async (c, next) => {
    const startedAtMs = performance.now();
    const requestId = nextId(c.req.raw.headers.get("x-request-id"));
    c.set("requestId", requestId);
    c.set("proxies", proxies);
    c.set("bodyRoom", bodyRoom);
    using work = workOf(c);
    c.set("work", work);
    const malformed = pathProblem(c);
    if (malformed === null) {
      await next();
    } else {
      c.res = await answer(c, malformed, requestId);
    }
    c.res.headers.set("x-request-id", requestId);
    const elapsedMs = performance.now() - startedAtMs;
    const { method } = c.req;
    const { status } = c.res;
    const route = routeOf(c);
    metrics.request({ method: knownMethod(method), route, status, elapsedMs });
    if (accessLog) {
      log.info("Answered", { request_id: requestId, method, route, status, elapsed_ms: elapsedMs });
    }
  });
  if (origins.length > 0) {
    app.use(crossOrigin(origins));
  }
  app.notFound((c) => {
    const methods = allow(c.req.path);
    if (methods.length > 0 && c.req.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { allow: methods.join(", ") } });
    }
    return answer(c, noRoute(c, methods), c.get("requestId"));
  });
  app.onError((error, c) => {
    const problem = problemOf(error);
    if (problem !== error) {
      onFailure?.(problem);
    }
    const requestId = c.get("requestId");
    const { method } = c.req;
    if (problem.status === 503) {
      // Not a bug: there is no room, or a dependency is unreachable. Many requests would log megabytes of it.
      const reason = reasonOf(problem);
      const fields = { request_id: requestId, method, route: routeOf(c), reason };
      warnings.warn(problem.code, "Refused requests: no room, or a dependency is unreachable", fields);
    } else if (problem.status >= 500) {
      log.error("Cannot answer a request", { request_id: requestId, method, route: routeOf(c), error });
    }
    return answer(c, problem, requestId);
  });
  return app;
}

function answerer(allow: (path: string) => string[]) {
  return (c: Context<HttpEnv>, problem: Problem, requestId: string) =>
    answerProblem(c, problem, { requestId, console: allow(consolePath).length > 0 ? consolePath : null });
}

/**
 * Hono takes broken percent-encoding as plain text, which would be a different name. No name contains a NUL, and no
 * database accepts one.
 */
function pathProblem({ req }: Context<HttpEnv>): Problem | null {
  const { path, url } = req;
  if (url.includes("%00")) {
    return problem(400, "malformed_path", "Cannot read the path or the query: it holds a NUL (%00)");
  }
  try {
    if (path.includes("%")) {
      decodeURIComponent(path);
    }
    return null;
  } catch (cause) {
    const message = "Cannot read the path: its percent-encoding is broken";
    return new Problem({ status: 400, code: "malformed_path", message, cause });
  }
}

function noRoute({ req }: Context<HttpEnv>, methods: readonly string[]): Problem {
  return methods.length === 0
    ? problem(404, "unknown_path", "There is nothing at this path; /docs lists what there is")
    : new Problem({
        status: 405,
        code: "method_not_allowed",
        message: `Cannot ${req.method} here: use ${methods.join(", ")}`,
        headers: { allow: methods.join(", ") },
      });
}

/** The cause may name hosts; the caller does not see it. */
function reasonOf({ message, cause }: Problem): string {
  return cause instanceof Error ? cause.message : message;
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) {
    return error;
  }
  if (error instanceof HTTPException) {
    const { status, message, cause } = error;
    return new Problem({ status, code: "refused_request", message: message || "Cannot do this", cause });
  }
  return (
    failureProblem(error) ??
    new Problem({
      status: 500,
      code: "internal_error",
      message: "Something went wrong here; the operator finds it in the log by the request_id",
      cause: error,
    })
  );
}

/** The pattern of the matched route; one name for all unknown paths. */
function routeOf(c: Context<HttpEnv>): string {
  const route = matchedRoutes(c).findLast(({ method }) => method !== "ALL");
  return route?.path ?? "unknown";
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** A caller may send any word as a method; a label must not be any word. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : "other";
}

/** A path's methods: Hono looks up routes by method first. Middleware (method ALL) does not count. */
function allowedMethods<E extends Env>(app: Hono<E>): (path: string) => string[] {
  return (path) => {
    const found = askedMethods.filter((method) => {
      const [handlers] = app.router.match(method, path);
      return handlers.some(([[, route]]) => route.method === method);
    });
    const all = found.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    return all.length === 0 ? [] : [...all, "OPTIONS"];
  };
}

/**
 * Takes the id that the client or a proxy gave if it is plain (isRequestId), else counts: a random start for
 * each process and a number, which costs less than a random id for each request.
 */
function requestIds(): (given: string | null) => string {
  const start = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return (given) => (given !== null && isRequestId(given) ? given : `${start}-${(++count).toString(36)}`);
}
