/** `vantage campaign preview`: the alerts that a file's rules would have raised. */
import type { InferOutput } from "valibot";
import { alertPreviewAnswer } from "../../../../lib/base/api/alerts.ts";
import { counted } from "../../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { file, number } from "../../../../lib/command/command/kinds.ts";
import { previewRunsMax } from "../../../probing/campaigns/limits.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { campaignId, campaignKind, campaignMeaning } from "./campaign-id.ts";
import { inTermsOf } from "./file-places.ts";

type Event = InferOutput<typeof alertPreviewAnswer>["events"][number];

const columns: readonly Column<Event>[] = [
  { name: "run", head: "run", align: "right", value: ({ run }) => run },
  { name: "planned_at", head: "planned", value: (one) => one.planned_at },
  { name: "kind", head: "state", value: ({ kind }) => kind },
  { name: "detector", head: "alert", value: ({ detector }) => detector },
  { name: "agent", head: "agent", value: ({ agent }) => agent },
  { name: "destination", head: "destination", value: ({ destination }) => destination },
  { name: "value", head: null, value: ({ value }) => value },
  { name: "threshold", head: null, value: ({ threshold }) => threshold },
  { name: "reason", head: "reason", value: ({ reason }) => reason },
];

export const preview = gatewayCommand({
  about:
    "Reads the file's alerts alone. Detectors learn from the first of the runs; nothing is changed or sent.",
  options: {
    count: {
      kind: number(1, previewRunsMax),
      short: "n",
      default: 100,
      meaning: "evaluate at most this many runs, the newest",
    },
  },
  arguments: {
    campaign: { kind: campaignKind, required: true, meaning: campaignMeaning },
    file: { kind: file, required: true, meaning: "YAML or JSON with alerts; - is standard input" },
  },
  examples: ["vantage campaign preview 'path watch' watch.yaml"],
  act: async (session, { campaign, file: path, count }) => {
    const given = await readCampaignFile(path);
    const { alerts } = JSON.parse(given.body) as { readonly alerts?: unknown };
    if (alerts === undefined) {
      throw cannot(`${given.words} has no alerts`);
    }
    const gateway = await session.open();
    const { signal } = session;
    const id = await campaignId(gateway, campaign, signal);
    const body = JSON.stringify({ alerts, runs: count });
    const asked = gateway.read(`/api/campaigns/${id}/alerts/preview`, alertPreviewAnswer, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body, repeatable: true, signal },
    });
    const { events, runs, raised, cleared, note } = await inTermsOf(given, asked);
    session.printRows(columns, events, "no alert");
    session.note(`${counted(runs, "run")}: ${counted(raised, "alert")} raised, ${cleared} cleared`);
    if (note !== null) {
      session.note(note);
    }
    return exitCodes.ok;
  },
});
