/** Which changes a watcher gets. */
import type { RouteEvent } from "../../../../lib/net/bgp/route-event.ts";
import { type Address, sameAddress } from "../../../../lib/net/ip/address.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import { mappedBits } from "../../../../lib/net/ip/words.ts";
import type { LivePath } from "../../../../lib/net/rib/live-path.ts";
import type { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import type { Gap, ReceivedEvent } from "../../../../lib/net/rib/received-event.ts";

export interface EventChange {
  readonly kind: "event";
  readonly received: ReceivedEvent;
  /** The BGP message that it was in, in hexadecimal: there for who wants it. */
  readonly raw?: string;
}

/** An event of a live table, with the time at which the collector had it. */
export type Change = EventChange | { readonly kind: "gap"; readonly gap: Gap };

export interface RouteFilter {
  /** Null = every prefix. */
  readonly prefix: Prefix | null;
  /** Longer prefixes that it holds, too. */
  readonly more: boolean;
  /** Shorter prefixes that hold it, too. */
  readonly less: boolean;
  readonly router: Address | null;
  readonly peer: Address | null;
}

/** Ends of tables and changes of sessions go by router and peer alone; a gap by its router. */
export function wants(filter: RouteFilter, change: Change): boolean {
  if (change.kind === "gap") {
    const { router } = change.gap;
    return filter.router === null || router === null || sameAddress(filter.router, router);
  }
  const { router, event } = change.received;
  return wantsPrefix(filter, event) && wantsSpeaker(filter, router, event.peer.address);
}

function wantsPrefix({ prefix, more, less }: RouteFilter, { route }: RouteEvent): boolean {
  if (route === null || prefix === null) {
    return true;
  }
  const { family, length, base } = route.prefix;
  if (family !== prefix.family || (length > prefix.length && !more) || (length < prefix.length && !less)) {
    return false;
  }
  return haveEqualBits(base, prefix.base, Math.min(mappedBits(route.prefix), mappedBits(prefix)));
}

function wantsSpeaker(filter: RouteFilter, router: Address, peer: Address): boolean {
  return (
    (filter.router === null || sameAddress(filter.router, router)) &&
    (filter.peer === null || sameAddress(filter.peer, peer))
  );
}

/** Asked of each change for each watcher: nothing is made. */
function haveEqualBits(a: Address, b: Address, bits: number): boolean {
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) {
    if (a[i] !== b[i]) {
      return false;
    }
  }
  const rest = bits & 7;
  return rest === 0 || (((a[whole] ?? 0) ^ (b[whole] ?? 0)) & (0xff00 >> rest) & 0xff) === 0;
}

/** The paths that stand, as many as `max`, and whether there are more. */
export function standing(
  table: Pick<LiveTable, "exact" | "lessSpecific" | "moreSpecific">,
  filter: RouteFilter & { readonly prefix: Prefix },
  max: number,
): { readonly paths: readonly LivePath[]; readonly isCut: boolean } {
  const paths: LivePath[] = [];
  for (const path of within(table, filter)) {
    if (wantsSpeaker(filter, path.router, path.peer.address)) {
      if (paths.length === max) {
        return { paths, isCut: true };
      }
      paths.push(path);
    }
  }
  return { paths, isCut: false };
}

function* within(
  table: Pick<LiveTable, "exact" | "lessSpecific" | "moreSpecific">,
  { prefix, more, less }: RouteFilter & { readonly prefix: Prefix },
): Generator<LivePath> {
  for (const found of less ? table.lessSpecific(prefix) : []) {
    yield* found.paths;
  }
  yield* table.exact(prefix);
  for (const found of more ? table.moreSpecific(prefix) : []) {
    yield* found.paths;
  }
}
