/** What commands take that concern one lease: hours, and a prefix where there is a choice. */
import { UsageError } from "../../../lib/config/command-line.ts";
import { numberOf, quoted } from "../../../lib/config/option-values.ts";
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { parseLeasePrefix } from "../../../lib/lease/lease-prefix.ts";
import { leaseHoursMax } from "../../../lib/lease/limits.ts";
import { infoSchema } from "./answers.ts";

/** `4` or `4h`; throws UsageError. What the user may have at most, the gateway knows. */
export function hoursOf(text: string | undefined): number {
  if (text === undefined) {
    throw new UsageError("Give the hours that the lease is to last, as 4");
  }
  return numberOf("HOURS", text.replace(/h$/, ""), [1, leaseHoursMax]);
}

/** In one spelling; null = the only lease there is. Throws UsageError. */
export function prefixOf(text: string | undefined, more: readonly string[]): string | null {
  if (more.length > 0) {
    throw new UsageError("Name one prefix");
  }
  if (text === undefined) {
    return null;
  }
  const prefix = parseLeasePrefix(text);
  if (prefix === null) {
    throw new UsageError(`${quoted(text)} is no prefix of a lease: give an IPv6 /48, as 2001:db8:1::/48`);
  }
  return prefix;
}

/** The prefix that is meant. Throws UsageError when none was named and there is not exactly one. */
export async function chosenPrefix(
  gateway: Gateway,
  prefix: string | null,
  signal: AbortSignal,
): Promise<string> {
  if (prefix !== null) {
    return prefix;
  }
  const { active_leases } = await gateway.read("/api/user/info", infoSchema, { signal });
  const [only, ...more] = active_leases;
  if (only === undefined) {
    throw new UsageError("You have no live lease; get one with: vantage peering prefix request 24");
  }
  if (more.length > 0) {
    const all = active_leases.map((lease) => lease.prefix).join(", ");
    throw new UsageError(`Name one of your prefixes: ${all}`);
  }
  return only.prefix;
}

/** The address of a lease: the prefix is one segment, so its slash is encoded too. */
export function leasePath(prefix: string): string {
  return `/api/user/prefix/${encodeURIComponent(prefix)}`;
}

export const jsonHeaders = { "content-type": "application/json" } as const;
