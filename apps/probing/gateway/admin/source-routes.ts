/** `/admin/sources/ADDRESS`: finds the user of a source address, for answering complaints. */
import { Hono } from "hono";
import { sourceAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { findSource } from "../public/source.ts";
import type { AdminServices } from "./admin-services.ts";

const description = describe({
  tags: ["admin"],
  auth: "admin",
  summary: "Find whose probes come from a source address, now and before",
  ok: sourceAnswer,
  problems: [400, 403, 404],
});

export function sourceAdminRoutes(services: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/admin/sources/:address", description, async (c) => {
    const source = await findSource(services, c.req.param("address"));
    if (source === null) {
      throw problem(404, "unknown_source", "The address is not a source of this platform");
    }
    return c.json(source);
  });
  return app;
}
