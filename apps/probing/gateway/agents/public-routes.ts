/** The public routes of agents. */
import { Hono } from "hono";
import * as v from "valibot";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { agentConfigSchema, agentIdSchema } from "../../../../lib/measuring/probing/agent-config.ts";
import type { Services } from "../services.ts";
import type { AgentDirectory, AgentSnapshot } from "./agent-directory.ts";
import { type AgentRow, agentView, healthView, selectAgents } from "./agent-row.ts";
import { unknownAgent } from "./require-agent.ts";
import { agentSchema, healthSchema } from "./schemas.ts";

const common = { tags: ["agents"], auth: "public" } as const;

export function publicAgentRoutes({
  database,
  agents,
}: Pick<Services, "database"> & { readonly agents: AgentDirectory }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const find = async (id: string): Promise<AgentRow> => {
    const [row] = v.is(agentIdSchema, id)
      ? await database.timed("agent_read", () => selectAgents(database.sql, [id]))
      : [];
    if (row === undefined) {
      throw unknownAgent(id);
    }
    return row;
  };
  const list = describe({ ...common, summary: "List all agents", ok: v.array(agentSchema) });
  app.get("/api/agents", list, async (c) => {
    const snapshot = agents.fresh ?? (await agents.read());
    return listAnswer(snapshot, c.req.raw.headers.get("if-none-match"));
  });
  const one = describe({ ...common, summary: "Show an agent", ok: agentSchema, problems: [404] });
  app.get("/api/agent/:id", one, async (c) => c.json(agentView(await find(c.req.param("id")))));
  const config = describe({
    ...common,
    summary: "Show an agent's instances",
    ok: agentConfigSchema,
    problems: [404],
  });
  app.get("/api/agent/:id/config", config, async (c) => {
    const row = await find(c.req.param("id"));
    return c.json(row.config ?? missing(row, "config", "has not reported its instances yet"));
  });
  const health = describe({
    ...common,
    summary: "Show an agent's health",
    ok: v.object({
      ...healthSchema.entries,
      time_ms: v.pipe(v.number(), v.description("The gateway's clock now")),
    }),
    problems: [404],
  });
  app.get("/api/agent/:id/health", health, async (c) => {
    const row = await find(c.req.param("id"));
    const health = healthView(row) ?? missing(row, "health", "has not reported its health");
    return c.json({ ...health, time_ms: Date.now() });
  });
  return app;
}

function listAnswer({ body, etag, headers }: AgentSnapshot, given: string | null): Response {
  return given === etag ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}

function missing({ agent_id }: AgentRow, what: "config" | "health", why: string): never {
  throw new Problem({ status: 404, code: `no_agent_${what}`, message: `Agent "${agent_id}" ${why} yet` });
}
