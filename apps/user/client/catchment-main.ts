/** `vantage catchment`: which agent receives the replies to whose probes, from the gateway or a column store. */
import { defineCommand } from "../../../lib/command/command/command.ts";
import { catchmentOptions, resultArguments } from "./replies/option-tables.ts";
import { resultsOrder } from "./replies/options.ts";
import { about, runResults } from "./replies/run-results.ts";

export const command = defineCommand({
  about: `The same as vantage replies --view=catchment. Each row is a site that sent, a site that received, and its \
share. ${about}`,
  options: catchmentOptions,
  arguments: resultArguments,
  examples: [
    "vantage catchment 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
    "vantage catchment --store=chdb:/var/lib/vantage/stack/store -s 2001:db8:ffff::/48 --since=1d -o csv",
  ],
  exits: { interrupted: "interrupted" },
  act: (given, { name }) => runResults(name, resultsOrder("catchment", given)),
});
