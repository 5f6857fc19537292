/** Alerts of the caller's campaigns. */
import { Hono } from "hono";
import * as v from "valibot";
import {
  alertAnswer,
  alertDeliveryAnswer,
  alertPreviewAnswer,
  statusCheckAnswer,
} from "../../../lib/base/api/alerts.ts";
import { digits } from "../../../lib/base/api/fields.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../lib/engines/http/limits.ts";
import { pageAnswer, pageQuery } from "../../../lib/engines/http/page.ts";
import { requireUser, userOf } from "../../../lib/engines/http/require-user.ts";
import type { CampaignRouteServices } from "./campaign-services.ts";
import { readCampaign } from "./campaigns.ts";
import { lookbackMax } from "./limits.ts";
import { listAlerts, listDeliveries } from "./notice/alerts.ts";
import { checkAlerts } from "./notice/check-alerts.ts";
import { previewAlerts, previewSchema } from "./notice/preview.ts";
import { statusCheck } from "./notice/status-check.ts";
import { ownCampaign } from "./own-campaign.ts";

const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be the id of a campaign")) }));
const after = v.optional(v.pipe(v.string(), v.uuid("must be an id")));
const flag = v.optional(
  v.pipe(
    v.picklist(["true", "false", "1", "0"], "must be true or false"),
    v.transform((text) => text === "true" || text === "1"),
  ),
  "false",
);
const listQuery = v.object({ ...pageQuery, after });
const alertsQuery = v.object({ ...pageQuery, after, active: flag });

function whole(low: number, high: number) {
  return v.pipe(
    digits(6),
    v.minValue(low, `must be ${low} to ${high}`),
    v.maxValue(high, `must be ${low} to ${high}`),
  );
}

/** Names and defaults are those of RIPE Atlas. */
const statusQuery = v.object({
  lookback: v.optional(whole(1, lookbackMax), "1"),
  max_packet_loss: v.optional(whole(0, 100), "75"),
  median_rtt_threshold: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,6}(\.\d{1,3})?%?$/, "must be milliseconds, or a percentage as 10%")),
  ),
  permitted_total_alerts: v.optional(whole(0, 100_000), "0"),
  show_all: flag,
});

const common = { tags: ["campaigns"], auth: "user" } as const;
const descriptions = {
  all: describe({
    ...common,
    summary: "Alerts of the caller's campaigns",
    description: "The newest first. `active=true`: raised alerts of campaigns that have not ended.",
    ok: v.array(alertAnswer),
    problems: [400],
  }),
  list: describe({
    ...common,
    summary: "Alerts of a campaign",
    description: "The newest first. `active=true`: those that are raised.",
    ok: v.array(alertAnswer),
    problems: [400, 404],
  }),
  deliveries: describe({
    ...common,
    summary: "What was sent of a campaign's alerts",
    description: "The newest first, each with its attempts and what came of them.",
    ok: v.array(alertDeliveryAnswer),
    problems: [400, 404],
  }),
  preview: describe({
    ...common,
    summary: "The alerts that rules would have raised",
    description:
      "The detectors run over the campaign's newest runs, from no baseline. Nothing is changed, kept or sent; " +
      "`deliveries` are checked alone. A run counts once its replies are stored.",
    ok: alertPreviewAnswer,
    problems: [400, 404, 413, 415, 422, 503],
  }),
  status: describe({
    ...common,
    summary: "Whether a campaign's last figures are within bounds",
    description:
      "In the shape of RIPE Atlas status checks. `probes` are agents, with the target where there are several. An " +
      "agent that sent nothing is `unknown`, and no alert. A campaign without `alerts` has no figures here.",
    ok: statusCheckAnswer,
    problems: [400, 404],
  }),
};

export function alertRoutes(services: CampaignRouteServices): Hono<HttpEnv> {
  const { database } = services;
  const user = requireUser(services.tokens, services.metrics.http);
  const app = new Hono<HttpEnv>();
  app.get("/api/alerts", descriptions.all, user, queryInput(alertsQuery), async (c) => {
    const { active: isActive, ...page } = c.req.valid("query");
    const rows = await listAlerts(database, { of: userOf(c), isActive }, page);
    return pageAnswer(c, rows, { limit: page.limit, idOf: ({ id }) => id });
  });
  app.get("/api/campaigns/:id/alerts", descriptions.list, user, path, queryInput(alertsQuery), async (c) => {
    const own = await ownCampaign(c, c.req.valid("param").id);
    const { active: isActive, ...page } = c.req.valid("query");
    await readCampaign(database, own);
    const rows = await listAlerts(database, { of: own, isActive }, page);
    return pageAnswer(c, rows, { limit: page.limit, idOf: (row) => row.id });
  });
  app.get(
    "/api/campaigns/:id/deliveries",
    descriptions.deliveries,
    user,
    path,
    queryInput(listQuery),
    async (c) => {
      const own = await ownCampaign(c, c.req.valid("param").id);
      const page = c.req.valid("query");
      await readCampaign(database, own);
      const rows = await listDeliveries(database, own, page);
      return pageAnswer(c, rows, { limit: page.limit, idOf: (row) => row.id });
    },
  );
  addPreview(app, services, user);
  app.get(
    "/api/campaigns/:id/status-check",
    descriptions.status,
    user,
    path,
    queryInput(statusQuery),
    async (c) => {
      const own = await ownCampaign(c, c.req.valid("param").id);
      const given = c.req.valid("query");
      await readCampaign(database, own);
      const threshold = given.median_rtt_threshold;
      const permitted = {
        lookback: given.lookback,
        maxPacketLoss: given.max_packet_loss,
        rttThreshold:
          threshold === undefined
            ? null
            : { value: Number.parseFloat(threshold), isPercent: threshold.endsWith("%") },
        permittedTotalAlerts: given.permitted_total_alerts,
        showAll: given.show_all,
      };
      return c.json(await statusCheck(database, own, permitted));
    },
  );
  return app;
}

function addPreview(
  app: Hono<HttpEnv>,
  services: CampaignRouteServices,
  user: ReturnType<typeof requireUser>,
): void {
  const order = jsonInput(previewSchema, { bytesMax: jsonBytesMax });
  app.post("/api/campaigns/:id/alerts/preview", descriptions.preview, user, path, order, async (c) => {
    const own = await ownCampaign(c, c.req.valid("param").id);
    const given = c.req.valid("json");
    checkAlerts(given.alerts, services);
    await readCampaign(services.database, own);
    return c.json(await previewAlerts(services, own, given, c.get("work")));
  });
}
