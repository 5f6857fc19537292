/** Routes for users' own data and their ASN. */
import { Hono } from "hono";
import { asnAnswer, infoAnswer } from "../../../../lib/base/api/leases.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import type { ChangeFeed } from "../service/change-feed.ts";
import type { Services } from "../services.ts";
import type { AccountServices } from "./accounts.ts";
import { assignAsn } from "./asn.ts";
import type { InfoReader } from "./info.ts";

const tags = ["users"];
const auth = "user";

const info = describe({
  summary: "The caller's ASN and live leases",
  description: "`ends_soon` = less time is left than the platform warns ahead. Ordered by end, latest first.",
  tags,
  auth,
  ok: infoAnswer,
});

const asn = describe({
  summary: "Ask for an ASN",
  description: "The lowest free one of the pool; it is the caller's until an operator takes it back.",
  tags,
  auth,
  ok: asnAnswer,
  problems: { 403: "`user_suspended`", 503: "`asn_pool_empty`: no ASN is free" },
});

interface UserServices extends Services, AccountServices {
  readonly infos: InfoReader;
  readonly feed: Pick<ChangeFeed, "look">;
}

export function userRoutes(services: UserServices): Hono<HttpEnv> {
  const { tokens, metrics, infos, feed } = services;
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();
  app.get("/api/user/info", info, user, async (c) => c.json(await infos.read(userOf(c).userHash)));
  app.post("/api/user/asn", asn, user, async (c) => {
    const answer = await assignAsn(services, userOf(c));
    feed.look();
    return c.json(answer);
  });
  return app;
}
