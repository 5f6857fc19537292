/** API tokens: what a program may do with one, and what nobody may. Every route by every scope: tests/contract/auth. */
import { expect, test } from "bun:test";
import { ApiTokens } from "../../../apps/probing/gateway/tokens/api-tokens.ts";
import { makeApiToken } from "../../../lib/engines/auth/api-token.ts";
import { hashKey } from "../../../lib/engines/auth/secret-key.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { made as madeCampaign, measured } from "./campaign-time.ts";
import { type GatewayHome, probeText } from "./gateway-home.ts";
import { onBothEngines } from "./on-both-engines.ts";

interface Made {
  readonly id: string;
  readonly token: string;
  readonly expires_at: string;
}

onBothEngines((gateway) => {
  const sql = () => gateway().services.database.sql;
  const post = (who: string, path: string, body: unknown) =>
    gateway().json(who, path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const ask = (who: string, scopes: readonly string[], more: object = {}) =>
    post(who, "/api/tokens", { name: "ci", scopes, ...more });
  const make = async (who: string, scopes: readonly string[], more: object = {}): Promise<Made> => {
    const answer = await ask(who, scopes, more);
    expect(answer).toMatchObject({ status_code: 201, state: "live", scopes });
    return answer as unknown as Made;
  };
  const measure = async (home: GatewayHome, who: string, probes: number) =>
    home.submit(who, probeText(probes), { type: "text/csv", query: "?agents=west" });
  const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;
  const codeOf = async (who: string, path: string, init: RequestInit = {}) => {
    const { status_code, code } = await gateway().json(who, path, init);
    return [status_code, code];
  };

  test("a token is shown once, kept as a hash, and is its user's", async () => {
    const { token, id } = await make("ann", ["measurements:read"]);
    const rows = await sql()`SELECT to_jsonb(api_tokens)::text AS row FROM api_tokens WHERE token_id = ${id}`;
    expect(String(rows[0]?.row)).not.toContain(token.slice(4, 24));
    expect(String(rows[0]?.row)).toContain(Buffer.from(hashKey(token)).toString("hex"));
    const listed = await (await gateway().ask("ann", "/api/tokens")).text();
    expect(listed).toContain(id);
    expect(listed).not.toContain(token);
    const mine = await gateway().json("ann", "/api/user/me");
    expect(await gateway().json(token, "/api/user/me")).toEqual(mine);
    expect(await (await gateway().ask("bob", "/api/tokens")).json()).toEqual([]);
    expect(await codeOf("bob", `/api/tokens/${id}`, { method: "DELETE" })).toEqual([404, "token_not_found"]);
  });

  test("a token that was cut, changed or made up is refused without the database", async () => {
    const { token } = await make("ann", ["measurements:read"]);
    const asked: string[] = [];
    const { database, log, tokens: logins } = gateway().services;
    const timed: typeof database.timed = (name, act) => {
      asked.push(name);
      return database.timed(name, act);
    };
    await using tokens = new ApiTokens({ database: { ...database, timed }, log, operators: [] });
    const { verify } = tokens.beside(logins);
    const other = token.at(9) === "x" ? "y" : "x";
    const changed = `${token.slice(0, 9)}${other}${token.slice(10)}`;
    for (const bad of [token.slice(0, -1), changed, "vtg_", `vtg_${"0".repeat(49)}`]) {
      await expect(verify(bad)).rejects.toMatchObject({ code: "malformed_token" });
      expect(await codeOf(bad, "/api/user/me")).toEqual([401, "malformed_token"]);
    }
    expect(asked).toEqual([]);
    await verify(token);
    expect(asked).toEqual(["token_find"]);
  });

  test("a guessed token is unknown, and one that has expired or was revoked says so", async () => {
    expect(await codeOf(makeApiToken(), "/api/user/me")).toEqual([401, "unknown_token"]);
    const old = await make("ann", ["measurements:read"], { expires_in_days: 1 });
    expect(Date.parse(old.expires_at) - Date.now()).toBeWithin(86_000_000, 86_400_001);
    await sql()`UPDATE api_tokens SET expires_at = now() WHERE token_id = ${old.id}`;
    expect(await codeOf(old.token, "/api/user/me")).toEqual([401, "expired_token"]);
    const gone = await make("ann", ["measurements:read"]);
    expect(await codeOf(gone.token, "/api/user/me")).toEqual([200, undefined]);
    expect(await gateway().json("ann", `/api/tokens/${gone.id}`, { method: "DELETE" })).toMatchObject({
      state: "revoked",
    });
    expect(await codeOf(gone.token, "/api/user/me")).toEqual([401, "revoked_token"]);
    expect(await codeOf(gone.token, "/api/nothing")).toEqual([401, "revoked_token"]);
    expect((await ask("ann", ["measurements:read"], { expires_in_days: 366 })).status_code).toBe(422);
  });

  test("an error names the scope that is missing, and nothing was done", async () => {
    const { token } = await make("ann", ["measurements:read"]);
    const refused = await measure(gateway(), token, 1);
    expect(refused.headers.get("www-authenticate")).toContain('scope="measurements:create"');
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: "missing_scope", scopes: ["measurements:create"] },
    ]);
    expect(await codeOf(token, "/api/nothing")).toEqual([404, "unknown_path"]);
    expect(await codeOf(token, "/api/probes")).toEqual([405, "method_not_allowed"]);
  });

  test("a token makes none without the scope, and with it none that may or lives more", async () => {
    const plain = await make("ann", ["measurements:read", "measurements:create"]);
    expect(await ask(plain.token, ["measurements:read"])).toMatchObject({
      status_code: 403,
      code: "missing_scope",
    });
    const maker = await make("ann", ["tokens:write", "measurements:read"], { expires_in_days: 2 });
    expect(await ask(maker.token, ["measurements:create"])).toMatchObject({
      status_code: 403,
      code: "missing_scope",
    });
    const child = await make(maker.token, ["tokens:write", "measurements:read"], { expires_in_days: 300 });
    expect(child.expires_at).toBe(maker.expires_at);
    const grandchild = await make(child.token, ["measurements:read"]);
    expect(await codeOf(grandchild.token, "/api/user/me")).toEqual([200, undefined]);
    await gateway().json("ann", `/api/tokens/${maker.id}`, { method: "DELETE" });
    expect(await codeOf(grandchild.token, "/api/user/me")).toEqual([401, "revoked_token"]);
    for (const [scopes, more] of [
      [["campaigns:write"], { probes_per_day: 5 }],
      [["tokens:write"], { probes_per_day: 5 }],
      [["tokens:write"], { measurement_id: crypto.randomUUID() }],
      [["everything"], {}],
      [[], {}],
    ] as const) {
      expect((await ask("ann", scopes, more)).status_code).toBe(422);
    }
    expect(await ask("ann", ["admin:read"])).toMatchObject({ status_code: 403, code: "not_an_operator" });
  });

  test("a token that is narrowed to a measurement opens that one alone", async () => {
    const [one, two] = [
      await idOf(await measure(gateway(), "ann", 1)),
      await idOf(await measure(gateway(), "ann", 1)),
    ];
    const scopes = ["measurements:read", "measurements:create"];
    const { token } = await make("ann", scopes, { measurement_id: one.toUpperCase() });
    expect(await codeOf(token, `/api/measurements/${one}/status`)).toEqual([200, undefined]);
    expect(await codeOf(token, `/api/measurement/${one.toUpperCase()}/status`)).toEqual([200, undefined]);
    expect(await codeOf(token, `/api/measurements/${two}/status`)).toEqual([403, "other_object"]);
    expect(await codeOf(token, `/api/measurements/${two}/cancel`, { method: "POST" })).toEqual([
      403,
      "other_object",
    ]);
    expect(await codeOf(token, "/api/measurements")).toEqual([403, "other_object"]);
    expect((await measure(gateway(), token, 1)).status).toBe(403);
    expect(await ask("bob", scopes, { measurement_id: one })).toMatchObject({
      status_code: 404,
      code: "object_not_found",
    });
  });

  test("a token that is narrowed to a campaign opens it and what it measures", async () => {
    const id = await madeCampaign(gateway(), "carl");
    const run = await measured(gateway(), "carl", id, 0);
    const other = await idOf(await measure(gateway(), "carl", 1));
    const { token } = await make("carl", ["campaigns:read", "measurements:read"], { campaign_id: id });
    expect(await codeOf(token, `/api/campaigns/${id}`)).toEqual([200, undefined]);
    expect(await codeOf(token, `/api/measurements/${run}/status`)).toEqual([200, undefined]);
    expect(await codeOf(token, `/api/measurements/${other}/status`)).toEqual([403, "other_object"]);
    expect(await codeOf(token, "/api/campaigns")).toEqual([403, "other_object"]);
    expect(await codeOf(token, `/api/campaigns/${id}/stop`, { method: "POST" })).toEqual([
      403,
      "missing_scope",
    ]);
    await gateway().json("carl", `/api/campaigns/${id}/stop`, { method: "POST" });
  });

  test("a token's own quota is kept by many submissions at once; the user is charged for what was taken", async () => {
    const { token, id } = await make("dora", ["measurements:create", "measurements:read"], {
      probes_per_day: 10,
    });
    const answers = await Promise.all(Array.from({ length: 8 }, () => measure(gateway(), token, 3)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses.map((status) => (status === 202 ? 200 : status))).toEqual([
      200, 200, 200, 429, 429, 429, 429, 429,
    ]);
    const refused = answers.find(({ status }) => status === 429);
    expect(await refused?.json()).toMatchObject({ code: "token_quota_exceeded", limit: 10, requested: 3 });
    expect((await gateway().json("dora", "/api/user/me")).used).toBe(9);
    expect((await measure(gateway(), "dora", 3)).ok).toBe(true);
    const [listed] = (await (await gateway().ask("dora", "/api/tokens")).json()) as {
      probes_today: number;
    }[];
    expect(listed).toMatchObject({ id, probes_today: 9, probes_per_day: 10 });
  });

  test("the use of a token is counted by tool, by name up to a number", async () => {
    const { token, id } = await make("ann", ["measurements:read"]);
    const agents = [
      "curl/8.1",
      "curl/7.0 (x)",
      "",
      "\u00e4",
      ...Array.from({ length: 30 }, (_, i) => `tool${i}/1`),
    ];
    for (const agent of agents) {
      await gateway().fetch(
        new Request("http://gateway.test/api/user/me", {
          headers: { authorization: `Bearer ${token}`, "user-agent": encodeURI(agent) },
        }),
      );
    }
    await gateway().services.apiTokens.flush();
    await codeOf(token, "/api/user/me");
    await gateway().services.apiTokens.flush();
    const uses = (await (await gateway().ask("ann", `/api/tokens/${id}/uses`)).json()) as {
      tool: string;
      requests: number;
    }[];
    expect(uses.length).toBeWithin(15, 21);
    expect(uses).toContainEqual(expect.objectContaining({ tool: "curl", requests: 2 }));
    expect(uses.reduce((sum, { requests }) => sum + requests, 0)).toBe(agents.length + 1);
    const [row] = await sql()`
      SELECT last_used_at > now() - interval '1 h' AS used FROM api_tokens WHERE token_id = ${id}`;
    expect(row?.used).toBe(true);
  });

  test("tokens of a user are limited in number", async () => {
    const { userHash } = identityOf("eve");
    await make("eve", ["measurements:read"]);
    await sql()`
      INSERT INTO api_tokens (token_id, token_hash, user_hash, name, scopes, expires_at)
      SELECT gen_random_uuid(), sha256(('x' || n)::bytea), ${userHash}, 'x', '{}', now() + interval '1 d'
      FROM generate_series(1, 99) AS n`;
    expect(await ask("eve", ["measurements:read"])).toMatchObject({
      status_code: 429,
      code: "too_many_tokens",
    });
    await sql()`
      UPDATE api_tokens SET expires_at = now() - interval '40 d' WHERE user_hash = ${userHash} AND name = 'x'`;
    await make("eve", ["measurements:read"]);
  });

  test("tokens of a user who was erased open nothing", async () => {
    const { token } = await make("fred", ["measurements:read", "tokens:write"]);
    const { adminKey } = gateway().services;
    const { userHash } = identityOf("fred");
    const answer = await gateway().json(adminKey, `/admin/users/${userHash}?store=skip`, {
      method: "DELETE",
    });
    expect(answer).toMatchObject({ status_code: 200 });
    expect(JSON.stringify(answer)).toContain("API tokens");
    expect(await codeOf(token, "/api/user/me")).toEqual([401, "unknown_token"]);
    expect(await sql()`SELECT FROM users WHERE user_hash = ${userHash}`).toHaveLength(0);
  });
});
