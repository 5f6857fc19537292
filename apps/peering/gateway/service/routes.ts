/** The service API, for generators of routing policy. */
import { Hono } from "hono";
import * as v from "valibot";
import { digits } from "../../../../lib/base/api/fields.ts";
import { changesAnswer, mappingAnswer } from "../../../../lib/base/api/leases.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { queryInput } from "../../../../lib/engines/http/input.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { requireKey } from "../../../../lib/engines/http/require-key.ts";
import type { EmailDirectory } from "../email/email-directory.ts";
import { changesWaitSecMax } from "../limits.ts";
import type { Services } from "../services.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { mappingsText, oneMapping } from "./mappings.ts";
import type { ServiceKeys } from "./service-keys.ts";

const common = { tags: ["service"], auth: "service" } as const;
const descriptions = {
  all: describe({
    ...common,
    summary: "All users that have an ASN, newest first",
    description:
      "`email` is null for a user without an address, for all where no identity provider is configured, and with " +
      "`email=false`. Until the provider has answered for each user, this is 503 with `Retry-After`; with " +
      "`partial=true` addresses that are not known yet are null instead. A suspended user has no prefixes.",
    ok: v.object({ mappings: v.array(mappingAnswer) }),
    problems: [400, 503],
  }),
  one: describe({ ...common, summary: "One of them", ok: mappingAnswer, problems: [400, 404, 503] }),
  changes: describe({
    ...common,
    summary: "The changes after `since`, or a wait for the next one",
    description:
      "Waits up to `wait` seconds for a change. Without `since`: the last change, at once. Read the mappings again " +
      "after a change.",
    ok: changesAnswer,
    problems: [400, 503],
  }),
};

const yesOrNo = v.picklist(["true", "false"]);
const emailQuery = queryInput(
  v.object({ email: v.optional(yesOrNo, "true"), partial: v.optional(yesOrNo, "false") }),
);
type EmailQuery = Readonly<Record<"email" | "partial", "true" | "false">>;
const changesQuery = queryInput(
  v.object({
    since: v.optional(digits(15, "must be a number")),
    wait: v.optional(
      v.pipe(
        digits(4, "must be whole seconds"),
        v.transform((sec) => Math.min(sec, changesWaitSecMax)),
      ),
      "0",
    ),
  }),
);

interface ServiceServices extends Services {
  readonly emails: EmailDirectory;
  readonly feed: ChangeFeed;
  readonly serviceKeys: ServiceKeys;
}

export function serviceRoutes(services: ServiceServices): Hono<HttpEnv> {
  const { database, emails, feed, metrics, serviceKeys } = services;
  const service = requireKey(metrics.http, (keyHash) => serviceKeys.check(keyHash));
  const addressesFor = ({ email, partial }: EmailQuery) =>
    email === "true" && emails !== null ? { directory: emails, isPartial: partial === "true" } : null;
  const app = new Hono<HttpEnv>();
  app.get("/service/mappings", descriptions.all, service, emailQuery, async (c) => {
    const text = await mappingsText(database, addressesFor(c.req.valid("query")));
    return c.body(text, 200, { "content-type": "application/json" });
  });
  app.get("/service/mappings/:user_hash", descriptions.one, service, emailQuery, async (c) => {
    const addresses = addressesFor(c.req.valid("query"));
    const mapping = await oneMapping(database, addresses, c.req.param("user_hash"));
    if (mapping === null) {
      throw problem(404, "unknown_mapping", "User has no ASN assigned");
    }
    return c.json(mapping);
  });
  app.get("/service/changes", descriptions.changes, service, changesQuery, async (c) => {
    const { since, wait } = c.req.valid("query");
    return c.json(await feed.after(since ?? null, wait * 1000, c.req.raw.signal));
  });
  app.all("/service/*", service, (c) => c.notFound());
  return app;
}
