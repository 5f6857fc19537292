/** `vantage routes search`: paths by origin, an AS in the path or a community, by a collector. */
import { type RouteSearchAnswer, routeSearchAnswer } from "../../../lib/base/api/routes.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { RowsOutput } from "../../../lib/base/terminal/rows-output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import { collectorAt } from "../../../lib/command/command/gateway/collector.ts";
import { address, choice, kindOf, unfit } from "../../../lib/command/command/kinds.ts";
import { parseAsn } from "../../../lib/measuring/context/asn.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { answerColumns } from "./answer-columns.ts";
import { collectorDefault, collectorError, collectorOption } from "./collector-option.ts";

const asn = kindOf(
  "ASN",
  "any",
  (given) => parseAsn(given) ?? unfit("is not an AS number, as 64500 or AS64500"),
);

const community = kindOf("COMMUNITY", "any", (given) =>
  /^\d{1,10}:\d{1,10}(:\d{1,10})?$/.test(given)
    ? given
    : unfit("is not a community, as 64500:1 or 64500:1:2"),
);

export const search = defineCommand({
  about: `Asks a collector (vantage collector) for the paths of its routers by their origin, by an AS anywhere in the \
path, or by a community; with several, paths that have all of them. The table is read piece by piece: what changes \
meanwhile may be missed.`,
  options: {
    ...formatOption,
    ...collectorOption,
    origin: { kind: asn, meaning: "the last AS of the path" },
    asn: { kind: asn, meaning: "an AS of the path" },
    community: { kind: community, meaning: "a community, also a large one" },
    verdict: { kind: choice(["accepted", "rejected", "unknown"]), meaning: "of the router's policy" },
    router: { kind: address, meaning: "of this router alone" },
  },
  arguments: {},
  examples: [
    "vantage routes search --origin AS64500",
    "vantage routes search --asn 64511 --verdict rejected -o csv",
    "vantage routes search --community 64500:1:4",
  ],
  exits: { failure: "no path matches, or the collector is unavailable" },
  act: async ({ collector, router, output: format, ...wanted }) => {
    const { origin, asn: within, community: mark } = wanted;
    if (origin === null && within === null && mark === null) {
      throw wrongUsage("Give at least one of --origin, --asn and --community");
    }
    const given = Object.entries({ ...wanted, router: router && formatAddress(router) });
    const query = Object.fromEntries(given.filter(([, value]) => value !== null));
    const gateway = collectorAt(collector, collectorDefault);
    const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
    const rows = new RowsOutput({ columns: answerColumns, format, print: printLine, dim });
    let count = 0;
    for (let from: number | null = 1; from !== null; ) {
      const ask = { query: { ...query, from }, anonymous: true };
      const page: RouteSearchAnswer = await gateway
        .read("/api/routes/search", routeSearchAnswer, ask)
        .catch((error) => {
          throw collectorError(error);
        });
      for (const route of page.routes) {
        rows.add(route);
      }
      [count, from] = [count + page.routes.length, page.next];
    }
    rows.finish();
    if (count === 0) {
      complain("routes search", "no router has such a path");
    }
    return count === 0 ? exitCodes.failure : exitCodes.ok;
  },
});
