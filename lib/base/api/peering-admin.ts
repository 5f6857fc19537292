/** A peering gateway's API responses for operators. */
import * as v from "valibot";

const time = v.string();
const timeOrNull = v.nullable(time);

export const peeringUserAnswer = v.object({
  user_hash: v.string(),
  name: v.pipe(
    v.optional(v.nullable(v.string())),
    v.description("By a login since the gateway's start: names are not stored; null = not known"),
  ),
  asn: v.nullable(v.number()),
  /** Null = the gateway's default, also below. */
  leases_max: v.nullable(v.number()),
  lease_hours_max: v.nullable(v.number()),
  /** May use other networks' ASNs in paths: docs/announce/announcements.md. */
  may_poison: v.boolean(),
  /** May have single addresses discarded: docs/announce/announcements.md. */
  may_blackhole: v.boolean(),
  suspended_at: timeOrNull,
  suspended_reason: v.nullable(v.string()),
  created_at: time,
  live_leases: v.number(),
});

/** Whether all users' announcements are stopped; null = they are not. */
export const announcementStopAnswer = v.object({
  stopped_at: timeOrNull,
  stopped_reason: v.nullable(v.string()),
});

export const liveLeaseAnswer = v.object({
  lease_id: v.number(),
  prefix: v.string(),
  user_hash: v.string(),
  asn: v.nullable(v.number()),
  /** Nothing of it is announced meanwhile. */
  suspended: v.boolean(),
  start_time: time,
  end_time: time,
  rpki_enabled: v.boolean(),
});

export const peeringAuditAnswer = v.object({
  number: v.number(),
  at: time,
  actor: v.string(),
  action: v.string(),
  user_hash: v.nullable(v.string()),
  prefix: v.nullable(v.string()),
  details: v.record(v.string(), v.unknown()),
});

export const serviceKeyAnswer = v.object({ name: v.string(), created_at: time, revoked_at: timeOrNull });

export const newServiceKeyAnswer = v.object({ name: v.string(), key: v.string() });
