/** The agent API: agents' reports and the gateway's responses. Each agent has its own key. */
import { Hono } from "hono";
import * as v from "valibot";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { withKey } from "../../../../lib/engines/http/require-key.ts";
import { agentConfigSchema } from "../../../../lib/measuring/probing/agent-config.ts";
import {
  type BlocklistAnswer,
  blocklistAnswerSchema,
  type CrowdAnswer,
  crowdAnswerSchema,
  type HealthAnswer,
  healthAnswerSchema,
  healthReportSchema,
  progressBatchSchema,
  progressSchema,
} from "../../../../lib/measuring/probing/agent-report.ts";
import { registrationBytesMax } from "../limits.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { DestinationCrowd } from "../safety/destination-crowd.ts";
import type { Safety } from "../safety/safety.ts";
import type { Services } from "../services.ts";
import type { AgentDirectory } from "./agent-directory.ts";
import { agentView, selectAgents } from "./agent-row.ts";
import { ChangePace } from "./change-pace.ts";
import { HealthReports } from "./health.ts";
import { keepConfig } from "./posted-config.ts";
import { ProgressReports } from "./progress.ts";
import { register } from "./registration.ts";
import { agentOf, requireAgent, requireRegistrant, unknownAgent } from "./require-agent.ts";
import { progressAnswerSchema, registeredSchema, registrationSchema } from "./schemas.ts";

const bytesMax = jsonBytesMax;
const common = { tags: ["agent API"], auth: "agent" } as const;
const isMeasurementId = v.pipe(v.string(), v.uuid());

interface AgentServices extends Services {
  readonly agents: AgentDirectory;
  readonly safety: Pick<Safety, "destinations">;
  /** The agents that measure at each destination. */
  readonly crowd: DestinationCrowd;
}

export function agentRoutes(services: AgentServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const own = requireAgent(services);
  const registrant = requireRegistrant(services);
  registerRoute(app, services, registrant);
  configRoute(app, services, own);
  healthRoute(app, services, own);
  blocklistRoute(app, services, own);
  crowdRoute(app, services, own);
  progressRoutes(app, services, own);
  // Unknown paths need a key too.
  app.all("/agent-api/*", registrant, (c) => c.notFound());
  return app;
}

type Guard = ReturnType<typeof requireAgent>;

function registerRoute(app: Hono<HttpEnv>, services: AgentServices, registrant: Guard): void {
  const { database, agents, metrics } = services;
  const description = describe({
    ...common,
    summary: "Register an agent",
    description:
      "With the agent's own key, or with an enrolment key; then `agent_key` in the answer is the agent's new key.",
    ok: registeredSchema,
    problems: [403, 409, ...bodyProblems],
  });
  app.post(
    "/agent-api/agent/register",
    description,
    registrant,
    jsonInput(registrationSchema, { bytesMax: registrationBytesMax }),
    async (c) => {
      const registration = c.req.valid("json");
      const agentKey = await withKey(metrics.http, c, (keyHash) => register(database, keyHash, registration));
      agents.changed();
      const [row] = await selectAgents(database.sql, [registration.id]);
      if (row === undefined) {
        throw unknownAgent(registration.id);
      }
      return c.json({ ...agentView(row), ...(agentKey === null ? {} : { agent_key: agentKey }) });
    },
  );
}

function configRoute(app: Hono<HttpEnv>, { database, agents, log }: AgentServices, own: Guard): void {
  const description = describe({
    ...common,
    summary: "Post the active instances",
    description:
      "The answer has the granted part of each source prefix: null where nothing was. The rest waits for an admin.",
    ok: agentConfigSchema,
    problems: [403, 404, ...bodyProblems],
  });
  const pace = new ChangePace();
  app.post(
    "/agent-api/agent/:id/config",
    description,
    own,
    jsonInput(agentConfigSchema, { bytesMax }),
    async (c) => {
      const kept = await keepConfig(database, agentOf(c), c.req.valid("json"), pace);
      if (kept === null) {
        throw unknownAgent(agentOf(c));
      }
      if (kept.hasChanged && kept.pending.length > 0) {
        log.warn("An agent reports source prefixes which were not granted to it", {
          ...{ agent: agentOf(c), pending_prefixes: kept.pending },
        });
      }
      agents.changed();
      return c.json(kept.config);
    },
  );
}

function healthRoute(app: Hono<HttpEnv>, services: AgentServices, own: Guard): void {
  const { database, agents, safety, crowd } = services;
  const { addressRate, networkRate } = services.config.limits;
  const hasLimits = addressRate + networkRate > 0;
  const reports = new HealthReports(database);
  const description = describe({
    ...common,
    summary: "Report health and get orders",
    ok: healthAnswerSchema,
    problems: [403, 404, ...bodyProblems],
  });
  app.post(
    "/agent-api/agent/:id/health",
    description,
    own,
    jsonInput(healthReportSchema, { bytesMax }),
    async (c) => {
      const report = c.req.valid("json");
      const orders = await reports.take(agentOf(c), report);
      const { version } = await safety.destinations();
      if (orders === null) {
        throw unknownAgent(agentOf(c));
      }
      if (orders.has_changed) {
        agents.changed();
      }
      const answer: HealthAnswer = {
        healthy: report.healthy,
        last_check: orders.checked_at.toISOString(),
        message: report.message,
        time_ms: Date.now(),
        config_version: orders.config_version,
        desired: orders.desired,
        paused: orders.paused,
        killed: orders.killed,
        cancelled: [...orders.cancelled],
        blocklist_version: version,
        pending_prefixes: [...orders.pending_prefixes],
        crowd: hasLimits ? versionOf(await crowd.read()) : null,
      };
      return c.json(answer);
    },
  );
}

function versionOf({ version, at_ms }: CrowdAnswer) {
  return { version, at_ms };
}

function crowdRoute(app: Hono<HttpEnv>, { crowd }: AgentServices, own: Guard): void {
  const description = describe({
    ...common,
    summary: "How many agents measure at each destination",
    description: "By bucket: limits of a destination are divided by them.",
    ok: crowdAnswerSchema,
    problems: [403],
  });
  app.get("/agent-api/agent/:id/crowd", description, own, async (c) => c.json(await crowd.read()));
}

function blocklistRoute(app: Hono<HttpEnv>, { safety }: AgentServices, own: Guard): void {
  const description = describe({
    ...common,
    summary: "Destinations that must not be probed",
    ok: blocklistAnswerSchema,
    problems: [403],
  });
  /** Cached: a million prefixes are 20 MB of text, which all agents fetch when the list has changed. */
  let made: { readonly of: BlocklistAnswer; readonly text: string } | null = null;
  app.get("/agent-api/agent/:id/blocklist", description, own, async (c) => {
    const { answer } = await safety.destinations();
    if (made?.of !== answer) {
      made = { of: answer, text: JSON.stringify(answer) };
    }
    return c.body(made.text, 200, { "content-type": "application/json" });
  });
}

function progressRoutes(app: Hono<HttpEnv>, { database }: AgentServices, own: Guard): void {
  const reports = new ProgressReports(database);
  const one = describe({
    ...common,
    summary: "Report progress with a measurement",
    ok: progressAnswerSchema,
    problems: [403, 404, ...bodyProblems],
  });
  const input = jsonInput(progressSchema, { bytesMax });
  app.post("/agent-api/agent/:id/measurement/:measurement/status", one, own, input, async (c) => {
    const { measurement } = c.req.param();
    if (!v.is(isMeasurementId, measurement)) {
      throw problem(400, "invalid_measurement_id", "Invalid measurement ID format");
    }
    const report = { measurement_id: measurement, ...c.req.valid("json") };
    const [answer] = await reports.take(agentOf(c), [report]);
    if (answer === undefined || answer.status === "unknown") {
      throw problem(404, "unknown_measurement", "Measurement tracking entry not found for this agent");
    }
    return c.json(answer);
  });
  const many = describe({
    ...common,
    summary: "Report progress with several measurements",
    ok: v.array(progressAnswerSchema),
    problems: [403, ...bodyProblems],
  });
  const inputs = jsonInput(progressBatchSchema, { bytesMax });
  app.post("/agent-api/agent/:id/measurements/status", many, own, inputs, async (c) =>
    c.json(await reports.take(agentOf(c), c.req.valid("json"))),
  );
}
