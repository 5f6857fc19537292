/** A path as returned by lookups in a live table. */
import type { PathAttributes } from "../bgp/path-attributes.ts";
import type { RoutePeer } from "../bgp/route-event.ts";
import type { Address } from "../ip/address.ts";
import type { Prefix } from "../ip/prefix.ts";
import type { LivePeer, Source } from "./live-peers.ts";
import type { PathRow } from "./path-rows.ts";

export interface LivePath {
  readonly router: Address;
  readonly peer: LivePeer;
  readonly table: RoutePeer["table"];
  readonly prefix: Prefix;
  /** Null where the session has one path to a prefix. */
  readonly pathId: number | null;
  /** Do not change them: paths with equal attributes may share one object. */
  readonly attributes: PathAttributes;
  /** When it was announced or changed, by the router's clock if it sends a time; microseconds since 1970. */
  readonly changedUs: bigint;
  /** Stale: the router's session is down, or the route was not refreshed after a restart. */
  readonly isStale: boolean;
  /** Null = its table has no counterpart before the policy. */
  readonly verdict: "accepted" | "rejected" | "unknown" | null;
  /** Why it was rejected, according to a large community. */
  readonly reason: string | null;
}

interface Found extends Pick<LivePath, "prefix" | "attributes" | "verdict" | "reason"> {
  readonly row: PathRow;
  readonly source: Source;
}

export function livePath({ row, source, ...found }: Found): LivePath {
  const { peer, table } = source;
  const { pathId, isStale } = row;
  return {
    ...{ router: peer.router, peer, table, pathId, isStale, changedUs: BigInt(row.changedUs) },
    ...found,
  };
}
