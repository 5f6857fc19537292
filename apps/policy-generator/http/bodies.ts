/** Answers of the routes, as schemas: for the OpenAPI document and for types. */
import * as v from "valibot";

const reason = v.object({ reason: v.string(), explanation: v.string() });

export const policyBody = v.object({
  version: v.string(),
  sha256: v.string(),
  reject_all: v.boolean(),
  failure: v.nullable(v.string()),
  users: v.array(
    v.object({
      user_hash: v.string(),
      asn: v.number(),
      addresses: v.array(v.string()),
      prefixes: v.array(v.string()),
      state: v.picklist(["in", "suspended", "noLease"]),
      suspended_until: v.nullable(v.string()),
    }),
  ),
  excluded: v.array(v.object({ user_hash: v.nullable(v.string()), ...reason.entries, detail: v.string() })),
  text: v.string(),
});

const refusedRoute = v.object({
  prefix: v.string(),
  as_path: v.string(),
  next_hop: v.string(),
  ...reason.entries,
});

export const statusBody = v.object({
  at: v.string(),
  sessions: v.array(
    v.object({
      name: v.string(),
      address: v.string(),
      user_hash: v.nullable(v.string()),
      asn: v.nullable(v.number()),
      peer_asn: v.number(),
      state: v.string(),
      is_up: v.boolean(),
      for_seconds: v.nullable(v.number()),
      last_error: v.nullable(v.string()),
      remark: v.nullable(v.string()),
      leases: v.array(v.object({ prefix: v.string(), end_time: v.nullable(v.string()) })),
      suspended_until: v.nullable(v.string()),
      exported_routes: v.number(),
      accepted_routes: v.number(),
      refused_routes: v.number(),
      accepted: v.array(
        v.object({
          prefix: v.string(),
          as_path: v.string(),
          /** Upstreams, peers and route servers that the exchange exports it to. */
          heard_by: v.array(v.object({ name: v.string(), asn: v.number() })),
        }),
      ),
      refused: v.array(refusedRoute),
    }),
  ),
});

export const healthBody = v.object({
  status: v.picklist(["healthy", "degraded", "unhealthy"]),
  reasons: v.array(v.string()),
  version: v.string(),
  data_age_seconds: v.object({ gateway: v.nullable(v.number()), vpn: v.nullable(v.number()) }),
});

export const refreshBody = v.object({
  ok: v.boolean(),
  changed: v.boolean(),
  version: v.nullable(v.string()),
});

export type PolicyBody = v.InferOutput<typeof policyBody>;
export type StatusBody = v.InferOutput<typeof statusBody>;
export type HealthBody = v.InferOutput<typeof healthBody>;
