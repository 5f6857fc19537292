/** `vantage admin ingest`: the store's lag behind the broker. */
import * as v from "valibot";
import { ingestAnswer } from "../../../lib/base/api/probing-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { AdminApi } from "./admin-api.ts";

const columns: readonly Column<v.InferOutput<typeof ingestAnswer>>[] = [
  { name: "feed", head: "feed", value: ({ feed }) => feed },
  { name: "topic", head: "topic", value: ({ topic }) => topic },
  { name: "waiting_records", head: "waiting", align: "right", value: (one) => one.waiting_records },
  { name: "behind_seconds", head: "behind s", align: "right", value: (one) => one.behind_seconds },
  { name: "newest_at", head: "newest row (UTC)", value: (one) => one.newest_at },
  { name: "rows_last_minute", head: "rows/min", align: "right", value: (one) => one.rows_last_minute },
  { name: "broker_trouble", head: "broker", value: (one) => one.broker_trouble },
  { name: "store_trouble", head: "store", value: (one) => one.store_trouble },
];

export const command = gatewayCommand({
  about: `Records that wait in the broker, by feed, and how old the newest row is while some wait. A broker or a \
store that does not answer is reported.`,
  options: {},
  arguments: {},
  examples: ["vantage admin ingest", "vantage admin ingest -o json"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    const output = session.output(columns);
    for (const feed of await api.read("/ingest", v.array(ingestAnswer))) {
      output.add(feed);
    }
    output.finish();
    return exitCodes.ok;
  },
});
