/** A change as the collector's HTTP API gives it. */
import type { RouteChange } from "../../../../lib/base/api/route-changes.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../../lib/net/ip/prefix.ts";
import type { LivePath } from "../../../../lib/net/rib/live-path.ts";
import type { VrpTable } from "../../../../lib/net/rpki/vrp-table.ts";
import { pathAnswer } from "../route-answer.ts";
import type { Change } from "./route-filter.ts";

const nothing: Omit<RouteChange, "kind" | "heard_at"> = {
  ...{ at: null, router: null, peer: null, peer_asn: null, table: null, prefix: null, path_id: null },
  ...{ as_path: null, next_hop: null, origin: null, multi_exit_disc: null, local_preference: null },
  ...{
    communities: null,
    rpki: null,
    origin_validation: null,
    is_synthetic: false,
    count: null,
    detail: null,
  },
};

/** An event about the watch itself. */
export function note(
  kind: "live" | "missed" | "resumed",
  nowUs: bigint,
  more: Partial<Pick<RouteChange, "count" | "detail">>,
): RouteChange {
  return { ...nothing, kind, heard_at: timeText(nowUs), ...more };
}

interface Told {
  /** The collector's clock. */
  readonly nowUs: bigint;
  /** What routes are validated by; null = nothing is known. */
  readonly vrps: VrpTable | null;
}

/** A path that stands when the watch begins. */
export function standingAnswer(path: LivePath, { nowUs, vrps }: Told): RouteChange {
  const { router, peer, table, prefix, pathId, changedUs, isStale } = path;
  return {
    ...nothing,
    ...{ kind: "path", at: timeText(changedUs), heard_at: timeText(nowUs) },
    ...{ router: formatAddress(router), peer: table === "local" ? null : formatAddress(peer.address) },
    ...{ peer_asn: peer.asn, table, prefix: formatPrefix(prefix), path_id: pathId },
    ...pathAnswer(path, vrps),
    detail: isStale ? "stale: the session is down, or the route was not refreshed" : null,
  };
}

export function changeAnswer(change: Change, { nowUs, vrps }: Told): RouteChange {
  if (change.kind === "gap") {
    const { router, fromUs, toUs, reason } = change.gap;
    const until = toUs === null ? "it continues" : `until ${timeText(toUs)}`;
    return {
      ...nothing,
      ...{ kind: "gap", at: timeText(fromUs), heard_at: timeText(nowUs) },
      ...{ router: router && formatAddress(router), detail: `${reason}; ${until}` },
    };
  }
  const { router, event, isSynthetic, receivedUs } = change.received;
  const { kind, timeUs, peer, route, attributes } = event;
  return {
    ...nothing,
    ...{ kind, at: timeUs === null ? null : timeText(timeUs), heard_at: timeText(receivedUs) },
    ...{ router: formatAddress(router), peer: peer.table === "local" ? null : formatAddress(peer.address) },
    ...{ peer_asn: peer.asn, table: peer.table, is_synthetic: isSynthetic },
    ...(route === null ? {} : { prefix: formatPrefix(route.prefix), path_id: route.pathId }),
    ...(kind === "announce" && route !== null
      ? pathAnswer({ prefix: route.prefix, peer, attributes }, vrps)
      : {}),
  };
}

/** RFC 3339, in UTC, with microseconds. */
function timeText(timeUs: bigint): string {
  const seconds = new Date(Number(timeUs / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(timeUs % 1_000_000n).padStart(6, "0")}Z`;
}
