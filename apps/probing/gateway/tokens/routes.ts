/** `/api/tokens`: API tokens that users create for their programs. */
import { Hono } from "hono";
import * as v from "valibot";
import { wholeNumber } from "../../../../lib/base/api/fields.ts";
import { scopes } from "../../../../lib/base/api/scopes.ts";
import { madeTokenAnswer, tokenAnswer, tokenUseAnswer } from "../../../../lib/base/api/tokens.ts";
import type { Identity } from "../../../../lib/engines/auth/token-verifier.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { Owned } from "../../../../lib/engines/http/owned.ts";
import { pageAnswer, pageQuery } from "../../../../lib/engines/http/page.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { tokenDaysDefault, tokenDaysMax, tokenNameCharsMax } from "../limits.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { Services } from "../services.ts";
import type { UserDirectory } from "../users/user-directory.ts";
import type { ApiTokens } from "./api-tokens.ts";
import { listTokens, makeToken, revokeToken, type TokenOrder, tokenUses } from "./tokens.ts";

const id = v.pipe(v.string(), v.uuid("must be an id"), v.toLowerCase());
const name = v.pipe(plainText(tokenNameCharsMax), v.minLength(1, "must not be empty"));

const bodySchema = v.strictObject({
  name,
  scopes: v.pipe(
    v.array(v.picklist(scopes, `must be ${scopes.join(", ")}`)),
    v.minLength(1, "must have one at least"),
    v.maxLength(scopes.length, "has one twice"),
  ),
  measurement_id: v.optional(v.pipe(id, v.description("It is for this measurement alone"))),
  campaign_id: v.optional(v.pipe(id, v.description("It is for this campaign, and what it measures, alone"))),
  probes_per_day: v.optional(
    v.pipe(wholeNumber(0, 2 ** 50), v.description("Probes x agents that it may submit in a UTC day")),
  ),
  expires_in_days: v.optional(wholeNumber(1, tokenDaysMax), tokenDaysDefault),
});
type Body = v.InferOutput<typeof bodySchema>;

const body = jsonInput(bodySchema, { bytesMax: jsonBytesMax });
const path = pathInput(v.object({ token: id }));
const listQuery = queryInput(v.object({ ...pageQuery, after: v.optional(id) }));

const common = { tags: ["tokens"], auth: "user" } as const;
const descriptions = {
  make: describe({
    ...common,
    summary: "Make an API token",
    description:
      "For programs: it goes where a login's token goes, and gives no more than its scopes, which are never more " +
      "than its user may. It is shown once. docs/measure/tokens.md.",
    ok: [{ status: 201, description: "Made", schema: madeTokenAnswer }],
    problems: [403, 404, ...bodyProblems],
  }),
  list: describe({
    ...common,
    summary: "The caller's API tokens",
    description: "The newest first; those that ended stay for a month.",
    ok: v.array(tokenAnswer),
    problems: [400],
  }),
  uses: describe({
    ...common,
    summary: "What an API token was used for",
    description: "Requests by UTC day and tool, for 90 days; some seconds late.",
    ok: v.array(tokenUseAnswer),
    problems: [400, 404],
  }),
  revoke: describe({
    ...common,
    summary: "Revoke an API token",
    description: "At once, at all gateways of the database; also the tokens that it has made.",
    ok: tokenAnswer,
    problems: [400, 404],
  }),
};

interface TokenServices extends Services {
  readonly users: UserDirectory;
  readonly apiTokens: Pick<ApiTokens, "mayBeOperators">;
}

export function tokenRoutes(services: TokenServices): Hono<HttpEnv> {
  const { database, tokens, metrics, users, apiTokens } = services;
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();
  app.post("/api/tokens", descriptions.make, user, body, async (c) => {
    const maker = userOf(c);
    const given = c.req.valid("json");
    checkRights(given, maker, apiTokens.mayBeOperators(maker.userHash));
    const order = await orderOf(given, maker);
    await users.idOf(maker.userHash);
    return c.json(await makeToken(database, maker, order), 201, { "cache-control": "no-store" });
  });
  app.get("/api/tokens", descriptions.list, user, listQuery, async (c) => {
    const query = c.req.valid("query");
    const rows = await listTokens(database, userOf(c).userHash, query);
    return pageAnswer(c, rows, { limit: query.limit, idOf: (row) => row.id });
  });
  app.get("/api/tokens/:token/uses", descriptions.uses, user, path, async (c) =>
    c.json(await tokenUses(database, userOf(c).userHash, c.req.valid("param").token)),
  );
  app.delete("/api/tokens/:token", descriptions.revoke, user, path, async (c) =>
    c.json(await revokeToken(database, userOf(c).userHash, c.req.valid("param").token)),
  );
  return app;
}

const dayMs = 86_400_000;

/** Throws Problem 422 for incompatible settings. */
async function orderOf(given: Body, maker: Identity): Promise<TokenOrder> {
  checkTogether(given);
  const endMs = Date.now() + given.expires_in_days * dayMs;
  const makerEndMs = maker.grant?.expiresAt.getTime() ?? Number.POSITIVE_INFINITY;
  return {
    name: given.name,
    scopes: [...new Set(given.scopes)],
    object: await objectOf(given, maker),
    probesPerDay: given.probes_per_day ?? null,
    expiresAt: new Date(Math.min(endMs, makerEndMs)),
  };
}

/** Throws Problem 403 for rights that the creating token itself lacks. */
async function objectOf(given: Body, maker: Identity): Promise<Owned | null> {
  const { measurement_id: measurement, campaign_id: campaign } = given;
  if (measurement !== undefined) {
    return await Owned.by(maker, { kind: "measurement", id: measurement });
  }
  return campaign === undefined ? null : await Owned.by(maker, { kind: "campaign", id: campaign });
}

/** Throws Problem 403. A login has all scopes; those of the admin API are for operators named in the configuration. */
function checkRights({ scopes: wanted }: Body, { grant }: Identity, isNamed: boolean): void {
  const missing = grant === undefined ? [] : wanted.filter((scope) => !grant.scopes.includes(scope));
  if (missing.length > 0) {
    throw forbidden("missing_scope", `A token gives no more than it has: it lacks ${missing.join(", ")}`);
  }
  if (!isNamed && wanted.some((scope) => scope.startsWith("admin:"))) {
    throw forbidden(
      "not_an_operator",
      "Scopes of the admin API are for operators that oidc.operators names: whom a role makes one logs in",
    );
  }
}

function checkTogether(given: Body): void {
  const {
    scopes: wanted,
    measurement_id: measurement,
    campaign_id: campaign,
    probes_per_day: probes,
  } = given;
  if (measurement !== undefined && campaign !== undefined) {
    throw unfit("campaign_id", "does not go with measurement_id");
  }
  const isNarrow = measurement !== undefined || campaign !== undefined;
  const wide = wanted.find((scope) => scope === "tokens:write" || scope.startsWith("admin:"));
  if (isNarrow && wide !== undefined) {
    throw unfit("scopes", `${wide} does not go with a single measurement or campaign`);
  }
  const unbounded = wanted.find((scope) => scope === "tokens:write" || scope === "campaigns:write");
  if (probes !== undefined && unbounded !== undefined) {
    throw unfit("probes_per_day", `does not go with ${unbounded}, by which more could be sent`);
  }
}

function unfit(member: string, reason: string): Problem {
  const message = `Cannot use the body: ${member} ${reason}`;
  return new Problem({ status: 422, code: "invalid_body", message, fields: [{ path: member, reason }] });
}

function forbidden(code: string, message: string): Problem {
  return new Problem({ status: 403, code, message });
}
