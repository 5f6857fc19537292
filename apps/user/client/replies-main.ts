/** `vantage replies`: results, from the gateway or a column store. */
import { defineCommand } from "../../../lib/command/command/command.ts";
import { repliesOptions, resultArguments } from "./replies/option-tables.ts";
import { resultsOrder } from "./replies/options.ts";
import { about, runResults } from "./replies/run-results.ts";

export const command = defineCommand({
  about,
  options: repliesOptions,
  arguments: resultArguments,
  notes: `Loss needs the submitted lines: probes that no agent has sent yet count as unanswered. RTTs are in ms; \
an answer to another site's probe has none.`,
  examples: [
    "vantage replies 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
    "vantage replies -v paths -d 192.0.2.1 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
    "vantage replies -c client.yaml -v catchment -s 2001:db8:ffff::/48 -o csv",
    "vantage replies -c client.yaml -f -o ndjson -a west | jq .rtt_ms",
  ],
  exits: { interrupted: "interrupted" },
  act: (given, { name }) => runResults(name, resultsOrder(given.view, given)),
});
