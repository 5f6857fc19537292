/** `vantage admin campaigns`: campaigns of all users. */
import type * as v from "valibot";
import { adminCampaignAnswer, campaignDetailAnswer } from "../../../lib/base/api/campaigns.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { text } from "../../../lib/command/command/kinds.ts";
import { AdminApi } from "./admin-api.ts";
import { reasonOption } from "./arguments.ts";

const columns: readonly Column<v.InferOutput<typeof adminCampaignAnswer>>[] = [
  { name: "id", head: "campaign", value: ({ id }) => id },
  { name: "name", head: "name", value: ({ name }) => name },
  {
    name: "user_hash",
    head: "user",
    value: (one) => one.user_hash,
    text: (one) => one.user_hash.slice(0, 12),
  },
  { name: "phase", head: "state", value: ({ phase }) => phase },
  { name: "next_at", head: "next run", value: (one) => one.next_at },
  { name: "probes_per_day", head: "probes/day", align: "right", value: (one) => one.probes_per_day },
];

const list = gatewayCommand({
  about: "The newest first, also those that have ended.",
  options: {},
  arguments: {},
  examples: ["vantage admin campaigns list -o csv"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    const output = session.output(columns);
    for await (const campaign of api.list("/campaigns", adminCampaignAnswer, { idOf: ({ id }) => id })) {
      output.add(campaign);
    }
    output.finish();
    return exitCodes.ok;
  },
});

const stop = gatewayCommand({
  about: "The current run is cancelled, and the user sees the reason.",
  options: reasonOption,
  arguments: { campaign: { kind: text, required: true, meaning: "its whole id" } },
  examples: [
    "vantage admin campaigns stop 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55 --reason 'asked for by the network'",
  ],
  act: async (session, { campaign, reason }) => {
    const api = await AdminApi.open(session);
    const path = `/campaigns/${encodeURIComponent(campaign)}/stop`;
    const stopped = await api.send("POST", path, campaignDetailAnswer, { reason });
    session.printRecord([{ name: "id", head: "stopped", value: ({ id }) => id }], stopped);
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("list", "list the campaigns of all users", list),
    subcommand("stop", "end a campaign of any user", stop),
  ],
  examples: ["vantage admin campaigns list"],
});
