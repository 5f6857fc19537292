/** `GET /status` of an exchange server's policy generator: users' sessions and the state of their routes. */
import * as v from "valibot";
import { changeBudget } from "./change-budget.ts";

const route = { prefix: v.string(), as_path: v.string() };

/** Fields of every session. */
const session = {
  name: v.string(),
  address: v.string(),
  peer_asn: v.number(),
  state: v.string(),
  is_up: v.boolean(),
  for_seconds: v.nullable(v.number()),
  last_error: v.nullable(v.string()),
  accepted_routes: v.number(),
  refused_routes: v.number(),
};

const refusedRoute = { ...route, reason: v.string(), explanation: v.string() };

export const sessionAnswer = v.object({
  ...session,
  user_hash: v.nullable(v.string()),
  asn: v.nullable(v.number()),
  remark: v.nullable(v.string()),
  leases: v.array(
    v.object({
      prefix: v.string(),
      end_time: v.nullable(v.string()),
      /** Changes that the exchange accepts now; null = no limit. */
      changes_left: v.optional(v.nullable(v.number()), null),
      /** How often it accepts one; null = no limit. */
      changes: v.optional(v.nullable(changeBudget), null),
    }),
  ),
  suspended_until: v.nullable(v.string()),
  exported_routes: v.number(),
  accepted: v.array(
    v.object({
      ...route,
      /** The user's requests, as the platform's large communities: docs/announce/announcements.md. */
      actions: v.array(v.string()),
      /** Upstreams, peers and route servers that the exchange announces it to. */
      heard_by: v.array(v.object({ name: v.string(), asn: v.number() })),
    }),
  ),
  refused: v.array(v.object({ ...refusedRoute, next_hop: v.string() })),
});

/** A session with an upstream, a peer or a route server. */
export const outsideAnswer = v.object({
  ...session,
  /** Refused routes by reason; null = too many to count. */
  refused_by: v.nullable(v.record(v.string(), v.number())),
  /** The first of them. */
  refused: v.array(v.object(refusedRoute)),
});

/** An RPKI cache; `age_seconds` since its last complete response, null = none. */
export const cacheAnswer = v.object({
  name: v.string(),
  server: v.string(),
  is_up: v.boolean(),
  state: v.string(),
  age_seconds: v.nullable(v.number()),
  roas: v.number(),
});

export const exchangeStatusAnswer = v.object({
  at: v.string(),
  sessions: v.array(sessionAnswer),
  /** Both are empty for users. */
  outside: v.optional(v.array(outsideAnswer), []),
  caches: v.optional(v.array(cacheAnswer), []),
});
