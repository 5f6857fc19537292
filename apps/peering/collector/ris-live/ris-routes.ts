/** `GET /v1/ws/`: RIS Live's WebSocket, from what our routers say. */
import { type Context, Hono } from "hono";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { callerNetwork } from "../../../../lib/engines/http/caller.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Connection } from "../../../../lib/engines/http/serve.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import type { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import type { ReceivedEvent } from "../../../../lib/net/rib/received-event.ts";
import type { Change } from "../watch/route-filter.ts";
import type { RouteWatches } from "../watch/route-watches.ts";
import { RisSession } from "./ris-session.ts";

interface RisParts {
  readonly table: Pick<LiveTable, "peers" | "hasTable">;
  readonly watches: RouteWatches;
}

export function risRoutes(parts: RisParts): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get("/v1/ws/", (c) => upgraded(c, parts));
  return routes;
}

function upgraded(c: Context<HttpEnv>, { table, watches }: RisParts): Response {
  const connection = (c.env ?? {}) as Partial<Connection>;
  const who = callerNetwork(c) ?? "unknown";
  const begin = (wants: (change: Change) => boolean) => {
    const opened = watches.begin(who, "", wants);
    return opened === null
      ? null
      : { watch: opened.watch, moved: opened.moved, leave: () => watches.end(opened.id) };
  };
  const session = new RisSession({
    begin,
    hosts: () => [...new Set(table.peers().map(({ router }) => formatAddress(router)))],
    isShown: (received) => isShown(table, received),
    missed: (count) => {
      watches.counts.missed += count;
    },
  });
  if (connection.upgrade?.(session) !== true) {
    throw new Problem({
      ...{ status: 426, code: "not_a_websocket" },
      message: "This address is a WebSocket: connect to ws://…/v1/ws/?client=NAME",
      headers: { upgrade: "websocket", connection: "Upgrade" },
    });
  }
  return new Response(null);
}

/** Routes that a peer has sent; where a router does not report them, those that it has accepted. */
function isShown(table: Pick<LiveTable, "hasTable">, { router, event: { peer } }: ReceivedEvent): boolean {
  return peer.table === "in" || (peer.table === "in-post-policy" && !table.hasTable(router, peer, "in"));
}
