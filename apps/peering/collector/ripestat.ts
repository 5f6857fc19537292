/**
 * What RIPEstat says of a route and of its peers, from our own table, for programs that were written for RIPEstat.
 *
 *     GET /data/looking-glass/data.json?resource=PREFIX|ADDRESS
 *     GET /data/ris-peer-count/data.json
 *
 * A resource that is neither gets 400 `invalid_resource`. Other parameters (`sourceapp`) change nothing.
 *
 * Each router that speaks to the collector is an `rrc`. A peer counts once, with what it has sent, accepted or not;
 * without that, with what the router has taken. Stale paths, and those that routers send or have themselves, are left
 * out. Shapes: `looking-glass` and `ris-peer-count` of stat.ripe.net/docs/data-api, of which the nxthdr CLI reads both.
 */
import { Hono } from "hono";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { formatAsPath } from "../../../lib/net/bgp/as-path.ts";
import { type Address, type Family, formatAddress, parseAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix, parsePrefix } from "../../../lib/net/ip/prefix.ts";
import type { LivePath } from "../../../lib/net/rib/live-path.ts";
import type { LivePeer } from "../../../lib/net/rib/live-peers.ts";
import type { LiveTable } from "../../../lib/net/rib/live-table.ts";
import type { Completeness } from "../../../lib/net/rib/table-state.ts";
import { resourceCharsMax } from "./limits.ts";
import { noResource } from "./route-lookup.ts";

export function ripestatRoutes(table: LiveTable): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get("/data/looking-glass/data.json", (c) => {
    const resource = c.req.query("resource") ?? "";
    const data = resource.length > resourceCharsMax ? null : lookingGlassData(table, resource, Date.now());
    if (data === null) {
      throw noResource();
    }
    return c.json(answer(data));
  });
  routes.get("/data/ris-peer-count/data.json", (c) => c.json(answer(peerCountData(table, Date.now()))));
  return routes;
}

type Told = Pick<LiveTable, "exact" | "longest" | "peers">;

/** The data of `/data/looking-glass/data.json`; null = the resource is neither a prefix nor an address. */
export function lookingGlassData(table: Told, resource: string, nowMs: number) {
  const paths = pathsTo(table, resource);
  if (paths === null) {
    return null;
  }
  const routers = Map.groupBy(paths, ({ router }) => formatAddress(router));
  const rrcs = [...routers].map(([rrc, all]) => ({ rrc, location: rrc, peers: all.map(peerEntry) }));
  return { rrcs, query_time: timeText(nowMs), latest_time: timeText(nowMs), parameters: { resource } };
}

/**
 * The data of `/data/ris-peer-count/data.json`: peers that are up and have sent their whole table of the family. Ours
 * besides: how many of them are counted by an End-of-RIB, and how many because the table has stopped growing.
 */
export function peerCountData(table: Told, nowMs: number) {
  const peers = table.peers();
  const countOf = (family: Family) => {
    const found = peers.map((peer) => wholeTable(peer, family, 1000 * nowMs));
    const [ended, quiet] = (["end-of-rib", "quiet"] as const).map(
      (kind) => found.filter((one) => one === kind).length,
    );
    const count = found.filter((one) => one !== null).length;
    return { full_feed: [{ timestamp: timeText(nowMs), count, by_end_of_rib: ended, by_quiet_time: quiet }] };
  };
  return {
    peer_count: { v4: countOf(4), v6: countOf(6) },
    starttime: timeText(nowMs),
    endtime: timeText(nowMs),
  };
}

function pathsTo(table: Told, resource: string): LivePath[] | null {
  const address: Address | null = parseAddress(resource);
  if (address !== null) {
    return oncePerPeer(table.longest(address)?.paths ?? []);
  }
  const prefix = parsePrefix(resource);
  return prefix === null ? null : oncePerPeer(table.exact(prefix));
}

function oncePerPeer(paths: readonly LivePath[]): LivePath[] {
  const chosen = new Map<LivePeer, LivePath>();
  for (const path of paths) {
    const isReceived = path.table === "in" || path.table === "in-post-policy";
    const before = chosen.get(path.peer);
    if (
      isReceived &&
      !path.isStale &&
      (before === undefined || (before.table !== "in" && path.table === "in"))
    ) {
      chosen.set(path.peer, path);
    }
  }
  return [...chosen.values()];
}

function peerEntry({ peer, prefix, attributes, changedUs }: LivePath) {
  const last = attributes.asPath.at(-1) ?? peer.asn;
  const changed = timeText(Number(changedUs / 1000n));
  return {
    asn_origin: typeof last === "number" ? String(last) : `{${last.join(",")}}`,
    as_path: formatAsPath(attributes.asPath),
    community: attributes.communities.map((one) => one.join(":")).join(" "),
    largeCommunity: attributes.largeCommunities.map((one) => one.join(":")).join(" "),
    extendedCommunity: attributes.extendedCommunities.join(" "),
    last_updated: changed,
    latest_time: changed,
    prefix: formatPrefix(prefix),
    peer: formatAddress(peer.address),
    origin: attributes.origin ?? "INCOMPLETE",
    next_hop: attributes.nextHop === null ? "" : formatAddress(attributes.nextHop),
  };
}

/** Null = it is not known to have been sent whole. */
function wholeTable({ isUp, tables }: LivePeer, family: Family, nowUs: number): Completeness | null {
  const received = [tables.get("in"), tables.get("in-post-policy")];
  const found = received.flatMap((state) => state?.completeness(family, nowUs) ?? []);
  return isUp === true ? (found.find((one) => one === "end-of-rib") ?? found[0] ?? null) : null;
}

/** RIPEstat's times: UTC, whole seconds, without a zone. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** What RIPEstat wraps its data in, as far as we have it. */
function answer<Data>(data: Data) {
  return { status: "ok", status_code: 200, data };
}
