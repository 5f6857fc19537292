/** Campaigns of the caller. */
import { Hono } from "hono";
import * as v from "valibot";
import {
  campaignAnswer,
  campaignDetailAnswer,
  campaignRunAnswer,
  estimateAnswer,
  eventAnswer,
  eventBody,
  madeCampaignAnswer,
} from "../../../lib/base/api/campaigns.ts";
import { digits } from "../../../lib/base/api/fields.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../lib/engines/http/input.ts";
import type { Owned } from "../../../lib/engines/http/owned.ts";
import { pageAnswer, pageQuery } from "../../../lib/engines/http/page.ts";
import { requireUser, userOf } from "../../../lib/engines/http/require-user.ts";
import type { CampaignEvent } from "../../../lib/measuring/campaign/advance.ts";
import { listRuns } from "./campaign-runs.ts";
import type { CampaignRouteServices } from "./campaign-services.ts";
import { changeCampaign, editCampaign, listCampaigns, makeCampaign, readCampaign } from "./campaigns.ts";
import { definitionSchema } from "./definition.ts";
import { takeWebhook } from "./events.ts";
import { eventBytesMax } from "./limits.ts";
import { listInput, listOf } from "./list-input.ts";
import { checkWhole, withKept } from "./notice/kept-deliveries.ts";
import { ownCampaign } from "./own-campaign.ts";
import { askerOf, planned } from "./planned.ts";
import { removeCampaign } from "./stored-bytes.ts";

const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be the id of a campaign")) }));
const listQuery = v.object({ ...pageQuery, after: v.optional(v.pipe(v.string(), v.uuid())) });
const runsQuery = v.object({ ...pageQuery, after: v.optional(digits(7)) });

const common = { tags: ["campaigns"], auth: "user" } as const;
const bodyProblems = [400, 403, 413, 415, 422, 429, 503] as const;
const changed = { ...common, ok: campaignDetailAnswer, problems: [400, 404, 409] };

const descriptions = {
  estimate: describe({
    ...common,
    summary: "What a campaign would cost",
    description: "Nothing is made. Agents are counted as they could take part now.",
    ok: estimateAnswer,
    problems: bodyProblems,
  }),
  make: describe({
    ...common,
    summary: "Make a campaign",
    description:
      "Run k is planned at start + k x every, or at the k-th time of a cron pattern. Each run is submitted as a " +
      "measurement of yours, and charged then. `forever` is for operators.",
    ok: [{ status: 201, description: "Made", schema: madeCampaignAnswer }],
    problems: [409, ...bodyProblems],
  }),
  list: describe({
    ...common,
    summary: "The caller's campaigns",
    description: "The newest first.",
    ok: v.array(campaignAnswer),
    problems: [400],
  }),
  show: describe({ ...common, summary: "Show a campaign", ok: campaignDetailAnswer, problems: [400, 404] }),
  edit: describe({
    ...common,
    summary: "Edit a campaign",
    description:
      "The whole definition anew. It makes a revision, which counts from the next run on. A webhook as it is shown, " +
      "without its path and secret, stays as it is.",
    ok: madeCampaignAnswer,
    problems: [404, 409, ...bodyProblems],
  }),
  pause: describe({
    ...changed,
    summary: "Pause a campaign",
    description: "A current run continues.",
  }),
  resume: describe({
    ...changed,
    summary: "Resume a paused campaign",
    description: "Runs that were due meanwhile are skipped.",
  }),
  stop: describe({
    ...changed,
    summary: "End a campaign",
    description: "The current run's unsent probes are cancelled, and refunded.",
  }),
  event: describe({
    ...common,
    summary: "Start a run of a campaign that waits for webhooks",
    description: "The same event starts one run. A token of scope campaigns:trigger, narrowed to it, does.",
    ok: eventAnswer,
    problems: [404, 409, ...bodyProblems],
  }),
  remove: describe({
    ...common,
    summary: "Remove a campaign that has ended",
    description:
      "With its runs, lists and alerts, which then count no more as stored; what it measured stays.",
    ok: [{ status: 204, description: "Removed" }],
    problems: [400, 404, 409],
  }),
  runs: describe({
    ...common,
    summary: "Runs of a campaign",
    description: "The newest first; `after` is the number of the last one seen.",
    ok: v.array(campaignRunAnswer),
    problems: [400, 404],
  }),
};

export function campaignRoutes(services: CampaignRouteServices): Hono<HttpEnv> {
  const { database, campaigns } = services;
  const user = requireUser(services.tokens, services.metrics.http);
  const body = listInput(definitionSchema, services.metrics.http);
  const app = new Hono<HttpEnv>();
  app.post("/api/campaigns/estimate", descriptions.estimate, user, body, async (c) =>
    c.json((await planned(services, askerOf(c), c.req.valid("json"), listOf(c))).shown),
  );
  app.post("/api/campaigns", descriptions.make, user, body, async (c) => {
    const given = c.req.valid("json");
    checkWhole(given);
    const { order, shown } = await planned(services, askerOf(c), given, listOf(c));
    const id = await makeCampaign(database, order);
    campaigns.wake();
    const {
      definition: _definition,
      probes: _probes,
      ...campaign
    } = await readCampaign(database, await ownCampaign(c, id));
    return c.json({ campaign, estimate: shown }, 201, { location: `/api/campaigns/${id}` });
  });
  app.get("/api/campaigns", descriptions.list, user, queryInput(listQuery), async (c) => {
    const query = c.req.valid("query");
    const { rows, total } = await listCampaigns(database, userOf(c).userHash, query);
    const shown = rows.map(({ user_hash: _hash, ...row }) => row);
    return pageAnswer(c, { rows: shown, total }, { limit: query.limit, idOf: ({ id }) => id });
  });
  app.get("/api/campaigns/:id", descriptions.show, user, path, async (c) =>
    c.json(await readCampaign(database, await ownCampaign(c, c.req.valid("param").id))),
  );
  app.put("/api/campaigns/:id", descriptions.edit, user, path, body, async (c) => {
    const own = await ownCampaign(c, c.req.valid("param").id);
    const given = await withKept(database, own, c.req.valid("json"));
    const { order, shown } = await planned(services, askerOf(c), given, listOf(c));
    await editCampaign(database, own, order);
    campaigns.wake();
    const { definition: _definition, probes: _probes, ...campaign } = await readCampaign(database, own);
    return c.json({ campaign, estimate: shown });
  });
  addChanges(app, services);
  app.delete("/api/campaigns/:id", descriptions.remove, user, path, async (c) => {
    await removeCampaign(database, await ownCampaign(c, c.req.valid("param").id));
    return c.body(null, 204);
  });
  app.get("/api/campaigns/:id/runs", descriptions.runs, user, path, queryInput(runsQuery), async (c) => {
    const own = await ownCampaign(c, c.req.valid("param").id);
    const page = c.req.valid("query");
    await readCampaign(database, own);
    const runs = await listRuns(database, own, page);
    return pageAnswer(c, runs, { limit: page.limit, idOf: ({ run }) => String(run) });
  });
  return app;
}

/** Pause, resume, stop, and events that start runs. */
function addChanges(app: Hono<HttpEnv>, services: CampaignRouteServices): void {
  const { database, campaigns } = services;
  const user = requireUser(services.tokens, services.metrics.http);
  for (const kind of ["pause", "resume", "stop"] as const) {
    app.post(`/api/campaigns/:id/${kind}`, descriptions[kind], user, path, async (c) =>
      c.json(await change(services, await ownCampaign(c, c.req.valid("param").id), { kind })),
    );
  }
  const event = jsonInput(eventBody, { bytesMax: eventBytesMax });
  app.post("/api/campaigns/:id/events", descriptions.event, user, path, event, async (c) => {
    const own = await ownCampaign(c, c.req.valid("param").id);
    const isNew = await takeWebhook(database, own, c.req.valid("json").event);
    campaigns.wake();
    return c.json({ is_new: isNew });
  });
}

async function change({ database, campaigns }: CampaignRouteServices, own: Owned, event: CampaignEvent) {
  await changeCampaign(database, own, event);
  campaigns.wake();
  return readCampaign(database, own);
}
