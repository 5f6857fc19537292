/** What a time line says of routes, beside what the routers' daemons have noted themselves. */
import type { TimeLineRow } from "./lab-experiment.ts";
import { managementAddress, routerIds, upstreams } from "./plan.ts";
import { notedMessages } from "./told-updates.ts";
import type { World } from "./world.ts";

/** As a time line names them, the daemon of each, and how precise its file's times are. FRR's BMP cannot judge. */
const routers = [
  { shown: routerIds.bird, node: "bird", precisionUs: 1e6 },
  { shown: routerIds.frr, node: "frr", precisionUs: 0 },
  { shown: managementAddress("gobgp"), node: "gobgp", precisionUs: 1e6 },
] as const;

interface Noted {
  readonly router: string;
  readonly kind: string;
  readonly peer: string;
  readonly asn: string;
  readonly path: string;
  readonly fromUs: number;
  readonly toUs: number;
}

async function notedBy(world: World): Promise<Noted[]> {
  const lists = await Promise.all(
    routers.map(async ({ shown, node, precisionUs }) => {
      const messages = await notedMessages(world.parts.routers.mrtOf(node));
      return messages.map(({ timeUs, text }): Noted => {
        const [kind = "", peer = "", asn = "", ...path] = text.split(" ");
        const when = { fromUs: timeUs, toUs: timeUs + precisionUs };
        return { router: shown, kind, peer, asn, path: path.join(" "), ...when };
      });
    }),
  );
  return lists.flat();
}

/** Rows of a time line about routes of routers that can be judged: what came, and what went. */
export function routeRows(rows: readonly TimeLineRow[]): TimeLineRow[] {
  return rows.filter(({ source, subject, event, detail }) => {
    const isRoute = event === "first-sight" || event === "route" || event === "route-gone";
    const router = routers.find(({ shown }) => shown === subject.split(" ")[1]);
    // GoBGP notes no message whose path has its own AS, and tells of it in its table.
    const asn = upstreams.find(({ node }) => node === router?.node)?.asn;
    const isLoop = detail.split(" (")[0]?.split(" ").includes(String(asn));
    return source === "collector" && isRoute && router !== undefined && !isLoop;
  });
}

/**
 * Those of them that no message of a router, or end of a session, stands behind, each of which stands behind one row:
 * within what the row says of its time, and `slackMs` for a collector that is late.
 */
export async function inventedRows(
  world: World,
  rows: readonly TimeLineRow[],
  slackMs: number,
): Promise<string[]> {
  const left = await notedBy(world);
  const asns = new Map(left.map(({ peer, asn }) => [peer, asn]));
  return routeRows(rows).flatMap((row) => {
    const [, router, peer = ""] = row.subject.split(" ");
    const [path] = row.detail.split(" (");
    const [atUs, withinUs] = [Number(row.at_ns) / 1e3, 1e3 * ((row.within_ms ?? 0) + slackMs)];
    const at = left.findIndex((one) => {
      const isOf = one.kind === "L" ? one.asn === asns.get(peer) : one.peer === peer;
      const isSo = row.event === "route-gone" ? one.kind !== "A" : one.kind === "A" && one.path === path;
      const isThen = one.fromUs <= atUs + withinUs && one.toUs >= atUs - withinUs;
      return one.router === router && isOf && isSo && isThen;
    });
    if (at === -1) {
      return [
        `${new Date(atUs / 1e3).toISOString()} ±${row.within_ms} ${row.subject} ${row.event} ${row.detail}`,
      ];
    }
    left.splice(at, 1);
    return [];
  });
}
