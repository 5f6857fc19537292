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
export type HealthBody = v.InferOutput<typeof healthBody>;
