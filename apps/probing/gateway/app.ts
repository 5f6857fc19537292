/** The gateway as one `fetch(Request) -> Response`: every area's routes, mounted. */
import type { Context, Hono } from "hono";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { databaseAway } from "../../../lib/engines/http/failure-problem.ts";
import { serviceApp } from "../../../lib/engines/service/service-app.ts";
import type { Ask } from "../../console/api-client.ts";
import { type ConsoleParts, consoleRoutes } from "../../console/console.tsx";
import { alertRoutes } from "../campaigns/alert-routes.ts";
import { discoveryRoutes } from "../campaigns/discovery-routes.ts";
import { experimentRoutes } from "../campaigns/experiment-routes.ts";
import { campaignRoutes } from "../campaigns/routes.ts";
import { adminRoutes } from "./admin/routes.ts";
import { publicAgentRoutes } from "./agents/public-routes.ts";
import { agentRoutes } from "./agents/routes.ts";
import type { GatewayServices } from "./gateway.ts";
import { limitsRoutes } from "./limits-routes.ts";
import { measurementRoutes } from "./measurements/routes.ts";
import { packetRoutes } from "./packets/routes.ts";
import { loginRoutes } from "./public/login-routes.ts";
import { sourceRoutes } from "./public/source-routes.ts";
import { campaignMetricRoutes } from "./reads/campaign-metrics.ts";
import { readRoutes } from "./reads/routes.ts";
import { lookupRoutes } from "./safety/lookup-routes.ts";
import { publicRoutes } from "./sharing/public-routes.ts";
import { sharingRoutes } from "./sharing/routes.ts";
import { sqlRoutes } from "./sql/routes.ts";
import { submitRoutes } from "./submit/routes.ts";
import { tokenRoutes } from "./tokens/routes.ts";
import { userRoutes } from "./users/routes.ts";

/** The caller's address from trusted proxies. */
const forwardedFor = "x-forwarded-for";

/** Each area provides its own routes, with their full paths. */
const areas: readonly ((services: GatewayServices) => Hono<HttpEnv>)[] = [
  userRoutes,
  submitRoutes,
  measurementRoutes,
  packetRoutes,
  campaignRoutes,
  discoveryRoutes,
  experimentRoutes,
  alertRoutes,
  readRoutes,
  campaignMetricRoutes,
  sqlRoutes,
  limitsRoutes,
  lookupRoutes,
  loginRoutes,
  tokenRoutes,
  sharingRoutes,
  publicRoutes,
  agentRoutes,
  publicAgentRoutes,
  sourceRoutes,
  adminRoutes,
];

const description = `Submits measurements to agents at many vantage points, and shows what they have measured.

Users are identified by a token of the identity provider, their programs by an API token, which gives no more than its \
scopes.`;

export function gatewayApp(services: GatewayServices): Hono<HttpEnv> {
  const { config, database, spoolFolder, log, metrics, tokens, reachability } = services;
  // The console uses the API like any client; its requests stay in the process.
  const api = (c: Context<HttpEnv>): Ask => {
    const forwarded = c.req.header(forwardedFor);
    return async (path, init) => {
      const headers = new Headers(init.headers);
      if (forwarded !== undefined) {
        headers.set(forwardedFor, forwarded);
      }
      // A page's requests end when its reader disconnects.
      const signal =
        init.signal == null ? c.req.raw.signal : AbortSignal.any([init.signal, c.req.raw.signal]);
      return app.request(path, { ...init, headers, signal }, c.env);
    };
  };
  const pages = config.console.enabled ? [consoleRoutes(consoleParts(services, api))] : [];
  const app = serviceApp({
    title: "Vantage probing gateway",
    description,
    log,
    metrics: metrics.http,
    accessLog: config.accessLog,
    onFailure: ({ code }) => {
      if (code === databaseAway) {
        reachability.missed();
      }
    },
    origins: config.corsOrigins,
    proxies: config.trustedProxies,
    tokens,
    takesApiTokens: true,
    areas: [...areas.map((area) => area(services)), ...pages],
    watched: {
      registry: metrics.registry,
      checks: {
        database: () => database.checkReady(),
        broker: () => brokerCheck(services),
        spool: () => spoolFolder.checkRoom(),
      },
    },
  });
  return app;
}

function consoleParts(
  { config, tokens, database, log }: GatewayServices,
  api: ConsoleParts["api"],
): ConsoleParts {
  const { oidc, bypassAuthentication, peeringGateway, baseUrl } = config;
  const { clientId, clientSecret, exchanges, collectors, publicRoutes } = config.console;
  const issuer =
    oidc === null || bypassAuthentication
      ? null
      : { issuer: oidc.issuer, clientId, clientSecret, audience: oidc.audiences[0] ?? null };
  const elsewhere = { peeringGateway, exchanges, collectors, hasPublicRoutes: publicRoutes };
  return { api, tokens, database, log, ...elsewhere, baseUrl, issuer };
}

/** From the broker's last result: submissions are accepted while it is unreachable, but operators should act. */
async function brokerCheck({
  dispatcher,
  broker,
}: Pick<GatewayServices, "dispatcher" | "broker">): Promise<void> {
  if (!dispatcher.isBrokerWell) {
    throw new Error("the broker does not take records");
  }
  await broker.checkRoom();
}
