/** Discoveries of the caller. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import {
  discoveryAnswer,
  discoveryDetailAnswer,
  discoveryForecast,
  madeDiscoveryAnswer,
} from "../../../lib/base/api/discoveries.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { pathInput, queryInput } from "../../../lib/engines/http/input.ts";
import { pageAnswer, pageQuery } from "../../../lib/engines/http/page.ts";
import { requireUser, userOf } from "../../../lib/engines/http/require-user.ts";
import type { CampaignRouteServices } from "./campaign-services.ts";
import { makeCampaign } from "./campaigns.ts";
import {
  listDiscoveries,
  pauseDiscovery,
  readDiscovery,
  resumeDiscovery,
  stopDiscovery,
} from "./discoveries.ts";
import { definitionOfDiscovery, discoveryBody } from "./discovery-order.ts";
import { listBody, listInput, listOf } from "./list-input.ts";
import { ownCampaign } from "./own-campaign.ts";
import { askerOf, planned } from "./planned.ts";
import { badBody } from "./probe-text.ts";

const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be the id of a discovery")) }));
const listQuery = v.object({ ...pageQuery, after: v.optional(v.pipe(v.string(), v.uuid())) });

const common = { tags: ["discoveries"], auth: "user" } as const;
const bodies = [{ type: "application/json", schema: discoveryBody }, listBody];
const listWords =
  "A list of up to 64 MiB of targets goes as text, with all else as JSON in the query, `order`.";
const bodyProblems = [400, 403, 413, 415, 422, 429, 503] as const;
const changed = { ...common, ok: discoveryDetailAnswer, problems: [400, 404, 409] };

const descriptions = {
  estimate: describe({
    ...common,
    summary: "What a discovery would do",
    description: `Nothing is made. Agents are counted as they could take part now. ${listWords}`,
    ok: discoveryForecast,
    body: bodies,
    problems: bodyProblems,
  }),
  make: describe({
    ...common,
    summary: "Begin a discovery",
    description:
      "Rounds of probes, each computed from the answers to those before, until no prefix wants more: then it is " +
      "`complete`. It ends before, with a `reason`, when probes_max are sent (default: the quota of a day), or " +
      "there were rounds_max. It is a campaign of one run; one that comes again is a campaign with it. " +
      listWords,
    body: bodies,
    ok: [{ status: 201, description: "Made", schema: madeDiscoveryAnswer }],
    problems: [409, ...bodyProblems],
  }),
  list: describe({
    ...common,
    summary: "The caller's discoveries",
    description: "The newest first.",
    ok: v.array(discoveryAnswer),
    problems: [400],
  }),
  show: describe({ ...common, summary: "Show a discovery", ok: discoveryDetailAnswer, problems: [400, 404] }),
  stop: describe({
    ...changed,
    summary: "End a discovery",
    description: "It cannot be resumed; what it found stays. Probes that were not sent go back to the quota.",
  }),
  pause: describe({
    ...changed,
    summary: "Pause a discovery",
    description: "Unsent probes are cancelled, and planned again when it continues.",
  }),
  resume: describe({
    ...changed,
    summary: "Resume a paused discovery",
    description: "No probe that was sent is sent again.",
  }),
};

export function discoveryRoutes(services: CampaignRouteServices): Hono<HttpEnv> {
  const { database, campaigns, measure } = services;
  const user = requireUser(services.tokens, services.metrics.http);
  const body = listInput(discoveryBody, services.metrics.http);
  const app = new Hono<HttpEnv>();
  const plan = async (c: Context<HttpEnv>, given: v.InferOutput<typeof discoveryBody>) => {
    const definition = definitionOfDiscovery(given, new Date());
    const { order, forecast } = await planned(services, askerOf(c), definition, listOf(c));
    if (forecast === null) {
      throw badBody("discover", "is missing");
    }
    return { order, forecast };
  };
  app.post("/api/discoveries/estimate", descriptions.estimate, user, body, async (c) =>
    c.json((await plan(c, c.req.valid("json"))).forecast),
  );
  app.post("/api/discoveries", descriptions.make, user, body, async (c) => {
    const { order, forecast } = await plan(c, c.req.valid("json"));
    const id = await makeCampaign(database, order);
    campaigns.wake();
    const discovery = inShort(await readDiscovery(database, await ownCampaign(c, id)));
    return c.json({ discovery, forecast }, 201, { location: `/api/discoveries/${id}` });
  });
  app.get("/api/discoveries", descriptions.list, user, queryInput(listQuery), async (c) => {
    const query = c.req.valid("query");
    const { userHash } = userOf(c);
    const { rows, total } = await listDiscoveries(database, { userHash, id: null, ...query });
    return pageAnswer(c, { rows: rows.map(inShort), total }, { limit: query.limit, idOf: ({ id }) => id });
  });
  app.get("/api/discoveries/:id", descriptions.show, user, path, async (c) =>
    c.json(await readDiscovery(database, await ownCampaign(c, c.req.valid("param").id))),
  );
  app.post("/api/discoveries/:id/pause", descriptions.pause, user, path, async (c) => {
    const own = await ownCampaign(c, c.req.valid("param").id);
    await pauseDiscovery(database, measure, own);
    campaigns.wake();
    return c.json(await readDiscovery(database, own));
  });
  app.post("/api/discoveries/:id/stop", descriptions.stop, user, path, async (c) => {
    const own = await ownCampaign(c, c.req.valid("param").id);
    await stopDiscovery(database, own);
    campaigns.wake();
    return c.json(await readDiscovery(database, own));
  });
  app.post("/api/discoveries/:id/resume", descriptions.resume, user, path, async (c) => {
    const own = await ownCampaign(c, c.req.valid("param").id);
    await resumeDiscovery(database, own);
    campaigns.wake();
    return c.json(await readDiscovery(database, own));
  });
  return app;
}

type Detail = Awaited<ReturnType<typeof readDiscovery>>;

function inShort({ rounds: _rounds, measurement_ids: _ids, definition: _definition, ...row }: Detail) {
  return row;
}
