/** Grants: what a user lets another program do with some prefixes at the peering gateway, for a time. */
import * as v from "valibot";
import { announcementsAnswer, announcementsBody } from "./announcements.ts";
import { time, wholeNumber } from "./fields.ts";
import { grantedAnswer } from "./leases.ts";

/** Attributes that announcements may have, and `lease`: renewing leases. Plain announcements need none. */
export const grantKinds = [
  "prepend",
  "prepend_to",
  "not_to",
  "only_to",
  "no_export",
  "graceful_shutdown",
  "poison",
  "blackhole",
  "lease",
] as const;

export type GrantKind = (typeof grantKinds)[number];

/** Prefixes of one grant: as many as a user may lease for one experiment. */
const grantPrefixesMax = 32;

/** Changes of one grant: a change each ten minutes for two months. */
export const grantChangesMax = 10_000;

/** Days until a grant ends, at most: an experiment lasts for a month. */
export const grantDaysMax = 62;

export const grantBody = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._:/+-]{0,99}$/u,
      "must be at most 100 letters, digits, blanks and . _ : / + -",
    ),
  ),
  prefixes: v.pipe(
    v.array(v.string()),
    v.minLength(1, "must name a leased prefix"),
    v.maxLength(grantPrefixesMax, `must name ${grantPrefixesMax} prefixes at most`),
  ),
  kinds: v.pipe(
    v.optional(v.array(v.picklist(grantKinds)), []),
    v.description("Attributes of announcements, and `lease` for renewals; plain announcements need none"),
  ),
  changes_max: v.pipe(
    wholeNumber(1, grantChangesMax),
    v.description("Changes that announce; withdrawals and renewals are not counted"),
  ),
  expires_at: time,
});

export const grantAnswer = v.object({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  prefixes: v.array(v.string()),
  kinds: v.array(v.picklist(grantKinds)),
  changes_max: v.number(),
  changes: v.number(),
  state: v.picklist(["live", "expired", "revoked"]),
  created_at: time,
  expires_at: time,
  revoked_at: v.nullable(time),
  last_used_at: v.nullable(time),
});

export const madeGrantAnswer = v.object({
  ...grantAnswer.entries,
  secret: v.pipe(v.string(), v.description("Shown once: the gateway keeps a hash of it")),
});

/** What its holder may read. */
export const heldGrantAnswer = v.object({
  ...grantAnswer.entries,
  user_hash: v.string(),
  /** Those of its prefixes. */
  leases: v.array(v.pick(grantedAnswer, ["prefix", "end_time"])),
  max_duration_hours: v.number(),
  /** What concerns its prefixes. */
  announced: announcementsAnswer,
});

export const grantedAnnouncementsBody = v.strictObject({
  number: v.pipe(
    wholeNumber(0, Number.MAX_SAFE_INTEGER),
    v.description("Of the change: never lower than that of the prefix's last request with this grant"),
  ),
  ...announcementsBody.entries,
});
