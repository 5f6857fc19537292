/** `/admin/campaigns`: operators list and stop campaigns, which run unattended. */
import { Hono } from "hono";
import * as v from "valibot";
import { adminCampaignAnswer, campaignDetailAnswer } from "../../../../lib/base/api/campaigns.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { pageAnswer } from "../../../../lib/engines/http/page.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import { changeCampaign, listCampaigns, readCampaign } from "../../campaigns/campaigns.ts";
import { writeAudit } from "../audit.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { AdminServices } from "./admin-services.ts";
import { note } from "./fields.ts";
import { pageQuery } from "./page.ts";

const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be the id of a campaign")) }));
const reasonBody = jsonInput(v.strictObject({ reason: note }), { bytesMax: jsonBytesMax });

const common = { tags: ["admin"], auth: "admin" } as const;
const descriptions = {
  list: describe({
    ...common,
    summary: "List the campaigns of all users",
    description: "The newest first.",
    ok: v.array(adminCampaignAnswer),
    problems: [400, 403],
  }),
  stop: describe({
    ...common,
    summary: "Stop a campaign of any user",
    description: "The current run is cancelled; the user sees the reason.",
    ok: campaignDetailAnswer,
    problems: [403, 404, 409, ...bodyProblems],
  }),
};

export function campaignAdminRoutes({ database, campaigns }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/admin/campaigns", descriptions.list, queryInput(v.object(pageQuery)), async (c) => {
    const page = c.req.valid("query");
    const rows = await listCampaigns(database, null, page);
    return pageAnswer(c, rows, { limit: page.limit, idOf: ({ id }) => id });
  });
  app.post("/admin/campaigns/:id/stop", descriptions.stop, path, reasonBody, async (c) => {
    const { id } = c.req.valid("param");
    const { reason } = c.req.valid("json");
    const order = { id, userHash: null, because: reason };
    await changeCampaign(database, order, { kind: "stop" }, (tx) =>
      writeAudit(tx, {
        actor: operatorOf(c),
        action: "campaign.stop",
        subject: `campaign:${id}`,
        details: { reason },
      }),
    );
    campaigns.wake();
    return c.json(await readCampaign(database, order));
  });
  return app;
}
