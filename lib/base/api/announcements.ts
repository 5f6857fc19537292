/** Users' announcement requests: the peering gateway's API. */
import * as v from "valibot";
import { changeBudget } from "./change-budget.ts";
import { time, wholeNumber } from "./fields.ts";

/** Hops added to a path, prepends and poisoned ASNs together: a longer path has no further effect. */
export const prependMax = 10;

/** ASNs in a poisoned path, and neighbours in one list: each is a community, or a hop, on every router outside. */
export const poisonMax = 5;
export const neighborsMax = 5;

/** Addresses discarded per prefix: each takes one of the few routes that an exchange accepts from a user. */
const blackholesMax = 8;

/** Exchange servers in one announcement request: a client stack joins no more. */
export const requestServersMax = 16;

export const serverName = v.pipe(
  v.string(),
  v.regex(/^([a-z0-9-]{1,100}|\*)$/, "must be the name of an exchange server, or * for all"),
);
/** Nanoseconds since the epoch, as text: they exceed the safe integers of JavaScript. */
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

/** What an announcement may request besides prepends: docs/announce/announcements.md. */
export const routeAttributes = v.object({
  /** ASNs inserted between two copies of the user's own; requires permission. */
  poison: v.optional(v.pipe(v.array(asn), v.maxLength(poisonMax)), []),
  /** IPv6 addresses in the prefix, RFC 5952: packets to them are discarded (RFC 7999); requires permission. */
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
  /** RFC 8326: other networks prefer another path before this one is withdrawn. */
  graceful_shutdown: v.optional(v.boolean(), false),
});
export type RouteAttributes = v.InferOutput<typeof routeAttributes>;

export const plainAttributes: RouteAttributes = v.parse(routeAttributes, {});

/** Whether two announcements are the same to other networks. */
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
export const announcementBody = v.strictObject({
  servers: v.optional(
    v.pipe(
      v.array(serverName),
      v.minLength(1, "must name a server"),
      v.maxLength(requestServersMax, `must name ${requestServersMax} servers at most`),
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

/** Announcement requests in one API request: two prefixes at as many exchange servers as a client stack joins. */
const requestsMax = 32;

/** Body of PUT for several announcement requests: all or none are applied, as one change of each prefix. */
export const announcementsBody = v.strictObject({
  announcements: v.pipe(
    v.array(
      v.strictObject({
        prefix: v.string(),
        /** False withdraws; then only `servers` counts. */
        announce: v.optional(v.boolean(), true),
        ...announcementBody.entries,
      }),
    ),
    v.minLength(1, "must have an announcement"),
    v.maxLength(requestsMax, `must have ${requestsMax} announcements at most`),
  ),
});

/** How a prefix is announced; missing members have their defaults. */
export const routeWay = v.object({ prepend: v.optional(prepend, 0), ...routeAttributes.entries });

const announcement = v.object({
  prefix: v.string(),
  server: serverName,
  announce: v.boolean(),
  ...routeWay.entries,
  until: v.nullable(time),
  version: v.number(),
  asked_ns: nanos,
});

const atServer = v.picklist(["accepted", "refused", "withdrawn", "unknown"]);

/** A prefix at one exchange server, as the user's client stack reports it. */
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
  /** How often the exchange accepts a change of the prefix; null = unknown, or no limit. */
  changes: v.optional(v.nullable(changeBudget), null),
  /**
   * The gateway's clock minus the clock of this state's times, in milliseconds, and its accuracy; null = not compared.
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
  /** The newest version that it has received. */
  version: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  /** When it received that. */
  taken_ns: nanos,
  states: v.pipe(v.array(state), v.maxLength(1024)),
});

const exchangeChanges = v.object({
  server: v.string(),
  /** Changes that it accepts now, and in a row after a long time without any. */
  changes_left: v.number(),
  changes_max: v.number(),
  /** Seconds until one more is accepted. */
  every_seconds: v.number(),
  /** When it accepts one more than now; null = none is spent. */
  one_more_at: v.nullable(time),
  /** Time until which some are spent. */
  spent_until: v.nullable(time),
  /** Time until which it refuses the prefix, which has changed too often. */
  held_until: v.nullable(time),
});

/** The gateway's clock at its response: client stacks compare theirs with it. */
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
    /** 0 = not counted: a client stack that follows no gateway. */
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

/** `renewed` = only its end has changed; `same` = nothing to do. */
export type AnnouncementsAnswer = v.InferOutput<typeof announcementsAnswer>;

export const changedAnswer = v.object({
  outcome: v.picklist(["changed", "renewed", "same"]),
  version: v.nullable(v.number()),
});

export const withdrawnAnswer = v.object({ prefixes: v.number() });
