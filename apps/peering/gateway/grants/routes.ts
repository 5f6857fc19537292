/** `/api/grants`: what a user lets other programs do; `/api/grant`: what the holder of one may. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import { changedAnswer } from "../../../../lib/base/api/announcements.ts";
import {
  grantAnswer,
  grantBody,
  grantDaysMax,
  grantedAnnouncementsBody,
  heldGrantAnswer,
  madeGrantAnswer,
} from "../../../../lib/base/api/grants.ts";
import { grantedAnswer } from "../../../../lib/base/api/leases.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput } from "../../../../lib/engines/http/input.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { requireKey } from "../../../../lib/engines/http/require-key.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import type { AnnouncementReadServices } from "../announcements/read-announcements.ts";
import { requestsOf } from "../announcements/routes.ts";
import { durationBody, prefixParam } from "../leases/schemas.ts";
import { bodyBytesMax } from "../limits.ts";
import type { Services } from "../services.ts";
import type { InfoReader } from "../users/info.ts";
import {
  grantOf,
  type HeldGrant,
  heldGrant,
  listGrants,
  makeGrant,
  renewGrantedLease,
  revokeGrant,
  setGrantedAnnouncements,
} from "./grants.ts";

const own = { tags: ["grants"], auth: "user" } as const;
const held = { tags: ["grants"], auth: "grant" } as const;

const descriptions = {
  make: describe({
    ...own,
    summary: "Let another program announce some of the caller's prefixes, for a time",
    description:
      "The secret is shown once. Its holder announces and withdraws these prefixes, with these attributes, so many " +
      "times, until the end; nothing else. Announcements end with it.",
    ok: [{ status: 201, description: "Made", schema: madeGrantAnswer }],
    problems: [400, 404, 413, 415, 422, 429],
  }),
  list: describe({
    ...own,
    summary: "The caller's grants",
    description: "The newest first.",
    ok: v.array(grantAnswer),
  }),
  revoke: describe({
    ...own,
    summary: "Revoke a grant, at once",
    description: "What its holder has announced stays until it ends, unless it is withdrawn.",
    ok: grantAnswer,
    problems: [400, 404],
  }),
  show: describe({
    ...held,
    summary: "The grant itself: its prefixes, their leases and announcements",
    ok: heldGrantAnswer,
  }),
  put: describe({
    ...held,
    summary: "Announce and withdraw within the grant",
    description:
      "As `PUT /api/announcements`. A request with a lower number than the prefix's last one is refused: it is a " +
      "repetition from the past.",
    ok: changedAnswer,
    problems: {
      400: "The body is not JSON",
      403:
        "`grant_prefix`, `grant_kind`, `grant_used_up`: not in the grant; `user_suspended`, `announcements_stopped`, " +
        "`not_granted` as for its user",
      404: "A prefix is not a live lease",
      409: "`grant_replay`: a later change was made since",
      415: "Not JSON",
      422: "Not requests, or `until` is in the past",
      429: "`announcement_limit`: `Retry-After` says when",
    },
  }),
  renew: describe({
    ...held,
    summary: "Renew the lease of a prefix within the grant",
    description: "`duration_hours` count from now; a lease that lasts longer stays as it is.",
    ok: v.pick(grantedAnswer, ["prefix", "end_time"]),
    problems: {
      400: "`invalid_prefix`, `invalid_duration`, or the body is not JSON",
      403: "`grant_prefix`, `grant_kind`, or `grant_lease`: the grant ends before",
      404: "No live lease",
      415: "Not JSON",
      422: "No whole number of hours",
    },
  }),
};

interface GrantServices extends Services, AnnouncementReadServices {
  readonly infos: InfoReader;
}

const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be the id of a grant")) }));
const limits = { bytesMax: bodyBytesMax };
const dayMs = 86_400_000;

export function grantRoutes(services: GrantServices): Hono<HttpEnv> {
  const { tokens, metrics, database, feed } = services;
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();
  app.post("/api/grants", descriptions.make, user, jsonInput(grantBody, limits), async (c) => {
    const order = c.req.valid("json");
    const leftMs = Date.parse(order.expires_at) - Date.now();
    if (leftMs <= 0 || leftMs > grantDaysMax * dayMs) {
      const reason = leftMs <= 0 ? "is over" : `is more than ${grantDaysMax} days ahead`;
      throw problem(422, "invalid_body", `Cannot use the body: expires_at ${reason}`);
    }
    const prefixes = order.prefixes.map(prefixParam);
    return c.json(await makeGrant(database, userOf(c).userHash, { ...order, prefixes }), 201);
  });
  app.get("/api/grants", descriptions.list, user, async (c) =>
    c.json(await listGrants(database, userOf(c).userHash)),
  );
  app.delete("/api/grants/:id", descriptions.revoke, user, path, async (c) => {
    const { id } = c.req.valid("param");
    const revoked = await revokeGrant(database, userOf(c).userHash, id);
    feed.look();
    return c.json(revoked);
  });
  app.route("/", heldRoutes(services));
  return app;
}

/** Behind the secret of a grant. */
function heldRoutes(services: GrantServices): Hono<HttpEnv> {
  const { metrics, database, feed, config } = services;
  const grants = new WeakMap<Context<HttpEnv>["req"]["raw"], HeldGrant>();
  const holder = requireKey(metrics.http, async (hash, c) => {
    grants.set(c.req.raw, await grantOf(database, hash));
  });
  const grantHeld = (c: { readonly req: { readonly raw: Request } }): HeldGrant => {
    const grant = grants.get(c.req.raw);
    if (grant === undefined) {
      throw new Error("The route is not behind the secret of a grant");
    }
    return grant;
  };
  const app = new Hono<HttpEnv>();
  app.get("/api/grant", descriptions.show, holder, async (c) =>
    c.json(await heldGrant(services, grantHeld(c))),
  );
  const requests = jsonInput(grantedAnnouncementsBody, limits);
  app.put("/api/grant/announcements", descriptions.put, holder, requests, async (c) => {
    const { number, announcements } = c.req.valid("json");
    const order = { grant: grantHeld(c), number };
    const asked = requestsOf({ announcements }, config.announcements.neighbors);
    const answer = await setGrantedAnnouncements(services, { ...order, requests: asked });
    feed.look();
    return c.json(answer);
  });
  const duration = jsonInput(durationBody, limits);
  app.post("/api/grant/leases/:prefix/renew", descriptions.renew, holder, duration, async (c) => {
    const order = { prefix: prefixParam(c.req.param("prefix")), hours: c.req.valid("json").duration_hours };
    const lease = await renewGrantedLease(services, grantHeld(c), order);
    feed.look();
    return c.json(lease);
  });
  return app;
}
