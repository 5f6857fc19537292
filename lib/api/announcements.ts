/** Wishes of users for their announcements: what the peering gateway takes, keeps and answers. */
import * as v from "valibot";
import { time, wholeNumber } from "./fields.ts";

/** Copies of the own AS put before a path: an exchange refuses paths longer than 10. */
export const prependMax = 8;

/** Exchange servers that one wish names: a client stack joins no more. */
const wishServersMax = 16;

export const serverName = v.pipe(
  v.string(),
  v.regex(/^([a-z0-9-]{1,100}|\*)$/, "must be the name of an exchange server, or * for all"),
);
/** Nanoseconds since the epoch, as text: they do not fit a number of JavaScript. */
const nanos = v.pipe(v.string(), v.regex(/^\d{1,19}$/, "must be nanoseconds since the epoch"));
const prepend = wholeNumber(0, prependMax);

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
  until: v.optional(v.nullable(time), null),
});

/** How a prefix is announced; members that are not there have their defaults. */
export const wish = v.object({ prepend: v.optional(prepend, 0) });

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
  /** Since when the daemon has confirmed this; null = it has not. */
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
});

/** Body of the client stack's report. */
export const reportBody = v.object({
  /** The newest version that it has. */
  version: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  /** When it took that. */
  taken_ns: nanos,
  states: v.pipe(v.array(state), v.maxLength(1024)),
});

export const announcementsAnswer = v.object({
  version: v.number(),
  announcements: v.array(announcement),
  /** Null = no client stack has reported yet. */
  report: v.nullable(v.object({ ...reportBody.entries, received_at: time })),
  budget: v.object({
    per_hour_max: v.number(),
    left: v.number(),
    /** When a change of the prefix is allowed; null = now. */
    prefixes: v.array(v.object({ prefix: v.string(), next_change_at: v.nullable(time) })),
  }),
});

/** `renewed` = only its end is another; `same` = nothing was to be done. */
export const changedAnswer = v.object({
  outcome: v.picklist(["changed", "renewed", "same"]),
  version: v.nullable(v.number()),
});

export const withdrawnAnswer = v.object({ prefixes: v.number() });
