/** `vantage routes lookup`: the paths that routers have to a prefix or an address, by a collector. */
import { routesAnswer } from "../../../lib/base/api/routes.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { RowsOutput } from "../../../lib/base/terminal/rows-output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import { collectorAt } from "../../../lib/command/command/gateway/collector.ts";
import { kindOf, number, time, unfit } from "../../../lib/command/command/kinds.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";
import { readPrefix } from "../../../lib/net/ip/typed-address.ts";
import { answerColumns } from "./answer-columns.ts";
import { collectorDefault, collectorError, collectorOption } from "./collector-option.ts";

const resource = kindOf("PREFIX|ADDRESS", "any", (given) => {
  const read = readPrefix(given);
  if (!read.ok) {
    return unfit(read.reason);
  }
  return given.includes("/") ? formatPrefix(read.value) : formatAddress(read.value.base);
});

export const lookup = defineCommand({
  about: `Asks a collector (vantage collector) for all paths that its routers have: of an address those to the longest \
prefix that holds it. Each is shown as received (in) and, where the router sends it, after its policy \
(in-post-policy), with its state. No router is queried.`,
  options: {
    ...formatOption,
    ...collectorOption,
    more: { flag: true, default: false, meaning: "more specific prefixes too" },
    at: {
      kind: time,
      meaning: "as they were then, at most 7 days ago: 30m, 2d (ago), or 2026-01-31T12:00:00Z",
    },
    limit: { kind: number(1, 10_000), default: 10_000, short: "n", meaning: "paths at most" },
  },
  arguments: { resource: { kind: resource, required: true, meaning: "what is looked up" } },
  examples: [
    "vantage routes lookup 2001:db8:51::/48",
    "vantage routes lookup 2001:db8:51::/48 --at 2h",
    "vantage routes lookup 2001:db8:51::1 --collector http://collector.example:8096 -o json",
  ],
  exits: { failure: "no router has it, or the collector is unreachable" },
  act: async ({ resource: asked, collector, more, at, limit, output: format }) => {
    const query = { resource: asked, more, limit, at: at === null ? undefined : new Date(at).toISOString() };
    const found = await collectorAt(collector, collectorDefault)
      .read("/api/routes", routesAnswer, { query, anonymous: true })
      .catch((error) => {
        throw collectorError(error);
      });
    const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
    const rows = new RowsOutput({ columns: answerColumns, format, print: printLine, dim });
    for (const route of found.routes) {
      rows.add(route);
    }
    rows.finish();
    if (found.collector_was_away) {
      complain("routes lookup", "the collector was not running then: routes by BMP are those before");
    }
    if (found.is_cut) {
      complain("routes lookup", `there are more than ${limit} paths: name a longer prefix`);
    }
    if (found.routes.length === 0) {
      complain("routes lookup", `no router has a path to ${asked}`);
      return exitCodes.failure;
    }
    return exitCodes.ok;
  },
});
