/** The admin API, for operators only. */
import { Hono } from "hono";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { requireOperator } from "../../../../lib/engines/http/require-operator.ts";
import type { AdminServices } from "./admin-services.ts";
import { agentAdminRoutes } from "./agent-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { campaignAdminRoutes } from "./campaign-routes.ts";
import { enrolmentRoutes } from "./enrolment-routes.ts";
import { erasureRoutes } from "./erasure-routes.ts";
import { ingestRoutes } from "./ingest-routes.ts";
import { safetyAdminRoutes } from "./safety-routes.ts";
import { sharingAdminRoutes } from "./sharing-routes.ts";
import { sourceAdminRoutes } from "./source-routes.ts";
import { traceRoutes } from "./trace-routes.ts";
import { userAdminRoutes } from "./user-routes.ts";

const areas = [
  userAdminRoutes,
  erasureRoutes,
  agentAdminRoutes,
  enrolmentRoutes,
  safetyAdminRoutes,
  sourceAdminRoutes,
  campaignAdminRoutes,
  sharingAdminRoutes,
  auditRoutes,
  ingestRoutes,
  traceRoutes,
];

export function adminRoutes(services: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const { metrics, adminKey, tokens } = services;
  app.use("/admin/*", requireOperator({ metrics: metrics.http, adminKey, tokens }));
  for (const area of areas) {
    app.route("/", area(services));
  }
  return app;
}
