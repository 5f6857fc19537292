/** `/admin/agents`: create and describe agents, manage their keys, and change their configuration. */
import { Hono } from "hono";
import * as v from "valibot";
import { adminAgentAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { pageAnswer } from "../../../../lib/engines/http/page.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import {
  agentConfigSchema,
  agentIdSchema,
  desiredConfigSchema,
} from "../../../../lib/measuring/probing/agent-config.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { AdminServices } from "./admin-services.ts";
import {
  createAgent,
  describeAgent,
  desireConfig,
  listAgents,
  readAgent,
  retireAgent,
  revokeKey,
  rotateKey,
} from "./agents.ts";
import { grantedPrefixes, placeFields } from "./fields.ts";
import { pageQuery } from "./page.ts";

const agentSchema = v.object({
  ...adminAgentAnswer.entries,
  config: v.nullable(agentConfigSchema),
  desired: desiredConfigSchema,
});
const withKeySchema = v.object({ ...agentSchema.entries, agent_key: v.string() });

const notes = {
  ...placeFields,
  paused: v.optional(v.boolean()),
  granted_prefixes: v.optional(grantedPrefixes),
};
const listQuery = queryInput(v.object({ ...pageQuery, pending: v.optional(v.picklist(["true", "false"])) }));
const limit = { bytesMax: jsonBytesMax };
const path = pathInput(v.object({ id: agentIdSchema }));
const keyPath = pathInput(
  v.object({
    id: agentIdSchema,
    key: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, "must be 16 hex digits")),
  }),
);
const newBody = jsonInput(v.strictObject({ id: agentIdSchema, ...notes }), limit);
const notesBody = jsonInput(v.strictObject(notes), limit);
const desiredBody = jsonInput(desiredConfigSchema, limit);
const keyBody = jsonInput(v.strictObject({ revoke_others: v.optional(v.boolean(), false) }), limit);

const common = { tags: ["admin"], auth: "admin", ok: agentSchema, problems: [400, 403, 404] } as const;
const changing = { ...common, problems: [403, 404, ...bodyProblems] };
const descriptions = {
  list: describe({
    ...common,
    summary: "List agents with their keys",
    description: "`pending=true`: agents that report source prefixes which were not granted to them.",
    ok: v.array(agentSchema),
    problems: [400, 403],
  }),
  show: describe({ ...common, summary: "Show an agent with its keys" }),
  create: describe({
    ...common,
    summary: "Make an agent, and a key for it",
    description: "The key is shown in this answer only.",
    ok: [{ status: 201, description: "Made", schema: withKeySchema }],
    problems: [403, 409, ...bodyProblems],
  }),
  change: describe({
    ...changing,
    summary: "Describe or pause an agent, or grant it source prefixes",
    description:
      "`granted_prefixes` replaces those of before: of the agent's reported prefixes only these are used. " +
      "Users choose agents by `tags`, `asn`, `country` and `location`.",
  }),
  desire: describe({
    ...changing,
    summary: "Change an agent's configuration remotely",
    description: "Replaces all earlier changes, by instance name. The agent applies them within seconds.",
  }),
  retire: describe({ ...common, summary: "Retire an agent permanently" }),
  addKey: describe({
    ...changing,
    summary: "Give an agent another key",
    ok: [{ status: 201, description: "Made", schema: withKeySchema }],
    problems: [403, 404, 409, ...bodyProblems],
  }),
  revokeKey: describe({ ...common, summary: "Revoke a key of an agent" }),
};

export function agentAdminRoutes({ database, agents }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const refreshed = async <Answer>(change: Promise<Answer>): Promise<Answer> => {
    const answer = await change;
    agents.changed();
    return answer;
  };
  app.get("/admin/agents", descriptions.list, listQuery, async (c) => {
    const page = c.req.valid("query");
    return pageAnswer(c, await listAgents(database, page), { limit: page.limit, idOf: ({ id }) => id });
  });
  app.post("/admin/agents", descriptions.create, newBody, async (c) => {
    const { id, ...given } = c.req.valid("json");
    return c.json(await refreshed(createAgent(database, operatorOf(c), id, given)), 201);
  });
  app.get("/admin/agents/:id", descriptions.show, path, async (c) =>
    c.json(await readAgent(database.sql, c.req.valid("param").id)),
  );
  app.patch("/admin/agents/:id", descriptions.change, path, notesBody, async (c) =>
    c.json(
      await refreshed(describeAgent(database, operatorOf(c), c.req.valid("param").id, c.req.valid("json"))),
    ),
  );
  app.delete("/admin/agents/:id", descriptions.retire, path, async (c) =>
    c.json(await refreshed(retireAgent(database, operatorOf(c), c.req.valid("param").id))),
  );
  app.put("/admin/agents/:id/desired", descriptions.desire, path, desiredBody, async (c) =>
    c.json(
      await refreshed(desireConfig(database, operatorOf(c), c.req.valid("param").id, c.req.valid("json"))),
    ),
  );
  app.post("/admin/agents/:id/keys", descriptions.addKey, path, keyBody, async (c) =>
    c.json(
      await rotateKey(database, operatorOf(c), c.req.valid("param").id, c.req.valid("json").revoke_others),
      201,
    ),
  );
  app.delete("/admin/agents/:id/keys/:key", descriptions.revokeKey, keyPath, async (c) => {
    const { id, key } = c.req.valid("param");
    return c.json(await revokeKey(database, operatorOf(c), id, key));
  });
  return app;
}
