/** A path as drawn: each hop's routers with most flows. Pure. */
import type { PicturedHop, PicturedPath, PicturedRouter } from "./picture-path.ts";

/** Routers of a hop that are drawn: 12 side by side, and the others when a reader opens their hop. */
const drawnRoutersMax = 256;

/**
 * Part of a path that a picture keeps while others are added: the more routers a hop has, the less one of them matters.
 */
export function drawnPath(path: PicturedPath): PicturedPath {
  const isWhole = path.hops.every(({ routers }) => routers.length <= drawnRoutersMax);
  return isWhole ? path : { ...path, hops: path.hops.map((hop) => drawnHop(hop, path.address)) };
}

function drawnHop(hop: PicturedHop, target: string): PicturedHop {
  const { routers, more_routers: before = 0 } = hop;
  if (routers.length <= drawnRoutersMax) {
    return hop;
  }
  const weight = ({ address, flows }: PicturedRouter) =>
    address === target ? Number.MAX_SAFE_INTEGER : address === null ? -1 : flows.length;
  const kept = new Set(routers.toSorted((a, b) => weight(b) - weight(a)).slice(0, drawnRoutersMax));
  const left = routers.filter((router) => !kept.has(router) && router.address !== null).length;
  return { ...hop, routers: routers.filter((router) => kept.has(router)), more_routers: before + left };
}
