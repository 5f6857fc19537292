/**
 * The routes of a router to one prefix as BIRD would list them, from the paths that the router reports.
 *
 * | here       | BIRD                           | made of                                                           |
 * |------------|--------------------------------|-------------------------------------------------------------------|
 * | `imported` | `show route`                   | accepted routes; where these are not reported, received ones      |
 * | `filtered` | `show route filtered`          | paths with the verdict `rejected`                                 |
 * | `sent`     | `show route export`            | routes sent to a peer, after its policy where that is reported    |
 *
 * A route is primary when the router's own table has it, or, where that is not reported, when no other was
 * imported. Stale paths are left out.
 */
import { formatAsPath } from "../../../../lib/net/bgp/as-path.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import type { LivePath } from "../../../../lib/net/rib/live-path.ts";
import type { LivePeer } from "../../../../lib/net/rib/live-peers.ts";

export interface RouterRoute {
  readonly path: LivePath;
  readonly isPrimary: boolean;
}

export interface RouterRoutes {
  readonly imported: readonly RouterRoute[];
  readonly filtered: readonly RouterRoute[];
  readonly sent: readonly RouterRoute[];
}

/** `paths` are those of one router to one prefix. */
export function routerRoutes(paths: readonly LivePath[]): RouterRoutes {
  const fresh = paths.filter(({ isStale }) => !isStale);
  const received = fresh.filter(({ table }) => table === "in");
  const taken = fresh.filter(({ table }) => table === "in-post-policy");
  const before = received.filter((path) => !taken.some((one) => isSamePath(one, path)));
  const all = [...taken, ...before];
  const imported = all.filter(({ verdict }) => verdict !== "rejected");
  const best = bestOf(imported, fresh);
  const sent = fresh.filter(({ table }) => table === "out-post-policy");
  const untold = fresh.filter(({ table, peer }) => table === "out" && !peer.tables.has("out-post-policy"));
  return {
    imported: imported.map((path) => ({ path, isPrimary: path === best })),
    filtered: all.flatMap((path) => (path.verdict === "rejected" ? [{ path, isPrimary: false }] : [])),
    sent: [...sent, ...untold].map((path) => ({ path, isPrimary: true })),
  };
}

/**
 * What BIRD shows as not exported to a peer: primary routes of others that the peer was not sent; all of them
 * where it is unknown which one is primary.
 */
export function notSent({ imported, sent }: RouterRoutes, peer: LivePeer): readonly RouterRoute[] {
  if (sent.some(({ path }) => path.peer === peer)) {
    return [];
  }
  const primary = imported.filter(({ isPrimary }) => isPrimary);
  return (primary.length > 0 ? primary : imported).filter(({ path }) => path.peer !== peer);
}

/** Null = unknown. */
function bestOf(imported: readonly LivePath[], all: readonly LivePath[]): LivePath | null {
  const chosen = all.find(({ table }) => table === "local");
  if (chosen === undefined) {
    return imported.length === 1 ? (imported[0] ?? null) : null;
  }
  return imported.find((path) => keyOf(path) === keyOf(chosen)) ?? null;
}

function keyOf({ attributes: { asPath, nextHop } }: LivePath): string {
  return `${formatAsPath(asPath)} ${nextHop === null ? "" : formatAddress(nextHop)}`;
}

function isSamePath(one: LivePath, other: LivePath): boolean {
  return one.peer === other.peer && one.pathId === other.pathId;
}
