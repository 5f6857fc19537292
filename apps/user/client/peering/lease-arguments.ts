/** Arguments of commands for one lease: hours, and a prefix where there is a choice. */
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { kindOf, number, unfit } from "../../../../lib/command/command/kinds.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { parseLeasePrefix } from "../../../../lib/peering/lease/lease-prefix.ts";
import { leaseHoursMax } from "../../../../lib/peering/lease/limits.ts";
import { infoSchema } from "./answers.ts";

/** `4` or `4h`. The gateway enforces the user's maximum. */
export const hoursArgument = {
  kind: kindOf("HOURS", "any", (given) => number(1, leaseHoursMax).read(given.replace(/h$/, ""))),
  required: true,
  meaning: "hours that the lease is to last, as 4",
} as const;

/** In one spelling; null = the only lease there is. */
export const leaseArgument = {
  kind: kindOf(
    "PREFIX",
    "any",
    (given) =>
      parseLeasePrefix(given) ?? unfit("is not the prefix of a lease: an IPv6 /48, as 2001:db8:1::/48"),
  ),
  meaning: "the lease; may be left out when you have one",
} as const;

/** The chosen prefix. Throws CommandError `usage` when none was named and there is not exactly one. */
export async function chosenPrefix(
  gateway: Gateway,
  prefix: string | null,
  signal: AbortSignal,
): Promise<string> {
  if (prefix !== null) {
    return prefix;
  }
  const { active_leases } = await gateway.read("/api/user/info", infoSchema, { signal });
  return onlyPrefix(
    active_leases.map((lease) => lease.prefix),
    "you have no live lease; get one with: vantage peering prefix request 24",
  );
}

/** Throws CommandError `usage` unless there is exactly one; `ifNone` is its message where there is none. */
export function onlyPrefix([only, ...more]: readonly string[], ifNone: string): string {
  if (only === undefined) {
    throw wrongUsage(ifNone);
  }
  if (more.length > 0) {
    throw wrongUsage(`name one of your prefixes: ${[only, ...more].join(", ")}`);
  }
  return only;
}

/** The URL path of a lease: the prefix is one segment, so its slash is encoded too. */
export function leasePath(prefix: string): string {
  return `/api/user/prefix/${encodeURIComponent(prefix)}`;
}

export const jsonHeaders = { "content-type": "application/json" } as const;
