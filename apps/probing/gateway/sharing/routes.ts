/** `…/sharing` of a measurement or a campaign: what a user shares with others. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import type { ObjectKind } from "../../../../lib/base/api/scopes.ts";
import { sharingAnswer } from "../../../../lib/base/api/sharing.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { Owned } from "../../../../lib/engines/http/owned.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { embargoDaysMax, termsCharsMax } from "../limits.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { Services } from "../services.ts";
import { endSharing, makeLink, publish, readSharing } from "./shares.ts";

const dayMs = 86_400_000;
const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be an id"), v.toLowerCase()) }));
const words = v.pipe(plainText(termsCharsMax), v.minLength(1, "must not be empty"));
const publicAt = v.pipe(
  v.string(),
  v.isoTimestamp("must be a time of RFC 3339"),
  v.transform((text) => new Date(text)),
  v.check(
    (at) => at.getTime() > Date.now() && at.getTime() < Date.now() + embargoDaysMax * dayMs,
    `must lie in the next ${embargoDaysMax} days`,
  ),
);

const body = jsonInput(
  v.variant("visibility", [
    v.strictObject({ visibility: v.literal("link") }),
    v.strictObject({
      visibility: v.literal("public"),
      licence: v.pipe(words, v.description("As an SPDX identifier, CC-BY-4.0, or in words")),
      contact: v.optional(words),
      citation: v.optional(words),
      public_at: v.optional(v.pipe(publicAt, v.description("Private until then"))),
    }),
  ]),
  { bytesMax: jsonBytesMax },
);

const common = { tags: ["sharing"], auth: "user", ok: sharingAnswer } as const;
const descriptions = (kind: ObjectKind) => ({
  show: describe({ ...common, summary: `Who may see a ${kind}`, problems: [400, 404] }),
  share: describe({
    ...common,
    summary: `Share a ${kind}`,
    description:
      "`link`: anyone who has the link, until it is revoked; a repeated request replaces the link. " +
      "`public`: everyone, from `public_at` on; this cannot be undone. What others can see: docs/measure/tokens.md.",
    problems: [404, 409, ...bodyProblems],
  }),
  end: describe({
    ...common,
    summary: `Stop sharing a ${kind}`,
    description: "Revokes the link and ends an embargo; published results stay public.",
    problems: [400, 404, 409],
  }),
});

export function sharingRoutes({ config, database, tokens, metrics }: Services): Hono<HttpEnv> {
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();
  for (const kind of ["measurement", "campaign"] as const) {
    const { show, share, end } = descriptions(kind);
    const route = `/api/${kind}s/:id/sharing`;
    const own = (c: Context<HttpEnv>, id: string) => Owned.by(userOf(c), { kind, id });
    app.get(route, show, user, path, async (c) =>
      c.json(await readSharing(database, await own(c, c.req.valid("param").id))),
    );
    app.post(route, share, user, path, body, async (c) => {
      const owned = await own(c, c.req.valid("param").id);
      const given = c.req.valid("json");
      if (given.visibility === "link") {
        const made = await makeLink(database, owned, config.console.enabled);
        return c.json(made, 200, { "cache-control": "no-store" });
      }
      const { licence, contact = null, citation = null, public_at: at = null } = given;
      return c.json(await publish(database, owned, { licence, contact, citation, publicAt: at }));
    });
    app.delete(route, end, user, path, async (c) =>
      c.json(await endSharing(database, await own(c, c.req.valid("param").id))),
    );
  }
  return app;
}
