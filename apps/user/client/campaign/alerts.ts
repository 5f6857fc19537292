/** `vantage alerts`: campaigns' alerts, and their deliveries. */
import * as v from "valibot";
import { alertAnswer, alertDeliveryAnswer } from "../../../../lib/base/api/alerts.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { number } from "../../../../lib/command/command/kinds.ts";
import { campaignPageRowsMax } from "../limits.ts";
import { campaignId, campaignKind, campaignMeaning } from "./campaign-id.ts";

type Alert = v.InferOutput<typeof alertAnswer>;

const alertColumns: readonly Column<Alert>[] = [
  { name: "id", head: null, value: ({ id }) => id },
  { name: "campaign", head: "campaign", value: ({ campaign }) => campaign },
  { name: "campaign_id", head: null, value: (one) => one.campaign_id },
  { name: "detector", head: "alert", value: ({ detector }) => detector },
  { name: "agent", head: "agent", value: ({ agent }) => agent },
  { name: "destination", head: "destination", value: ({ destination }) => destination },
  { name: "raised_run", head: "from run", align: "right", value: (one) => one.raised_run },
  { name: "raised_at", head: "raised", value: (one) => one.raised_at },
  { name: "cleared_run", head: null, value: (one) => one.cleared_run },
  { name: "cleared_at", head: "cleared", value: (one) => one.cleared_at },
  { name: "value", head: null, value: ({ value }) => value },
  { name: "threshold", head: null, value: ({ threshold }) => threshold },
  { name: "reason", head: "reason", value: ({ reason }) => reason },
  { name: "cleared_reason", head: null, value: (one) => one.cleared_reason },
  {
    name: "follow_up",
    head: "follow-up",
    value: (one) => one.follow_up,
    text: (one) => one.follow_up_id ?? one.follow_up_reason ?? one.follow_up_state ?? "",
  },
  { name: "follow_up_state", head: null, value: (one) => one.follow_up_state },
  { name: "follow_up_id", head: null, value: (one) => one.follow_up_id },
  { name: "follow_up_reason", head: null, value: (one) => one.follow_up_reason },
];

type Delivery = v.InferOutput<typeof alertDeliveryAnswer>;

const deliveryColumns: readonly Column<Delivery>[] = [
  { name: "id", head: "delivery", value: ({ id }) => id },
  { name: "run", head: "run", align: "right", value: ({ run }) => run },
  { name: "kind", head: "by", value: ({ kind }) => kind },
  { name: "place", head: "to", value: ({ place }) => place },
  { name: "events", head: "alerts", align: "right", value: ({ events }) => events },
  { name: "is_digest", head: null, value: (one) => one.is_digest },
  { name: "state", head: "state", value: ({ state }) => state },
  {
    name: "attempts",
    head: "attempts",
    value: ({ attempts }) => attempts.map(({ at, outcome }) => `${at} ${outcome}`),
    text: ({ attempts }) => `${attempts.length}: ${attempts.at(-1)?.outcome ?? "none yet"}`,
  },
  { name: "created_at", head: null, value: (one) => one.created_at },
  { name: "next_at", head: "next attempt", value: (one) => one.next_at },
];

export const command = gatewayCommand({
  about: `The newest first, of all of your campaigns unless one is named. Campaigns check for what their \
definition says in alerts: docs/measure/campaigns.md.`,
  options: {
    active: { flag: true, default: false, meaning: "only raised alerts of campaigns that have not ended" },
    campaign: { kind: campaignKind, meaning: `of this one: ${campaignMeaning}` },
    deliveries: {
      flag: true,
      default: false,
      notWith: ["active"],
      meaning: "what was sent of a campaign's alerts, with each attempt; with --campaign",
    },
    count: {
      kind: number(1, campaignPageRowsMax),
      short: "n",
      default: 20,
      meaning: "show at most this many rows",
    },
  },
  arguments: {},
  examples: ["vantage alerts --active", "vantage alerts --campaign 'path watch' --deliveries -o json"],
  act: async (session, { active, campaign, deliveries, count }) => {
    if (deliveries && campaign === null) {
      throw wrongUsage("--deliveries needs --campaign: which one");
    }
    const gateway = await session.open();
    const { signal } = session;
    const id = campaign === null ? null : await campaignId(gateway, campaign, signal);
    const base = id === null ? "/api" : `/api/campaigns/${id}`;
    if (deliveries) {
      const rows = await gateway.read(`${base}/deliveries`, v.array(alertDeliveryAnswer), {
        query: { limit: count },
        signal,
      });
      session.printRows(deliveryColumns, rows, "nothing was sent");
      return exitCodes.ok;
    }
    const query = { limit: count, active: active ? "true" : undefined };
    const rows = await gateway.read(`${base}/alerts`, v.array(alertAnswer), { query, signal });
    session.printRows(alertColumns, rows, active ? "no alert is raised" : "no alert");
    return exitCodes.ok;
  },
});
