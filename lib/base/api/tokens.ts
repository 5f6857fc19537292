/** A probing gateway's API responses about a user's API tokens. */
import * as v from "valibot";
import { time } from "./fields.ts";
import { scopes } from "./scopes.ts";

const id = v.pipe(v.string(), v.uuid());

export const tokenAnswer = v.object({
  id,
  name: v.string(),
  scopes: v.array(v.picklist(scopes)),
  measurement_id: v.pipe(v.nullable(id), v.description("The one measurement that it is for; null = any")),
  campaign_id: v.pipe(v.nullable(id), v.description("The one campaign that it is for; null = any")),
  probes_per_day: v.pipe(v.nullable(v.number()), v.description("Null = as the user's quota")),
  made_by: v.pipe(v.nullable(id), v.description("The token that made it; null = a login did")),
  state: v.picklist(["live", "expired", "revoked"]),
  created_at: time,
  expires_at: time,
  revoked_at: v.nullable(time),
  last_used_at: v.pipe(v.nullable(time), v.description("Some seconds late")),
  last_used_from: v.pipe(v.nullable(v.string()), v.description("An address")),
  probes_today: v.pipe(v.number(), v.description("Probes x agents that it submitted since 00:00 UTC")),
});

export const madeTokenAnswer = v.object({
  ...tokenAnswer.entries,
  token: v.pipe(v.string(), v.description("Shown once: the gateway keeps a hash of it")),
});

export const tokenUseAnswer = v.object({
  day: v.pipe(v.string(), v.isoDate()),
  tool: v.pipe(v.string(), v.description("First product of the User-Agent; `none`; `other` beyond 20 a day")),
  requests: v.number(),
});
