/** A neighbour, and a router, as birdwatcher writes them. */
import { type Family, formatAddress } from "../../../../lib/net/ip/address.ts";
import type { LivePeer } from "../../../../lib/net/rib/live-peers.ts";
import { isOpenGap } from "../../../../lib/net/rib/received-event.ts";
import { printable } from "../../../../lib/peering/policy/printable.ts";
import { reasonCharsMax } from "./limits.ts";
import { protocolName, shortTime } from "./route-shape.ts";
import type { PeerCounts, RouterView } from "./router-view.ts";

const channelNames: Readonly<Record<Family, string>> = { 4: "ipv4", 6: "ipv6" };

/** A neighbour in `/protocols`. Counts of routes sent are left out where the router does not report these. */
export function protocolShape(view: RouterView, peer: LivePeer, counts: PeerCounts) {
  const { address, asn, routerId, tables } = peer;
  const isSentTold = tellsSent(peer);
  const shownCounts = ({ exported, ...rest }: PeerCounts[Family]) => ({
    ...rest,
    ...(isSentTold ? { exported } : {}),
  });
  const families = ([4, 6] as const).filter(
    (family) =>
      Object.values(counts[family]).some((count) => count > 0) ||
      [...tables.values()].some(({ complete }) => complete.has(family)),
  );
  const sum = (key: keyof PeerCounts[Family]) => counts[4][key] + counts[6][key];
  const routes = {
    ...{ imported: sum("imported"), filtered: sum("filtered") },
    ...{ preferred: sum("preferred"), exported: sum("exported") },
  };
  return {
    ...{ bird_protocol: "BGP", protocol: protocolName(address), table: "master" },
    ...stateOf(view, peer),
    ...{ neighbor_address: formatAddress(address), neighbor_as: asn, neighbor_id: routerId ?? "" },
    description: `AS${asn}`,
    routes: shownCounts(routes),
    channels: Object.fromEntries(
      families.map((family) => {
        const shown = shownCounts(counts[family]);
        return [channelNames[family], { routes: shown, routes_count: shown }];
      }),
    ),
  };
}

/** A neighbour in `/protocols/short`. */
export function shortShape(view: RouterView, peer: LivePeer) {
  const { state, state_changed: since, connection: info } = stateOf(view, peer);
  return { proto: "BGP", table: "master", state, since, info };
}

/** The router in `/status`. */
export function statusShape(view: RouterView, name: string | null, now: Date) {
  const reason = lostReason(view);
  return {
    ...{ router_id: formatAddress(view.router), hostname: name ?? "" },
    ...{ version: name === null ? "as reported to Vantage" : `${name}, as reported to Vantage` },
    current_server: shortTime(now.getTime()),
    message:
      reason === null
        ? "The collector receives this router's routes"
        : `The router is not connected: ${reason}`,
  };
}

/** Whether the router reports the routes that it sends to this peer. */
export function tellsSent({ tables }: LivePeer): boolean {
  return tables.has("out") || tables.has("out-post-policy");
}

/** A session whose start was not seen counts as up while its router is connected, since its last change. */
function stateOf(view: RouterView, { isUp, sinceUs, tables }: LivePeer) {
  const isLost = isUp === null && lostReason(view) !== null;
  const lastUs = Math.max(0, ...[...tables.values()].map(({ lastChangeUs }) => lastChangeUs ?? 0));
  const state = isLost ? "unknown" : isUp === false ? "down" : "up";
  return {
    state,
    state_changed: shortTime((sinceUs ?? lastUs) / 1000),
    connection: state === "up" ? "Established" : state === "down" ? "Idle" : "Not connected",
  };
}

/** Null = connected. */
function lostReason({ table, router }: RouterView): string | null {
  const gap = table.gaps.findLast((one) => isOpenGap(one, router));
  return gap === undefined ? null : printable(gap.reason, reasonCharsMax);
}
