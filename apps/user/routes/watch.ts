/** `vantage routes watch`: each change of the routes to a prefix, as a collector receives it. */
import type { RouteChange } from "../../../lib/base/api/route-changes.ts";
import { jsonText, visible } from "../../../lib/base/terminal/foreign-text.ts";
import { listenForInterrupt } from "../../../lib/base/terminal/interruption.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { collectorAt } from "../../../lib/command/command/gateway/collector.ts";
import { address, choice, kindOf, number, unfit } from "../../../lib/command/command/kinds.ts";
import { routeChanges } from "../../../lib/engines/gateway-client/route-changes.ts";
import { formatAsPath } from "../../../lib/net/bgp/as-path.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";
import { readPrefix } from "../../../lib/net/ip/typed-address.ts";
import { rpkiWords } from "./answer-columns.ts";
import { collectorDefault, collectorError, collectorOption } from "./collector-option.ts";

const prefix = kindOf("PREFIX", "any", (given) => {
  const read = readPrefix(given);
  return read.ok ? formatPrefix(read.value) : unfit(read.reason);
});

export const watch = defineCommand({
  about: `Asks a collector (vantage collector) for the paths to a prefix, then shows each change as it arrives, \
until Ctrl-C. A broken connection is resumed where it was; missed changes are reported, and the paths are shown \
again. Gaps are reported too, while a router was not connected, and withdrawals that no peer sent, because its \
session ended.`,
  options: {
    output: {
      ...{ kind: choice(["text", "ndjson"], "FORMAT"), short: "o", default: "text" },
      meaning: "form of the output: lines for people, or a JSON object each",
    },
    ...collectorOption,
    moreSpecific: { flag: true, default: false, meaning: "longer prefixes that it holds, too" },
    lessSpecific: { flag: true, default: false, meaning: "shorter prefixes that hold it, too" },
    router: { kind: address, meaning: "of this router alone" },
    peer: { kind: address, meaning: "of this peer alone" },
    changes: { kind: number(1, 1_000_000_000), short: "n", meaning: "end after this many changes" },
  },
  arguments: { prefix: { kind: prefix, required: true, meaning: "what is watched" } },
  examples: [
    "vantage routes watch 2001:db8:51::/48",
    "vantage routes watch 2001:db8::/32 --more-specific -o ndjson",
  ],
  exits: { failure: "the collector stays unreachable, or has no room", interrupted: "Ctrl-C" },
  act: async ({ prefix: watched, collector, router, peer, changes, output, ...given }) => {
    const query = {
      prefix: watched,
      ...{ more: String(given.moreSpecific), less: String(given.lessSpecific) },
      ...(router === null ? {} : { router: formatAddress(router) }),
      ...(peer === null ? {} : { peer: formatAddress(peer) }),
    };
    using interruption = listenForInterrupt();
    const { signal } = interruption;
    const onBreak = (reason: string) => complain("routes watch", `${reason}; asking again`);
    const order = { query, signal, onBreak };
    let left = changes;
    try {
      for await (const event of routeChanges(collectorAt(collector, collectorDefault), order)) {
        const change = readable(event);
        printLine(output === "ndjson" ? jsonText(change) : visible(lineOf(change)));
        left = left === null || change.kind === "path" || change.kind === "live" ? left : left - 1;
        if (left === 0) {
          return exitCodes.ok;
        }
      }
    } catch (error) {
      throw collectorError(error);
    }
    return exitCodes.interrupted;
  },
});

function readable(change: RouteChange | null): RouteChange {
  if (change === null) {
    throw cannot("Cannot read the collector's events: is it of this version?");
  }
  return change;
}

/** `10:31:27.123456 announce 2001:db8:51::/48 peer 192.0.2.9 AS64500 router 192.0.2.1 in path 64500 64501`. */
function lineOf(change: RouteChange): string {
  const { heard_at: receivedAt, kind, prefix: shown, peer, peer_asn: asn, router, table } = change;
  const parts = [
    receivedAt.slice(11, -1),
    change.is_synthetic ? `${kind} (its session ended)` : kind,
    shown,
    labelled("path-id", change.path_id),
    labelled("peer", peer),
    asn === null ? null : `AS${asn}`,
    labelled("router", router),
    table,
    labelled("path", change.as_path && formatAsPath(change.as_path)),
    labelled("rpki", rpkiWords(change)),
    labelled("next-hop", change.next_hop),
    labelled("med", change.multi_exit_disc),
    labelled("communities", communitiesOf(change)),
    labelled(kind === "live" ? "paths" : "changes", change.count),
    change.detail,
  ];
  return parts.filter((part) => part !== null && part !== "").join(" ");
}

function communitiesOf({ communities }: RouteChange): string | null {
  return communities === null || communities.length === 0
    ? null
    : communities.map(({ value, meaning }) => (meaning === null ? value : `${value} (${meaning})`)).join(",");
}

function labelled(label: string, value: string | number | null): string | null {
  return value === null || value === "" ? null : `${label} ${value}`;
}
