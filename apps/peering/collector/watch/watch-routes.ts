/** `GET /api/routes/watch`: each change of the routes to a prefix, live, in server-sent events. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import { routeChange } from "../../../../lib/base/api/route-changes.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { callerNetwork } from "../../../../lib/engines/http/caller.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../../lib/engines/http/input.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { pulledBody } from "../../../../lib/engines/http/pulled-body.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { type Prefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import { addressText } from "../address-text.ts";
import { resourceCharsMax } from "../limits.ts";
import type { VrpSource } from "../rpki/vrp-source.ts";
import { changeStream } from "./change-stream.ts";
import { eventIdCharsMax, retryMs, watchesMax, watchesOfOneMax } from "./limits.ts";
import { type RouteFilter, wants } from "./route-filter.ts";
import type { RouteWatches } from "./route-watches.ts";

const description = describe({
  tags: ["routes"],
  auth: "public",
  summary: "Each change of the routes to a prefix, live",
  description:
    "First the paths that stand (`path`), then `live`, then the changes. With Last-Event-ID a stream continues where " +
    "it was; what was missed is said (`missed`), and the paths come again. Synthetic withdrawals and gaps are " +
    "events. " +
    `At most ${watchesMax} readers, ${watchesOfOneMax} of one network (IPv4 /24, IPv6 /64).`,
  ok: [{ status: 200, description: "Events", type: "text/event-stream", schema: routeChange }],
  problems: { 400: "`invalid_query`", 503: "`watchers_exhausted`" },
});

const flag = v.optional(v.picklist(["true", "false"]), "false");
const querySchema = v.object({
  prefix: v.pipe(
    v.string(),
    v.maxLength(resourceCharsMax, "is too long for a prefix"),
    v.check((text) => parsePrefix(text) !== null, "must be a prefix, with host bits zero"),
  ),
  ...{ more: flag, less: flag, router: v.optional(addressText), peer: v.optional(addressText) },
});

interface WatchParts {
  readonly table: LiveTable;
  readonly watches: RouteWatches;
  readonly nowUs: () => bigint;
  /** Null = routes are not validated. */
  readonly vrps: Pick<VrpSource, "table"> | null;
}

export function watchRoutes(parts: WatchParts): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get("/api/routes/watch", description, queryInput(querySchema), (c) => {
    const query = c.req.valid("query");
    const prefix = parsePrefix(query.prefix);
    return prefix === null ? c.notFound() : streamed(c, parts, { ...filterOf(query), prefix });
  });
  return routes;
}

function filterOf({ more, less, router, peer }: v.InferOutput<typeof querySchema>) {
  return {
    ...{ more: more === "true", less: less === "true" },
    router: router === undefined ? null : parseAddress(router),
    peer: peer === undefined ? null : parseAddress(peer),
  };
}

function streamed(
  c: Context<HttpEnv>,
  { table, watches, nowUs, vrps }: WatchParts,
  filter: RouteFilter & { readonly prefix: Prefix },
): Response {
  const place = placeOf(c.req.header("last-event-id"));
  const order = c.req.url.replace(/^[^?]*/, "");
  const who = callerNetwork(c) ?? "unknown";
  const opened = watches.begin(who, order, (change) => wants(filter, change), place?.id ?? null);
  if (opened === null) {
    throw new Problem({
      ...{ status: 503, code: "watchers_exhausted" },
      message: `${watchesMax} readers watch already, or ${watchesOfOneMax} of your network; end one, or try again`,
      headers: { "retry-after": String(retryMs / 1000) },
    });
  }
  const { id, watch, isResumed, moved } = opened;
  const from = isResumed ? Math.min(place?.next ?? 0, watch.next) : null;
  const missed = (count: number) => {
    watches.counts.missed += count;
  };
  const gone = new AbortController();
  const texts = changeStream({
    ...{ table, filter, id, watch, from, nowUs, missed, gone: gone.signal },
    isLost: place !== null && !isResumed,
    vrps: () => vrps?.table ?? null,
  });
  const onEnd = () => {
    gone.abort();
    watches.leave(id);
    watch.wake();
  };
  const body = pulledBody({ texts, onEnd, onTaken: moved, reader: c.req.raw.signal });
  // Proxies that buffer answers would delay events.
  const headers = { "cache-control": "private, no-store", "x-accel-buffering": "no" };
  return new Response(body, { headers: { ...headers, "content-type": "text/event-stream" } });
}

/** Null = the reader begins. An id that is not ours is an unknown position. */
function placeOf(given: string | undefined): { readonly id: string; readonly next: number } | null {
  if (given === undefined || given === "") {
    return null;
  }
  const [, id = "", next = "0"] = /^([\da-zA-Z-]+)-(\d{1,15})$/.exec(given.slice(0, eventIdCharsMax)) ?? [];
  return { id, next: Number(next) };
}
