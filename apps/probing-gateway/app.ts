/** The gateway as one `fetch(Request) -> Response`: every area's routes, mounted. */
import type { Hono } from "hono";
import { type HttpEnv, httpApp } from "../../lib/http/app.ts";
import { limitsRoutes } from "./limits-routes.ts";
import { measurementRoutes } from "./measurements/routes.ts";
import type { Services } from "./services.ts";
import { submitRoutes } from "./submit/routes.ts";
import { userRoutes } from "./users/routes.ts";

/** Each area gives the routes of its own, with their whole paths. */
const areas: readonly ((services: Services) => Hono<HttpEnv>)[] = [
  userRoutes,
  submitRoutes,
  measurementRoutes,
  limitsRoutes,
];

export function gatewayApp(services: Services): Hono<HttpEnv> {
  const { log, metrics } = services;
  const app = httpApp({ title: "Vantage probing gateway", log, metrics: metrics.http });
  for (const area of areas) {
    app.route("/", area(services));
  }
  return app;
}
