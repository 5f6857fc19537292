/** Wishes of users for their announcements: what the peering gateway takes, keeps and answers. */
import * as v from "valibot";
import { changeBudget } from "./change-budget.ts";
import { time, wholeNumber } from "./fields.ts";

/** Hops added to a path, prepends and poisoned ASNs together: a longer path has no further effect. */
export const prependMax = 10;

/** ASNs of a poisoned path, and neighbours in one list: each is a community, or a hop, on every router outside. */
export const poisonMax = 5;
export const neighborsMax = 5;

/** Addresses of a prefix that are discarded: each is a route of the exchange's few for one user. */
const blackholesMax = 8;

/** Exchange servers that one wish names: a client stack joins no more. */
export const wishServersMax = 16;

export const serverName = v.pipe(
  v.string(),
  v.regex(/^([a-z0-9-]{1,100}|\*)$/, "must be the name of an exchange server, or * for all"),
);
/** Nanoseconds since the epoch, as text: they do not fit a number of JavaScript. */
const nanos = v.pipe(v.string(), v.regex(/^\d{1,19}$/, "must be nanoseconds since the epoch"));
const prepend = wholeNumber(0, prependMax);
const asn = wholeNumber(1, 4_294_967_294);
const atMostNeighbors = `must name ${neighborsMax} neighbours at most`;

/** A neighbour of the exchange: upstream, peer or route server. */
export const neighborName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,30}$/, "must be the name of a neighbour, or its ASN"),
);
const neighborList = v.optional(v.pipe(v.array(asn), v.maxLength(neighborsMax, atMostNeighbors)), []);
const neighborChoice = v.optional(
  v.pipe(
    v.array(v.union([asn, neighborName], "must be the name of a neighbour, or its ASN")),
    v.maxLength(neighborsMax, atMostNeighbors),
  ),
  [],
);
const times = wholeNumber(1, 3);

/** What an announcement may ask for besides prepends: docs/announce/announcements.md. */
export const routeAttributes = v.object({
  /** ASNs put between two copies of the own; needs the right to it. */
  poison: v.optional(v.pipe(v.array(asn), v.maxLength(poisonMax)), []),
  /** IPv6 addresses of the prefix, RFC 5952: packets to them are discarded (RFC 7999); needs the right to it. */
  blackhole: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[\da-f:]{2,39}$/i, "must be an IPv6 address"))),
      v.maxLength(blackholesMax, `must name ${blackholesMax} addresses at most`),
    ),
    [],
  ),
  /** Neighbours of the exchange that do not get the route; if any are listed, the only ones that get it. */
  not_to: neighborList,
  only_to: neighborList,
  /** By ASN: prepends towards these neighbours only. */
  prepend_to: v.optional(
    v.pipe(
      v.record(v.pipe(v.string(), v.regex(/^\d{1,10}$/)), times),
      v.maxEntries(neighborsMax, atMostNeighbors),
    ),
    {},
  ),
  /** RFC 1997: neighbours of the exchange get the route, and do not pass it on outside their AS. */
  no_export: v.optional(v.boolean(), false),
  /** RFC 8326: asks others to prefer another path before this one is withdrawn. */
  graceful_shutdown: v.optional(v.boolean(), false),
});
export type RouteAttributes = v.InferOutput<typeof routeAttributes>;

export const plainAttributes: RouteAttributes = v.parse(routeAttributes, {});

/** Whether two announcements look the same to others. */
export function isSameWay(one: Way, other: Way): boolean {
  return wayText(one) === wayText(other);
}

interface Way extends Omit<RouteAttributes, "not_to" | "only_to"> {
  readonly prepend: number;
  readonly not_to: readonly (number | string)[];
  readonly only_to: readonly (number | string)[];
}

function wayText({ prepend: count, poison, blackhole, not_to, only_to, prepend_to, ...flags }: Way): string {
  const { no_export, graceful_shutdown } = flags;
  return JSON.stringify([
    count,
    poison,
    blackhole,
    not_to,
    only_to,
    prepend_to,
    no_export,
    graceful_shutdown,
  ]);
}

/** Body of PUT. */
export const wishBody = v.strictObject({
  servers: v.optional(
    v.pipe(
      v.array(serverName),
      v.minLength(1, "must name a server"),
      v.maxLength(wishServersMax, `must name ${wishServersMax} servers at most`),
    ),
    ["*"],
  ),
  prepend: v.optional(prepend, 0),
  ...routeAttributes.entries,
  not_to: neighborChoice,
  only_to: neighborChoice,
  prepend_to: v.optional(
    v.pipe(
      v.record(v.union([v.pipe(v.string(), v.regex(/^\d{1,10}$/)), neighborName]), times),
      v.maxEntries(neighborsMax, atMostNeighbors),
    ),
    {},
  ),
  until: v.optional(v.nullable(time), null),
});

/** Wishes that one request sets: two prefixes at as many exchange servers as a client stack joins. */
const wishesMax = 32;

/** Body of PUT for several wishes: all of them or none, and one change of each prefix. */
export const wishesBody = v.strictObject({
  announcements: v.pipe(
    v.array(
      v.strictObject({
        prefix: v.string(),
        /** False withdraws; then only `servers` counts. */
        announce: v.optional(v.boolean(), true),
        ...wishBody.entries,
      }),
    ),
    v.minLength(1, "must have a wish"),
    v.maxLength(wishesMax, `must have ${wishesMax} wishes at most`),
  ),
});

/** How a prefix is announced; members that are not there have their defaults. */
export const wish = v.object({ prepend: v.optional(prepend, 0), ...routeAttributes.entries });

const announcement = v.object({
  prefix: v.string(),
  server: serverName,
  announce: v.boolean(),
  ...wish.entries,
  until: v.nullable(time),
  version: v.number(),
  asked_ns: nanos,
});

const atServer = v.picklist(["accepted", "refused", "withdrawn", "unknown"]);

/** A prefix at one exchange server, as the user's client stack has it. */
const state = v.object({
  prefix: v.string(),
  server: v.pipe(v.string(), v.maxLength(100)),
  announce: v.boolean(),
  prepend,
  ...routeAttributes.entries,
  /** When the daemon confirmed this state; null = not confirmed. */
  daemon_ns: v.nullable(nanos),
  daemon_reason: v.nullable(v.pipe(v.string(), v.maxLength(500))),
  exchange: atServer,
  /** When the client stack first read that. */
  exchange_ns: v.nullable(nanos),
  exchange_reason: v.nullable(v.pipe(v.string(), v.maxLength(500))),
  heard_by: v.pipe(
    v.array(v.object({ name: v.pipe(v.string(), v.maxLength(200)), asn: v.number() })),
    v.maxLength(32),
  ),
  /** How often the exchange accepts a change of the prefix; null = not known, or no limit. */
  changes: v.optional(v.nullable(changeBudget), null),
  /**
   * The gateway's clock minus the one of this state's times, in milliseconds, and how near that is; null = they were
   * not compared.
   */
  clock: v.optional(
    v.nullable(v.object({ offset_ms: v.number(), within_ms: v.pipe(v.number(), v.minValue(0)) })),
    null,
  ),
});

/** Body of the client stack's report. */
export const reportBody = v.object({
  /** Address of the machine in the VPN: a user may announce from several. */
  machine: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f.:]{0,45}$/, "must be an address")), ""),
  /** The newest version that it has. */
  version: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  /** When it took that. */
  taken_ns: nanos,
  states: v.pipe(v.array(state), v.maxLength(1024)),
});

const exchangeChanges = v.object({
  server: v.string(),
  /** Changes that it takes now, and in a row when there was none for a long time. */
  changes_left: v.number(),
  changes_max: v.number(),
  /** Seconds until one more is taken. */
  every_seconds: v.number(),
  /** When it takes one more than now; null = none is spent. */
  one_more_at: v.nullable(time),
  /** Some are spent until then. */
  spent_until: v.nullable(time),
  /** It refuses the prefix, which has changed too often, until then. */
  held_until: v.nullable(time),
});

/** The gateway's clock when it answered: client stacks compare theirs with it. */
export const reportAnswer = v.object({ time_ms: v.number() });

export const announcementsAnswer = v.object({
  /** The gateway's clock now. */
  time_ms: v.optional(v.number()),
  version: v.number(),
  announcements: v.array(announcement),
  /** Null = no client stack has reported yet. */
  report: v.nullable(v.object({ ...v.omit(reportBody, ["machine"]).entries, received_at: time })),
  /** Neighbours that `not_to`, `only_to` and `prepend_to` may name. */
  neighbors: v.array(v.object({ name: v.string(), asn: v.number() })),
  budget: v.object({
    per_hour_max: v.number(),
    /** Minutes between two changes of a prefix. */
    prefix_minutes: v.optional(v.number(), 10),
    left: v.number(),
    prefixes: v.array(
      v.object({
        prefix: v.string(),
        /** When the gateway allows a change of the prefix; null = now. */
        next_change_at: v.nullable(time),
        /** The change budget of each exchange server, as its client stack reports it. */
        exchanges: v.optional(v.array(exchangeChanges), []),
      }),
    ),
  }),
});

/** `renewed` = only its end is another; `same` = nothing was to be done. */
export type AnnouncementsAnswer = v.InferOutput<typeof announcementsAnswer>;

export const changedAnswer = v.object({
  outcome: v.picklist(["changed", "renewed", "same"]),
  version: v.nullable(v.number()),
});

export const withdrawnAnswer = v.object({ prefixes: v.number() });
