/** Leases of the caller: request, renew, release, and list all of them. */
import { Hono } from "hono";
import * as v from "valibot";
import { digits } from "../../../../lib/base/api/fields.ts";
import { grantedAnswer, historyAnswer, rpkiAnswer } from "../../../../lib/base/api/leases.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { pageAnswer, pageQuery } from "../../../../lib/engines/http/page.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import { bodyBytesMax } from "../limits.ts";
import { switchRpki } from "../rpki/switch.ts";
import type { ChangeFeed } from "../service/change-feed.ts";
import type { Services } from "../services.ts";
import { grantLease, type LeaseServices, renewLease } from "./grant.ts";
import { leaseHistory } from "./history.ts";
import { closeLease } from "./release.ts";
import { durationBody, prefixParam, rpkiBody } from "./schemas.ts";

const common = { tags: ["leases"], auth: "user" } as const;
const problems = {
  400: "`invalid_duration`, or the body is not JSON",
  403: "`lease_limit` or `user_suspended`",
  415: "Not JSON",
  422: "No whole number of hours",
  503: "`prefix_pool_empty` or `asn_pool_empty`",
};

const descriptions = {
  grant: describe({
    ...common,
    summary: "Lease a /48",
    description: "The previous prefix where it is free. A user without an ASN gets one too.",
    ok: grantedAnswer,
    problems,
  }),
  renew: describe({
    ...common,
    summary: "Change when a live lease ends",
    description: "`duration_hours` count from now.",
    ok: grantedAnswer,
    problems: { ...problems, 404: "No live lease of the caller" },
  }),
  release: describe({
    ...common,
    summary: "End a lease now",
    ok: [{ status: 204, description: "Ended" }],
    problems: { 400: "`invalid_prefix`", 404: "No live lease of the caller" },
  }),
  rpki: describe({
    ...common,
    summary: "Switch a lease's route origin authorisation on or off",
    ok: rpkiAnswer,
    problems: {
      400: "`invalid_prefix`, or the body is not JSON",
      404: "No live lease of the caller",
      409: "`rpki_of_pool`: the whole pool is authorised, always",
      415: "Not JSON",
      422: "No truth value",
      503: "`rpki_not_configured`",
    },
  }),
  history: describe({
    ...common,
    summary: "All leases of the caller, newest first",
    description: "`after` is the `lease_id` of the last lease seen; `Link` names the next page.",
    ok: historyAnswer,
    problems: [400],
  }),
};

const historyQuery = queryInput(
  v.object({
    ...pageQuery,
    after: v.optional(digits(15, "must be a lease_id")),
  }),
);
const duration = jsonInput(durationBody, { bytesMax: bodyBytesMax });
const enabled = jsonInput(rpkiBody, { bytesMax: bodyBytesMax });

interface LeaseApiServices extends Services, LeaseServices {
  readonly feed: Pick<ChangeFeed, "look">;
}

export function leaseRoutes(services: LeaseApiServices): Hono<HttpEnv> {
  const { tokens, metrics, feed } = services;
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();
  app.post("/api/user/prefix", descriptions.grant, user, duration, async (c) => {
    const lease = await grantLease(services, userOf(c), c.req.valid("json").duration_hours);
    feed.look();
    return c.json({ ...lease, message: "Prefix leased successfully" });
  });
  app.post("/api/user/prefix/:prefix/renew", descriptions.renew, user, duration, async (c) => {
    const prefix = prefixParam(c.req.param("prefix"));
    const hours = c.req.valid("json").duration_hours;
    const lease = await renewLease(services, userOf(c), { prefix, hours });
    feed.look();
    return c.json({ ...lease, message: "Prefix lease renewed" });
  });
  app.delete("/api/user/prefix/:prefix", descriptions.release, user, async (c) => {
    const { userHash } = userOf(c);
    const prefix = prefixParam(c.req.param("prefix"));
    await closeLease(services, { userHash, prefix, as: "released", actor: `user:${userHash}` });
    feed.look();
    return c.body(null, 204);
  });
  app.put("/api/user/prefix/:prefix/rpki", descriptions.rpki, user, enabled, async (c) => {
    const prefix = prefixParam(c.req.param("prefix"));
    const answer = await switchRpki(services, {
      userHash: userOf(c).userHash,
      prefix,
      isOn: c.req.valid("json").enabled,
    });
    feed.look();
    return c.json(answer);
  });
  app.get("/api/user/leases", descriptions.history, user, historyQuery, async (c) => {
    const page = c.req.valid("query");
    const rows = await leaseHistory(services, userOf(c).userHash, page);
    return pageAnswer(c, rows, { limit: page.limit, idOf: ({ lease_id }) => String(lease_id) });
  });
  return app;
}
