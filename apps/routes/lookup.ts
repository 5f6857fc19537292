/** `vantage routes lookup`: the paths that routers have to a prefix or an address, by a collector. */
import { type RouteAnswer, routesAnswer } from "../../lib/api/routes.ts";
import { formatAsPath } from "../../lib/bgp/as-path.ts";
import { defineCommand } from "../../lib/command/command.ts";
import { cannot } from "../../lib/command/command-error.ts";
import { complain } from "../../lib/command/complain.ts";
import { exitCodes } from "../../lib/command/exit-codes.ts";
import { formatOption } from "../../lib/command/format-option.ts";
import { userAgent } from "../../lib/command/gateway/session.ts";
import { kindOf, number, text, unfit } from "../../lib/command/kinds.ts";
import { Gateway } from "../../lib/gateway-client/gateway.ts";
import { GatewayError } from "../../lib/gateway-client/gateway-error.ts";
import { parseAddress } from "../../lib/ip/address.ts";
import { parsePrefix } from "../../lib/ip/prefix.ts";
import { paletteFor } from "../../lib/terminal/colour.ts";
import { printLine } from "../../lib/terminal/output.ts";
import { type Column, RowsOutput } from "../../lib/terminal/rows-output.ts";

const columns: readonly Column<RouteAnswer>[] = [
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "router", head: "router", value: ({ router }) => router },
  { name: "peer", head: "peer", value: ({ peer }) => peer },
  { name: "peer_asn", head: "AS", align: "right", value: (route) => route.peer_asn },
  { name: "table", head: "table", value: ({ table }) => table },
  { name: "path_id", head: null, value: (route) => route.path_id },
  {
    name: "verdict",
    head: "verdict",
    value: ({ verdict }) => verdict,
    text: ({ verdict, is_stale }) => `${verdict ?? ""}${is_stale ? " (stale)" : ""}`.trim(),
  },
  { name: "reason", head: "reason", value: ({ reason }) => reason },
  { name: "rpki", head: "RPKI", value: ({ rpki }) => rpki },
  {
    name: "as_path",
    head: "AS path",
    value: (route) => route.as_path,
    text: (route) => formatAsPath(route.as_path),
  },
  { name: "next_hop", head: "next hop", value: (route) => route.next_hop },
  { name: "origin", head: null, value: ({ origin }) => origin },
  { name: "multi_exit_disc", head: null, value: (route) => route.multi_exit_disc },
  { name: "local_preference", head: null, value: (route) => route.local_preference },
  {
    name: "communities",
    head: "communities",
    value: ({ communities }) => communities,
    text: ({ communities }) =>
      communities.map(({ value, meaning }) => (meaning === null ? value : `${value} (${meaning})`)).join(" "),
  },
  { name: "changed_at", head: "since", value: (route) => String(route.changed_at) },
  { name: "is_stale", head: null, value: (route) => route.is_stale },
];

const resource = kindOf("PREFIX|ADDRESS", "any", (given) =>
  parseAddress(given) !== null || parsePrefix(given) !== null
    ? given
    : unfit("is not an address, or a prefix with host bits zero"),
);

const collectorDefault = "http://127.0.0.1:8096";

export const lookup = defineCommand({
  about: `Asks a collector (vantage collector) for all paths that its routers have: of an address those to the longest \
prefix that holds it. Each is there as the peer has sent it (in) and, where the router says so, as its policy left it \
(in-post-policy), with what came of it. No router is asked.`,
  options: {
    ...formatOption,
    collector: {
      kind: text,
      placeholder: "URL",
      defaultText: `VANTAGE_COLLECTOR, else ${collectorDefault}`,
      meaning: "the collector",
    },
    more: { flag: true, default: false, meaning: "more specific prefixes too" },
    limit: { kind: number(1, 10_000), default: 10_000, short: "n", meaning: "paths at most" },
  },
  arguments: { resource: { kind: resource, required: true, meaning: "what is looked up" } },
  examples: [
    "vantage routes lookup 2001:db8:51::/48",
    "vantage routes lookup 2001:db8:51::1 --collector http://collector.example:8096 -o json",
  ],
  exits: { failure: "nobody has it, or the collector is away" },
  act: async ({ resource: asked, collector, more, limit, output: format }) => {
    const address = (collector ?? process.env.VANTAGE_COLLECTOR ?? collectorDefault).replace(/\/+$/, "");
    const gateway = new Gateway({ address, tokens: null, userAgent });
    const query = { resource: asked, more, limit };
    const found = await gateway
      .read("/api/routes", routesAnswer, { query, anonymous: true })
      .catch((error) => {
        throw error instanceof GatewayError ? cannot(error.message) : error;
      });
    const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
    const rows = new RowsOutput({ columns, format, print: printLine, dim });
    for (const route of found.routes) {
      rows.add(route);
    }
    rows.finish();
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
