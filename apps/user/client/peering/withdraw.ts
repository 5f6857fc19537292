/** `vantage withdraw`: a prefix no more, or nothing at all any more. */
import { changedAnswer, withdrawnAnswer } from "../../../../lib/base/api/announcements.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { announcementPath, atOption, waitOptions } from "./announcement-options.ts";
import { placeNote, placeOf, placeOptions } from "./announcement-place.ts";
import { showAnnouncements } from "./announcement-rows.ts";
import { leaseArgument } from "./lease-arguments.ts";

interface Given {
  readonly config: string | null;
  readonly prefix: string | null;
  readonly at: readonly string[];
  readonly all: boolean;
  readonly wait: boolean;
  readonly timeout: number;
}

export const command = gatewayCommand({
  service: "peering",
  about:
    `${placeNote} A gateway always allows it, and counts it as a change. With --all, and for a prefix at all ` +
    "exchange servers, these refuse it from now on, whatever your client stack does.",
  options: {
    ...placeOptions,
    at: atOption,
    all: {
      flag: true,
      default: false,
      notWith: ["at"],
      meaning: "all your prefixes, at all exchange servers",
    },
    ...waitOptions,
  },
  arguments: { prefix: leaseArgument },
  examples: [
    "vantage withdraw 2001:db8:1::/48 --wait",
    "vantage withdraw --at ixp1",
    ["vantage withdraw 2001:db8:1::/48 -c bootstrap.yaml", "by the client stack on this machine"],
    ["vantage withdraw --all", "in an emergency"],
  ],
  exits: { failure: "refused, or the daemon has not confirmed it" },
  act: withdraw,
});

async function withdraw(session: GatewaySession, given: Given): Promise<ExitCode> {
  const { signal } = session;
  const { all, at, wait, timeout } = given;
  if (all && given.prefix !== null) {
    throw wrongUsage("give a prefix or --all, not both");
  }
  const place = await placeOf(session, given.config);
  const { gateway } = place;
  const method = "DELETE";
  const waitMs = wait ? timeout : null;
  if (all) {
    await gateway.read("/api/announcements", withdrawnAnswer, { method, signal, repeatable: true });
    const isDone = await showAnnouncements(session, gateway, { prefixes: null, waitMs, isChange: true });
    return isDone ? exitCodes.ok : exitCodes.failure;
  }
  const prefix = await place.prefix(given.prefix);
  for (const server of at.length === 0 ? ["*"] : at) {
    await gateway.read(announcementPath(prefix), changedAnswer, { method, signal, query: { server } });
  }
  const isDone = await showAnnouncements(session, gateway, { prefixes: [prefix], waitMs, isChange: true });
  return isDone ? exitCodes.ok : exitCodes.failure;
}
