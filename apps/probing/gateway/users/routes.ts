/** Routes for users' own data. */
import { Hono } from "hono";
import { meAnswer, userPrefixesAnswer } from "../../../../lib/base/api/users.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import type { Services } from "../services.ts";
import type { Quotas } from "./quota.ts";
import type { UserDirectory } from "./user-directory.ts";
import { userPrefixes } from "./user-prefixes.ts";

const tags = ["users"];
const auth = "user";

const me = describe({
  summary: "The caller's use of the UTC day",
  description: "Probes x agents; unsent probes have been refunded.",
  tags,
  auth,
  ok: meAnswer,
});

const prefixes = describe({
  summary: "The caller's own IPv6 prefix at each agent",
  description: "An IPv6 source of a submission lies in one of these.",
  tags,
  auth,
  ok: userPrefixesAnswer,
});

interface UserServices extends Services {
  readonly users: UserDirectory;
  readonly quotas: Quotas;
}

export function userRoutes(services: UserServices): Hono<HttpEnv> {
  const { database, tokens, metrics, users, quotas, config } = services;
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();
  app.get("/api/user/me", me, user, async (c) => {
    const { userHash, name } = userOf(c);
    const user_id = await users.idOf(userHash);
    const quota = await quotas.of(userHash);
    return c.json({
      user_id,
      user_hash: userHash,
      name: name ?? tokens.names?.of(userHash) ?? null,
      submission_count: quota?.submissions ?? 0,
      last_submitted: quota?.last_submitted_at ?? null,
      used: quota?.used ?? 0,
      limit: quota?.limit ?? config.limits.probesPerDay,
    });
  });
  app.get("/api/user/prefixes", prefixes, user, async (c) => {
    const { userHash } = userOf(c);
    const user_id = await users.idOf(userHash);
    return c.json({ user_id, agents: await userPrefixes(database, userHash, user_id) });
  });
  return app;
}
