/** The gateway as one `fetch(Request) -> Response`: every area's routes, mounted. */
import type { Hono } from "hono";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { serviceApp } from "../../../lib/engines/service/service-app.ts";
import { adminRoutes } from "./admin/routes.ts";
import { announcementRoutes } from "./announcements/routes.ts";
import type { GatewayServices } from "./gateway.ts";
import { grantRoutes } from "./grants/routes.ts";
import { leaseRoutes } from "./leases/routes.ts";
import { rpkiRoutes } from "./rpki/routes.ts";
import { serviceRoutes } from "./service/routes.ts";
import { userRoutes } from "./users/routes.ts";

/** Each area gives its own routes, with their full paths. */
const areas: readonly ((services: GatewayServices) => Hono<HttpEnv>)[] = [
  userRoutes,
  leaseRoutes,
  announcementRoutes,
  grantRoutes,
  rpkiRoutes,
  serviceRoutes,
  adminRoutes,
];

const description = `Gives AS numbers and leases IPv6 /48s, and gives exchange servers the list of who has which.

Users are identified by a token of the identity provider.`;

export function gatewayApp(services: GatewayServices): Hono<HttpEnv> {
  const { config, database, log, metrics, tokens } = services;
  return serviceApp({
    title: "Vantage peering gateway",
    description,
    log,
    metrics: metrics.http,
    accessLog: config.accessLog,
    origins: config.corsOrigins,
    proxies: config.trustedProxies,
    tokens,
    areas: areas.map((area) => area(services)),
    watched: { registry: metrics.registry, checks: { database: () => database.checkReady() } },
  });
}
