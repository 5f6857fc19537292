/**
 * `GET /api/routes/rejected`: what peers have sent and routers have refused, from the live table. An answer goes
 * through a bounded part of the table, and says where the next one begins.
 */
import { Hono } from "hono";
import * as v from "valibot";
import { digits } from "../../../lib/base/api/fields.ts";
import { rejectedAnswer } from "../../../lib/base/api/routes.ts";
import type { StoredAnswer } from "../../../lib/base/api/stored-answer.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../lib/engines/http/input.ts";
import { formatAddress, parseAddress } from "../../../lib/net/ip/address.ts";
import type { LivePath } from "../../../lib/net/rib/live-path.ts";
import type { LiveTable } from "../../../lib/net/rib/live-table.ts";
import type { VrpTable } from "../../../lib/net/rpki/vrp-table.ts";
import { addressText } from "./address-text.ts";
import { rejectedNodesMax, routesShownMax } from "./limits.ts";
import { routeOf } from "./route-answer.ts";
import type { VrpSource } from "./rpki/vrp-source.ts";
import { walkTable } from "./table-walk.ts";

type RejectedAnswer = StoredAnswer<typeof rejectedAnswer>;

const description = describe({
  tags: ["routes"],
  auth: "public",
  summary: "Routes that routers have refused",
  description:
    "As peers have sent them, with the reason where a large community marks it. Of a router that sends its table " +
    "before and after the policy, what is in the first alone. An answer goes through " +
    `${rejectedNodesMax} prefixes at most; \`next\` is where to continue.`,
  ok: rejectedAnswer,
  problems: { 400: "`invalid_query`" },
});

/** A whole number in a query. */
export const whole = (low: number, high: number) =>
  v.pipe(digits(10), v.minValue(low, `must be ${low} at least`), v.maxValue(high, `must be ${high} at most`));

const query = queryInput(
  v.object({
    router: v.optional(addressText),
    peer: v.optional(addressText),
    from: v.optional(whole(1, 4_294_967_295), "1"),
    limit: v.optional(whole(1, routesShownMax), "1000"),
  }),
);

interface Order {
  readonly router: string | null;
  readonly peer: string | null;
  readonly from: number;
  readonly limit: number;
  /** What routes are validated by; null = they are not. */
  readonly vrps: VrpTable | null;
}

export function rejectedRoutes(table: LiveTable, known: Pick<VrpSource, "table"> | null): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get("/api/routes/rejected", description, query, async (c) => {
    const { router, peer, from, limit } = c.req.valid("query");
    const vrps = known?.table ?? null;
    return c.json(
      await rejectedOf(table, { router: spelled(router), peer: spelled(peer), from, limit, vrps }),
    );
  });
  return routes;
}

/** Slices that have more paths than the limit are not cut: the next slice is left out. */
export async function rejectedOf(
  table: Pick<LiveTable, "rejected" | "peers" | "refusals">,
  { router, peer, from, limit, vrps }: Order,
): Promise<RejectedAnswer> {
  const isWanted = (path: LivePath) =>
    (router === null || formatAddress(path.router) === router) &&
    (peer === null || formatAddress(path.peer.address) === peer);
  const slice = (start: number, nodesMax: number) => table.rejected(start, nodesMax);
  const { paths, next } = await walkTable(slice, { from, limit, isWanted });
  const routes = paths.map((path) => routeOf(path, vrps));
  return { routes, next, routers_without_policy: withoutPolicy(table) };
}

function withoutPolicy(table: Pick<LiveTable, "peers" | "refusals">): string[] {
  const routers = Map.groupBy(table.peers(), ({ router }) => formatAddress(router));
  return [...routers].flatMap(([text, peers]) =>
    peers.some(({ router, tables }) => tables.has("in-post-policy") || table.refusals.has(router))
      ? []
      : [text],
  );
}

/** As addresses are written here; null = none is given. */
export function spelled(given: string | undefined): string | null {
  const read = given === undefined ? null : parseAddress(given);
  return read === null ? null : formatAddress(read);
}
