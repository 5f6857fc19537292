/** `/api/announcements`: what the caller's client stack is to announce, and what came of it. */
import { Hono } from "hono";
import * as v from "valibot";
import {
  announcementBody,
  announcementsAnswer,
  announcementsBody,
  changedAnswer,
  reportAnswer,
  reportBody,
  serverName,
  withdrawnAnswer,
} from "../../../../lib/base/api/announcements.ts";
import { digits } from "../../../../lib/base/api/fields.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import { parseLeasePrefix } from "../../../../lib/peering/lease/lease-prefix.ts";
import { prefixParam } from "../leases/schemas.ts";
import { bodyBytesMax, changesWaitSecMax, reportBytesMax } from "../limits.ts";
import type { Services } from "../services.ts";
import { type AnnouncementReadServices, awaitAnnouncements } from "./read-announcements.ts";
import {
  type AnnouncementRequest,
  type Change,
  keepReport,
  setAnnouncements,
  withdrawAll,
} from "./requests.ts";
import { wayOf } from "./way.ts";

const common = { tags: ["announcements"], auth: "user" } as const;
const descriptions = {
  list: describe({
    ...common,
    summary: "What is to be announced, what came of it, and when it may change",
    description:
      "With `since` and `wait`: waits up to `wait` seconds until the version is another. A client stack asks so.",
    ok: announcementsAnswer,
    problems: [400, 503],
  }),
  put: describe({
    ...common,
    summary: "Announce a leased prefix, at some exchange servers or at all",
    description:
      "A request for all servers (`*`, the default) replaces those for single ones. `until` ends the announcement by " +
      "itself; asking again with a later one renews it, and is not counted. `check=true` changes nothing.",
    ok: changedAnswer,
    problems: {
      400: "`invalid_prefix`, `invalid_query`, or the body is not JSON",
      403:
        "`user_suspended`; `announcements_stopped`, of all users; " +
        "`not_granted`: `poison` and `blackhole` are rights that operators give",
      404: "No live lease of the caller",
      415: "Not JSON",
      422: "Not a request, `until` is past, or `unknown_neighbor`: the exchange has no neighbour of that name or ASN",
      429: "`announcement_limit`: `Retry-After` says when",
    },
  }),
  putAll: describe({
    ...common,
    summary: "Announce and withdraw at some exchange servers, each in its own way, in one change",
    description:
      "All requests or none, and one change of each prefix. As with a single request; `announce: false` withdraws at " +
      "`servers`, and is allowed always where nothing is announced besides. Each pair of prefix and server once.",
    ok: changedAnswer,
    problems: {
      400: "`invalid_query`, or the body is not JSON",
      403: "`user_suspended`, `announcements_stopped` or `not_granted`, as for a single request",
      404: "A prefix is not a live lease of the caller",
      415: "Not JSON",
      422: "Not requests, `until` is in the past, a server twice, or `unknown_neighbor`",
      429: "`announcement_limit`: `Retry-After` says when",
    },
  }),
  withdraw: describe({
    ...common,
    summary: "Withdraw a prefix, at some exchange servers or at all",
    description: "Always allowed, and counted. `server` may be given once; without, at all.",
    ok: changedAnswer,
    problems: { 400: "`invalid_prefix` or `invalid_query`", 404: "No live lease of the caller" },
  }),
  withdrawAll: describe({
    ...common,
    summary: "Withdraw everything, everywhere",
    description: "Exchange servers then refuse the prefixes, whatever the client stack does.",
    ok: withdrawnAnswer,
  }),
  report: describe({
    ...common,
    summary: "What daemon and exchange servers have made of it, from the client stack",
    ok: reportAnswer,
    problems: {
      400: "The body is not JSON",
      404: "`unknown_user`",
      413: "Too long",
      415: "Not JSON",
      422: "Not a report",
    },
  }),
};

const listQuery = queryInput(
  v.object({
    since: v.optional(digits(15, "must be a version")),
    wait: v.optional(digits(4, "must be whole seconds"), "0"),
  }),
);
const putQuery = queryInput(v.object({ check: v.optional(v.picklist(["true", "false"]), "false") }));
const withdrawQuery = queryInput(v.object({ server: v.optional(serverName, "*") }));

interface AnnouncementServices extends Services, AnnouncementReadServices {}

export function announcementRoutes(services: AnnouncementServices): Hono<HttpEnv> {
  const { tokens, metrics, feed } = services;
  const user = requireUser(tokens, metrics.http);
  const reportInput = jsonInput(reportBody, { bytesMax: reportBytesMax });
  const app = new Hono<HttpEnv>();
  app.get("/api/announcements", descriptions.list, user, listQuery, async (c) => {
    const { since, wait } = c.req.valid("query");
    const waitMs = since === undefined ? 0 : Math.min(wait, changesWaitSecMax) * 1000;
    const { userHash } = userOf(c);
    const order = { since: since ?? -1, waitMs, signal: c.req.raw.signal };
    const answer = await awaitAnnouncements(services, userHash, order);
    return c.json({ ...answer, time_ms: Date.now() });
  });
  app.route("/", changeRoutes(services));
  app.delete("/api/announcements", descriptions.withdrawAll, user, async (c) => {
    const { userHash } = userOf(c);
    const prefixes = await withdrawAll(services, userHash, `user:${userHash}`);
    feed.look();
    return c.json({ prefixes });
  });
  app.put("/api/announcement-report", descriptions.report, user, reportInput, async (c) => {
    if (!(await keepReport(services, userOf(c).userHash, c.req.valid("json")))) {
      throw problem(404, "unknown_user", "You have no ASN and no lease here, so nothing can be reported");
    }
    return c.json({ time_ms: Date.now() });
  });
  return app;
}

function changeRoutes(services: AnnouncementServices): Hono<HttpEnv> {
  const { tokens, metrics, feed, config } = services;
  const user = requireUser(tokens, metrics.http);
  const announcementInput = jsonInput(announcementBody, { bytesMax: bodyBytesMax });
  const announcementsInput = jsonInput(announcementsBody, { bytesMax: bodyBytesMax });
  const { neighbors } = config.announcements;
  const changed = async (change: Change) => {
    const answer = await setAnnouncements(services, change);
    feed.look();
    return answer;
  };
  const app = new Hono<HttpEnv>();
  app.put("/api/announcements", descriptions.putAll, user, putQuery, announcementsInput, async (c) => {
    const requests = requestsOf(c.req.valid("json"), neighbors);
    const isCheck = c.req.valid("query").check === "true";
    return c.json(await changed({ userHash: userOf(c).userHash, requests, isCheck }));
  });
  app.put("/api/announcements/:prefix", descriptions.put, user, putQuery, announcementInput, async (c) => {
    const { servers, until, ...asked } = c.req.valid("json");
    const prefix = prefixParam(c.req.param("prefix"));
    const how = wayOf(asked, prefix, neighbors);
    const isCheck = c.req.valid("query").check === "true";
    const requests = [{ prefix, servers, announce: true, how, until }];
    return c.json(await changed({ userHash: userOf(c).userHash, requests, isCheck }));
  });
  app.delete("/api/announcements/:prefix", descriptions.withdraw, user, withdrawQuery, async (c) => {
    const prefix = prefixParam(c.req.param("prefix"));
    const { server } = c.req.valid("query");
    const requests = [{ prefix, servers: [server], announce: false, how: {}, until: null }];
    return c.json(await changed({ userHash: userOf(c).userHash, requests, isCheck: false }));
  });
  return app;
}

/** Throws Problem 422, which names the request. */
export function requestsOf(
  { announcements }: Pick<v.InferOutput<typeof announcementsBody>, "announcements">,
  neighbors: AnnouncementReadServices["config"]["announcements"]["neighbors"],
): AnnouncementRequest[] {
  const seen = new Set<string>();
  return announcements.map(({ prefix: text, announce, servers, until, ...asked }, i) => {
    const prefix = parseLeasePrefix(text);
    const [twice] = servers.filter((server) => seen.size === seen.add(`${prefix} ${server}`).size);
    if (prefix === null || twice !== undefined) {
      const reason = prefix === null ? "is not a /48 of IPv6" : `is there for ${twice} already`;
      throw problem(422, "invalid_body", `Cannot use the body: announcements.${i}.prefix: ${reason}`);
    }
    const how = announce ? wayOf(asked, prefix, neighbors) : {};
    return { prefix, servers, announce, how, until: announce ? until : null };
  });
}
