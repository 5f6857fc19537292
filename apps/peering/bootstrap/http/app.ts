/** The status page, its JSON form, health and metrics. All routes are read-only. */
import { Hono } from "hono";
import type { Registry } from "prom-client";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { httpMetrics } from "../../../../lib/engines/observe/http-metrics.ts";
import { serviceApp } from "../../../../lib/engines/service/service-app.ts";
import type { Client } from "../client.ts";
import { statusBody } from "../status/bodies.ts";
import { statusView } from "../status/status-view.ts";
import { pagePolicy, statusPage } from "./status-page.ts";

export function statusApp(client: Client, registry: Registry): Hono<HttpEnv> {
  const checks = {
    vpn: async () => mustBe(client.snapshot.vpnState === "Running"),
    daemon: async () => mustBe(client.snapshot.isInForce),
    session: async () =>
      mustBe([...(client.snapshot.sessions ?? new Map()).values()].some(({ isUp }) => isUp)),
  };
  return serviceApp({
    title: "Vantage client",
    description: "The state of one user's sessions.",
    log: client.parts.log,
    metrics: httpMetrics(registry),
    areas: [statusRoutes(client)],
    watched: { registry, checks },
  });
}

function statusRoutes(client: Client): Hono<HttpEnv> {
  const view = () => statusView(client.snapshot);
  const app = new Hono<HttpEnv>();
  app.get("/", (c) => {
    c.header("content-security-policy", pagePolicy);
    c.header("cache-control", "no-store");
    // Existing pages show the user's ASN this way.
    c.header("x-user-asn", String(client.snapshot.user.asn ?? ""));
    return c.html(statusPage(view()));
  });
  app.get(
    "/status.json",
    describe({ summary: "Sessions, prefixes and refusals", tags: ["state"], auth: "public", ok: statusBody }),
    (c) => {
      c.header("cache-control", "no-store");
      return c.json(view());
    },
  );
  return app;
}

function mustBe(isSo: boolean): void {
  if (!isSo) {
    throw new Error("not yet");
  }
}
