/** A peering gateway's API: a user's ASN and leases, and for generators all users' leases. */
import * as v from "valibot";
import { serverName } from "./announcements.ts";
import { time } from "./fields.ts";

const lease = v.object({ prefix: v.string(), start_time: time, end_time: time, rpki_enabled: v.boolean() });

export const grantedAnswer = v.object({ ...lease.entries, message: v.string() });

export const historyAnswer = v.array(
  v.object({
    lease_id: v.number(),
    ...lease.entries,
    status: v.picklist(["active", "expired", "released", "revoked"]),
  }),
);

export const infoAnswer = v.object({
  user_hash: v.string(),
  asn: v.nullable(v.number()),
  /** The platform's AS, shared by all exchange servers; null = not configured at the gateway. */
  platform_asn: v.nullable(v.number()),
  max_leases: v.number(),
  max_duration_hours: v.number(),
  suspended: v.boolean(),
  active_leases: v.array(v.object({ ...lease.entries, ends_soon: v.boolean() })),
});

/** What distinguishes users. */
export const hashAnswer = v.pick(infoAnswer, ["user_hash"]);

export const asnAnswer = v.object({ asn: v.number(), message: v.string() });

export const rpkiAnswer = v.object({ prefix: v.string(), rpki_enabled: v.boolean(), message: v.string() });

/** A user, to a service. */
export const mappingAnswer = v.object({
  user_hash: v.string(),
  user_id: v.string(),
  email: v.nullable(v.string()),
  asn: v.number(),
  prefixes: v.array(v.string()),
  leases: v.array(
    v.object({
      prefix: v.string(),
      /** End of the lease, or of the last announcement anywhere. */
      end_time: time,
      /** For exchange servers with announcement requests of their own: until when each accepts it; `*` = all others. */
      servers: v.optional(v.record(serverName, time)),
    }),
  ),
  suspended: v.boolean(),
  /** Stopped by an operator for all users: no user has prefixes meanwhile. */
  announcements_stopped: v.boolean(),
  may_poison: v.boolean(),
  may_blackhole: v.boolean(),
});

export const changesAnswer = v.object({
  next: v.number(),
  changes: v.array(
    v.object({
      number: v.number(),
      at: time,
      action: v.string(),
      user_hash: v.nullable(v.string()),
      prefix: v.nullable(v.string()),
      details: v.record(v.string(), v.unknown()),
    }),
  ),
});
