/** A service as one `fetch(Request) -> Response`: every area's routes, monitoring, and its documentation. */
import type { Hono } from "hono";
import type { Registry } from "prom-client";
import packageJson from "../../../package.json" with { type: "json" };
import type { TokenVerifier } from "../auth/token-verifier.ts";
import { type HttpAppOptions, type HttpEnv, httpApp } from "../http/app.ts";
import { addDocumentation } from "../http/documentation.ts";
import { addMonitoring, type MonitoringOptions } from "../http/monitoring.ts";
import { requireUser } from "../http/require-user.ts";
import { checkWork } from "../http/route-work.ts";

interface ServiceApi extends HttpAppOptions {
  /** Title of its documentation. */
  readonly title: string;
  readonly description: string;
  /** Each area's routes, with their whole paths. */
  readonly areas: readonly Hono<HttpEnv>[];
  /** Absent = no user logins. */
  readonly tokens?: TokenVerifier;
  readonly takesApiTokens?: boolean;
  /** `/health`, `/ready` and `/metrics`; absent = an area has its own. */
  readonly watched?: { readonly registry: Registry; readonly checks: MonitoringOptions["checks"] };
}

const { version } = packageJson;

/** Throws an Error for a route without bounds of its work. */
export function serviceApp(api: ServiceApi): Hono<HttpEnv> {
  const { title, description, areas, tokens, takesApiTokens = false, watched, ...options } = api;
  const app = httpApp(options);
  for (const area of areas) {
    app.route("/", area);
  }
  if (tokens !== undefined) {
    // Any other path there: authenticate first.
    app.all("/api/*", requireUser(tokens, options.metrics), (c) => c.notFound());
  }
  if (watched !== undefined) {
    addMonitoring(app, { version, ...watched, partial: issuerCheck(tokens) });
  }
  addDocumentation(app, { title, version, description, takesApiTokens });
  checkWork(app.routes);
  return app;
}

/** Agents, operators and API tokens need no issuer: without it the service is degraded. */
function issuerCheck(tokens: TokenVerifier | undefined): MonitoringOptions["checks"] {
  const issuer = tokens?.checkIssuer;
  return issuer === undefined ? {} : { issuer };
}
