/** A campaign that the caller names. Throws Problem 403 for a token that is not for it. */
import type { Context } from "hono";
import type { HttpEnv } from "../../lib/http/app.ts";
import { Owned } from "../../lib/http/owned.ts";
import { userOf } from "../../lib/http/require-user.ts";

export function ownCampaign(c: Context<HttpEnv>, id: string): Promise<Owned> {
  return Owned.by(userOf(c), { kind: "campaign", id });
}
