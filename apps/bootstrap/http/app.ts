/** The status page, its JSON twin, and what the machinery around asks. Nothing here changes anything. */
import type { Hono } from "hono";
import type { Registry } from "prom-client";
import { type HttpEnv, httpApp } from "../../../lib/http/app.ts";
import { describe } from "../../../lib/http/describe.ts";
import { addDocumentation } from "../../../lib/http/documentation.ts";
import { addProbes } from "../../../lib/http/probes.ts";
import { httpMetrics } from "../../../lib/observe/http-metrics.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { Client } from "../client.ts";
import { statusBody } from "../status/bodies.ts";
import { statusView } from "../status/status-view.ts";
import { pagePolicy, statusPage } from "./status-page.ts";

const { version } = packageJson;

export function statusApp(client: Client, registry: Registry): Hono<HttpEnv> {
  const { log, config } = client.parts;
  const app = httpApp({ log, metrics: httpMetrics(registry) });
  const view = () => statusView(client.snapshot, config.user);
  app.get("/", (c) => {
    c.header("content-security-policy", pagePolicy);
    c.header("cache-control", "no-store");
    // Existing pages tell the user's ASN so.
    c.header("x-user-asn", String(config.user.asn));
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
  const checks = {
    vpn: async () => mustBe(client.snapshot.vpnState === "Running"),
    daemon: async () => mustBe(client.snapshot.isInForce),
  };
  addProbes(app, { version, registry, checks });
  addDocumentation(app, {
    title: "Vantage client",
    version,
    description: "The state of one user's sessions.",
  });
  return app;
}

function mustBe(isSo: boolean): void {
  if (!isSo) {
    throw new Error("not yet");
  }
}
