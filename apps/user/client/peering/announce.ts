/** `vantage announce`: announces a prefix, by the gateway or by the client stack on this machine. */
import { type AnnouncementsAnswer, changedAnswer } from "../../../../lib/base/api/announcements.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { duration } from "../../../../lib/command/command/kinds.ts";
import type { Given } from "../../../../lib/command/command/table.ts";
import { leaseHoursMax } from "../../../../lib/peering/lease/limits.ts";
import { timeAfter, waitOptions, wayOptions } from "./announcement-options.ts";
import { placeNote, placeOf, placeOptions } from "./announcement-place.ts";
import {
  exchangeChangesInWords,
  isCounted,
  readAnnouncements,
  showAnnouncements,
} from "./announcement-rows.ts";
import { jsonHeaders, leaseArgument } from "./lease-arguments.ts";
import { atWayOption, requestsOf } from "./requested-ways.ts";

const options = {
  ...placeOptions,
  at: atWayOption,
  ...wayOptions,
  for: { kind: duration(leaseHoursMax * 3_600_000), meaning: "withdraw it by itself after this time" },
  check: {
    flag: true,
    default: false,
    notWith: ["wait"],
    meaning: "change nothing: say whether it may be done now, and what is left of the budget",
  },
  ...waitOptions,
} as const;
const taken = { prefix: leaseArgument } as const;

export const command = gatewayCommand({
  service: "peering",
  about: `${placeNote} The same command again with --for renews an announcement, which is not counted as a change.`,
  options,
  arguments: taken,
  examples: [
    "vantage announce 2001:db8:1::/48 --wait",
    ["vantage announce 2001:db8:1::/48 --prepend 2 -c bootstrap.yaml", "by the client stack on this machine"],
    "vantage announce --at ixp1 --prepend 2 --for 90m",
    [
      "vantage announce --at west,prepend=2 --at east,no-export --at south,withdraw",
      "all of it at once, counted as one change",
    ],
    ["vantage announce --at all --at west,prepend=3", "everywhere, and by a longer path at west"],
    "vantage announce --prepend 3 --check",
    "vantage announce --not-to transit --prepend-to AS64497=2",
    "vantage announce --only-to 64496 --no-export",
    "vantage announce --graceful-shutdown --wait",
    "vantage announce --blackhole 2001:db8:1::5 --for 1h",
  ],
  exits: { failure: "refused, or the daemon has not confirmed it" },
  act: announce,
});

async function announce(
  session: GatewaySession,
  given: Given<typeof options, typeof taken>,
): Promise<ExitCode> {
  const { signal } = session;
  const { check, wait, timeout } = given;
  const until = timeAfter(given.for, Date.now());
  const place = await placeOf(session, given.config);
  const { gateway } = place;
  const prefix = await place.prefix(given.prefix);
  if (check) {
    const known = await readAnnouncements(gateway, signal);
    if (!isCounted(known.budget)) {
      throw wrongUsage("--check needs a gateway: without one, no changes are counted");
    }
    tellBudget(session, known, prefix);
  }
  const { outcome } = await gateway.read("/api/announcements", changedAnswer, {
    ...{ method: "PUT", headers: jsonHeaders, signal, query: { check } },
    body: JSON.stringify({ announcements: requestsOf(given, prefix, until) }),
  });
  if (check) {
    session.note(outcome === "changed" ? "it may be done now" : "it may be done now, and does not count");
    return exitCodes.ok;
  }
  const shown = { prefixes: [prefix], waitMs: wait ? timeout : null, isChange: true };
  const isDone = await showAnnouncements(session, gateway, shown);
  return isDone ? exitCodes.ok : exitCodes.failure;
}

function tellBudget(
  session: GatewaySession,
  { budget, neighbors, report }: AnnouncementsAnswer,
  prefix: string,
): void {
  const refused = (report?.states ?? []).filter((one) => one.prefix === prefix && one.exchange === "refused");
  const own = budget.prefixes.find((one) => one.prefix === prefix);
  const record = {
    prefix,
    changes_left: budget.left,
    per_hour_max: budget.per_hour_max,
    next_change_at: own?.next_change_at ?? null,
    exchanges: own?.exchanges ?? [],
    refused_by: refused
      .map(({ server, exchange_reason: why }) => `${server}: ${why ?? "no reason"}`)
      .join("; "),
    neighbors: neighbors.map(({ name, asn }) => `${name} (AS${asn})`).join(", "),
  };
  session.printRecord<typeof record>(
    [
      { name: "prefix", head: "prefix", value: (row) => row.prefix },
      { name: "changes_left", head: "changes left in this hour", value: (row) => row.changes_left },
      { name: "per_hour_max", head: "of", value: (row) => row.per_hour_max },
      {
        name: "next_change_at",
        head: "next change of the prefix",
        value: (row) => row.next_change_at,
        cell: (row) => row.next_change_at ?? "now",
      },
      {
        name: "exchanges",
        head: "changes that exchanges take",
        value: (row) => row.exchanges,
        cell: (row) => row.exchanges.map(changesInWords).join("; ") || "not reported",
        text: (row) => row.exchanges.map(changesInWords).join("; "),
      },
      { name: "refused_by", head: "refused now at", value: (row) => row.refused_by },
      { name: "neighbors", head: "neighbours", value: (row) => row.neighbors },
    ],
    record,
  );
}

type ExchangeChanges = AnnouncementsAnswer["budget"]["prefixes"][number]["exchanges"][number];

function changesInWords(changes: ExchangeChanges): string {
  return `${changes.server}: ${exchangeChangesInWords(changes)}`;
}
