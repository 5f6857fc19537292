/** The gateway as one `fetch(Request) -> Response`: every area's routes, mounted. */
import type { Hono } from "hono";
import { type HttpEnv, httpApp } from "../../lib/http/app.ts";
import { addDocumentation } from "../../lib/http/documentation.ts";
import { addProbes } from "../../lib/http/probes.ts";
import { requireUser } from "../../lib/http/require-user.ts";
import packageJson from "../../package.json" with { type: "json" };
import { adminRoutes } from "./admin/routes.ts";
import { explainFailure } from "./explain-failure.ts";
import { leaseRoutes } from "./leases/routes.ts";
import { rpkiRoutes } from "./rpki/routes.ts";
import { serviceRoutes } from "./service/routes.ts";
import type { Services } from "./services.ts";
import { userRoutes } from "./users/routes.ts";

/** Each area gives the routes of its own, with their whole paths. */
const areas: readonly ((services: Services) => Hono<HttpEnv>)[] = [
  userRoutes,
  leaseRoutes,
  rpkiRoutes,
  serviceRoutes,
  adminRoutes,
];

const title = "Vantage peering gateway";

const about = `Gives AS numbers and leases IPv6 /48s, and tells exchange servers who has which.

Users are told by a token of the identity provider. Every failure is application/problem+json with a stable code.`;

export function gatewayApp(services: Services): Hono<HttpEnv> {
  const { config, database, log, metrics, tokens } = services;
  const app = httpApp({
    log,
    metrics: metrics.http,
    accessLog: config.accessLog,
    explain: explainFailure,
    origins: config.corsOrigins,
  });
  for (const area of areas) {
    app.route("/", area(services));
  }
  // Whatever else is asked for there: who asks is known first.
  app.all("/api/*", requireUser(tokens, metrics.http), (c) => c.notFound());
  addProbes(app, {
    version: packageJson.version,
    registry: metrics.registry,
    checks: { database: () => database.checkReady() },
  });
  addDocumentation(app, { title, version: packageJson.version, description: about });
  return app;
}
