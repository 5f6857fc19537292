/** The generator's own routes: policy, sessions, health, metrics, and refresh. */
import { type Context, Hono } from "hono";
import type { Registry } from "prom-client";
import { exchangeStatusAnswer } from "../../../../lib/base/api/exchange-status.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import type { Connection } from "../../../../lib/engines/http/serve.ts";
import type { HttpMetrics } from "../../../../lib/engines/observe/http-metrics.ts";
import { serviceApp } from "../../../../lib/engines/service/service-app.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import { rejectAll } from "../../../../lib/peering/policy/policy.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import type { Peers } from "../daemon/peers.ts";
import type { Generator } from "../generator.ts";
import type { Loop } from "../loop.ts";
import { type SourceName, sourceNames } from "../source-cache.ts";
import { type HealthBody, healthBody, policyBody, refreshBody } from "./bodies.ts";
import { policyView } from "./policy-view.ts";
import { statusView } from "./status-view.ts";
import { type Viewer, viewerOf } from "./viewer.ts";

interface AppParts {
  readonly generator: Generator;
  readonly loop: Loop;
  readonly peers: Peers;
  readonly registry: Registry;
  readonly httpMetrics: HttpMetrics;
  readonly operatorNetworks: readonly Prefix[];
  readonly platformAsn: number;
  readonly alertMs: number;
}

/** Its environment is the connection: callers are identified by their address only. */
export function generatorApp(parts: AppParts): Hono<HttpEnv> {
  return serviceApp({
    title: "Vantage policy generator",
    description,
    log: parts.generator.parts.log,
    metrics: parts.httpMetrics,
    areas: [stateRoutes(parts), operatorRoutes(parts)],
  });
}

function stateRoutes(parts: AppParts): Hono<HttpEnv> {
  const { generator, alertMs } = parts;
  const app = new Hono<HttpEnv>();
  app.get(
    "/health",
    describe({
      summary: "Whether it does its work",
      tags: ["state"],
      auth: "public",
      ok: [
        { status: 200, description: "It does; degraded: something is amiss", schema: healthBody },
        { status: 503, description: "The active policy is not the current one", schema: healthBody },
      ],
    }),
    (c) => {
      const health = healthView(generator, alertMs);
      return c.json(health, health.status === "unhealthy" ? 503 : 200);
    },
  );
  app.get(
    "/status",
    describe({
      summary: "Sessions and their routes",
      description:
        "An operator sees all; a user of the VPN the sessions of own devices, by the address alone.",
      tags: ["state"],
      auth: "public",
      ok: exchangeStatusAnswer,
      problems: [403, 503],
    }),
    async (c) => {
      const viewer = admitted(viewerFor(c, parts), "user");
      const addresses = viewer.kind === "user" ? viewer.addresses : null;
      const { peers, platformAsn } = parts;
      return c.json(await statusView(generator, peers, { platformAsn, addresses }));
    },
  );
  return app;
}

const description =
  "Makes the routing policy of an exchange server from leases and VPN devices. Who asks is known by the address " +
  "that the connection comes from: operators' networks are configured, addresses of the VPN are those of users.";

function operatorRoutes(parts: AppParts): Hono<HttpEnv> {
  const { generator, loop, registry } = parts;
  const app = new Hono<HttpEnv>();
  app.get(
    "/policy",
    describe({
      summary: "The active policy, and why users are excluded",
      tags: ["operator"],
      auth: "public",
      ok: policyBody,
      problems: [403, 503],
    }),
    (c) => {
      admitted(viewerFor(c, parts), "operator");
      if (generator.applied === null) {
        throw problem(503, "no_policy", "There is no policy yet: try again when the sources have answered");
      }
      return c.json(policyView(generator, generator.applied));
    },
  );
  app.post(
    "/refresh",
    describe({
      summary: "Reads the sources and applies them now",
      tags: ["operator"],
      auth: "public",
      ok: refreshBody,
      problems: [403],
    }),
    async (c) => {
      admitted(viewerFor(c, parts), "operator");
      const before = generator.applied?.text.version;
      const ok = await loop.refresh();
      const version = generator.applied?.text.version ?? null;
      return c.json({ ok, changed: version !== before, version });
    },
  );
  app.get("/metrics", async (c) => {
    admitted(viewerFor(c, parts), "operator");
    return c.body(await registry.metrics(), 200, { "content-type": registry.contentType });
  });
  return app;
}

function viewerFor(c: Context<HttpEnv>, { generator, operatorNetworks }: AppParts): Viewer {
  const { remoteAddress = null } = (c.env ?? {}) as Partial<Connection>;
  return viewerOf(remoteAddress, operatorNetworks, generator.applied?.policy ?? rejectAll);
}

function admitted(viewer: Viewer, least: "user" | "operator"): Viewer {
  if (viewer.kind === "operator" || viewer.kind === least) {
    return viewer;
  }
  const message =
    least === "user"
      ? "Cannot show this here: ask from the VPN, or from a network of generator.operator_networks"
      : "Cannot do this from here: only networks of generator.operator_networks may";
  throw problem(403, "forbidden_network", message);
}

/**
 * Degraded: the active policy is right for now, but something is wrong. Unhealthy: the active policy is not the
 * current one, or no user may announce anything.
 */
function healthView(generator: Generator, alertMs: number): HealthBody {
  const { knowledge, watch, nowMs } = generator.parts;
  const age = (source: SourceName) => knowledge.ageMs(source, nowMs());
  const old = sourceNames
    .filter((source) => (age(source) ?? alertMs) >= alertMs)
    .map((source) => `nothing new from the ${source} for too long`);
  const broken = [
    ...(generator.failure === "" ? [] : [generator.failure]),
    ...(generator.isStale() ? ["what is known is too old: every route of every user is refused"] : []),
  ];
  const amiss = [...old, ...(watch.sessions === null ? ["the routing daemon does not answer"] : [])];
  const seconds = (source: SourceName) => {
    const ageMs = age(source);
    return ageMs === null ? null : Math.round(ageMs / 1000);
  };
  return {
    status: broken.length > 0 ? "unhealthy" : amiss.length > 0 ? "degraded" : "healthy",
    reasons: [...broken, ...amiss],
    version: packageJson.version,
    data_age_seconds: { gateway: seconds("gateway"), vpn: seconds("vpn") },
  };
}
