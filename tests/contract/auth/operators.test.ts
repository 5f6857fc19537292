/**
 * Who opens the admin API of a gateway that has operators: every admin route of both gateways, by the key, by logins
 * with and without the right, and by what only looks like one.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { adminKey, FuzzedGateway } from "../../fuzz/api/fuzzed-gateway.ts";
import { apis } from "../../reference/documents.ts";

const role = "vantage-operator";
const oidc = { operators: ["olga"], operator_claim: "realm_access.roles" };
const services = ["probing-gateway", "peering-gateway"] as const;
type ServiceName = (typeof services)[number];

const documented = await apis();
const routes = services.flatMap((service) =>
  Object.entries(documented[service].document.paths ?? {}).flatMap(([path, item]) =>
    (["get", "put", "post", "delete", "patch"] as const).flatMap((method) =>
      item?.[method]?.security?.some((one) => "admin" in one) === true
        ? [
            [
              `${service}: ${method.toUpperCase()} ${path}`,
              { service, method: method.toUpperCase(), path },
            ] as const,
          ]
        : [],
    ),
  ),
);
type Route = (typeof routes)[number][1];

let gateways: Readonly<Record<ServiceName, FuzzedGateway>>;
let owned: AsyncDisposableStack;

beforeAll(async () => {
  owned = new AsyncDisposableStack();
  gateways = {
    "probing-gateway": owned.use(await FuzzedGateway.start("probing-gateway", { oidc })),
    "peering-gateway": owned.use(
      await FuzzedGateway.start("peering-gateway", {
        oidc,
        leases: { pool: ["2001:db8::/40"] },
        subjects: { keys: [`one:${Buffer.alloc(32, 1).toString("base64url")}`] },
      }),
    ),
  };
});
afterAll(() => owned.disposeAsync());

async function ask({ service, method, path }: Route, credential: string) {
  const url = `${gateways[service].url}${path.slice(1).replaceAll(/\{[^}]*\}/g, "0".repeat(64))}`;
  const response = await fetch(url, { method, headers: { authorization: `Bearer ${credential}` } });
  const body = (await response.json().catch(() => ({}))) as { code?: string };
  return { status: response.status, code: body.code ?? "" };
}

const token = (service: ServiceName, subject: string, claims: Readonly<Record<string, unknown>> = {}) =>
  gateways[service].issuer.tokenFor(subject, { claims });

test("there are routes of both gateways", () => {
  for (const service of services) {
    expect(routes.filter(([, route]) => route.service === service).length).toBeGreaterThan(10);
  }
});

describe("opens to the key, to a named subject and to a role", () => {
  test.each(routes)("%s", async (_name, route) => {
    const { service } = route;
    const roles = { realm_access: { roles: ["offline_access", role] } };
    const credentials = [adminKey, await token(service, "olga"), await token(service, "rita", roles)];
    for (const credential of credentials) {
      const { status, code } = await ask(route, credential);
      expect([401, 403, 500]).not.toContain(status);
      expect(["not_an_operator", "unknown_key"]).not.toContain(code);
    }
  });
});

describe("refuses other users with 403", () => {
  test.each(routes)("%s", async (_name, route) => {
    const { service } = route;
    const others = [
      await token(service, "ann"),
      await token(service, "Olga"),
      await token(service, "ann", { roles: [role], scope: role, operators: ["ann"] }),
      await token(service, "ann", { realm_access: { roles: `x${role}` } }),
    ];
    for (const credential of others) {
      expect(await ask(route, credential)).toEqual({ status: 403, code: "not_an_operator" });
    }
  });
});

describe("refuses what only looks like an operator with 401", () => {
  test.each(routes)("%s", async (_name, route) => {
    const { service } = route;
    const other = service === "probing-gateway" ? "peering-gateway" : "probing-gateway";
    const good = await token(service, "olga");
    const past = Math.floor(Date.now() / 1000) - 7200;
    const [, payload = ""] = good.split(".");
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
    const forged = [
      `${none}.${payload}.`,
      good.slice(0, -6) + (good.at(-6) === "A" ? "B" : "A") + good.slice(-5),
      await token(service, "olga", { iat: past, exp: past + 60 }),
      await token(service, "olga", { aud: "https://other.example" }),
      await token(service, "olga", { sub: undefined }),
      await token(other, "olga"),
      adminKey.toUpperCase(),
      "a.b.c",
    ];
    for (const credential of forged) {
      expect((await ask(route, credential)).status).toBe(401);
    }
  });
});

describe("API tokens of operators", () => {
  const url = () => gateways["probing-gateway"].url;
  const make = async (login: string, scopes: readonly string[]) => {
    const headers = { authorization: `Bearer ${login}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "admin", scopes });
    const response = await fetch(`${url()}api/tokens`, { method: "POST", headers, body });
    const { token = "", code = "" } = (await response.json()) as { token?: string; code?: string };
    return { status: response.status, token, code };
  };
  const users: Route = { service: "probing-gateway", method: "GET", path: "/admin/users" };
  const change: Route = { service: "probing-gateway", method: "POST", path: "/admin/enrolment-keys" };

  test("whom the configuration names has them, to read or to write", async () => {
    const olga = await token("probing-gateway", "olga");
    const { token: reader } = await make(olga, ["admin:read"]);
    expect((await ask(users, reader)).status).toBe(200);
    expect(await ask(change, reader)).toEqual({ status: 403, code: "missing_scope" });
    const { token: writer } = await make(olga, ["admin:write"]);
    expect(await ask(users, writer)).toEqual({ status: 403, code: "missing_scope" });
    expect((await ask(change, writer)).status).toBe(415);
    const { token: plain } = await make(olga, ["measurements:read"]);
    expect(await ask(users, plain)).toEqual({ status: 403, code: "missing_scope" });
  });

  test("whom a role makes one, and anybody else, has none", async () => {
    const roles = { realm_access: { roles: [role] } };
    for (const login of [
      await token("probing-gateway", "rita", roles),
      await token("probing-gateway", "ann"),
    ]) {
      expect(await make(login, ["admin:read"])).toMatchObject({ status: 403, code: "not_an_operator" });
    }
  });
});

test("an operator is a user like others at what is users' own", async () => {
  const headers = { authorization: `Bearer ${await token("probing-gateway", "olga")}` };
  const me = await fetch(`${gateways["probing-gateway"].url}api/user/me`, { headers });
  expect([me.status, (await me.json()) as object]).toMatchObject([200, { used: 0 }]);
  const key = { authorization: `Bearer ${adminKey}` };
  expect((await fetch(`${gateways["probing-gateway"].url}api/user/me`, { headers: key })).status).toBe(401);
});

describe("the audit names who made a change", () => {
  const olga = `operator:${identityOf("olga").userHash}`;
  const changes: Readonly<Record<ServiceName, readonly (readonly [string, string, object | null])[]>> = {
    "probing-gateway": [
      ["POST", "agents", { id: "west" }],
      ["PATCH", "agents/west", { tags: ["eu"] }],
      ["PUT", "agents/west/desired", {}],
      ["POST", "agents/west/keys", {}],
      ["DELETE", "agents/west", null],
      ["POST", "enrolment-keys", { label: "x" }],
      ["POST", "blocklist", { prefix: "192.0.2.0/24", reason: "x" }],
      ["DELETE", "blocklist/192.0.2.0%2F24", null],
      ["PUT", "kill-switch", { reason: "x" }],
      ["DELETE", "kill-switch", null],
    ],
    "peering-gateway": [
      ["POST", "service-keys", { name: "one" }],
      ["DELETE", "service-keys/one", null],
      ["PUT", "announcement-stop", { reason: "x" }],
      ["DELETE", "announcement-stop", null],
    ],
  };

  test.each([...services])("%s", async (service) => {
    const { url } = gateways[service];
    const call = async (credential: string, method: string, path: string, body: object | null) => {
      const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
      const rest = body === null ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}admin/${path}`, { method, headers, ...rest });
      expect([path, response.ok]).toEqual([path, true]);
      return response;
    };
    const operator = await token(service, "olga");
    const listed = async (actor: string) => {
      const response = await call(operator, "GET", `audit?actor=${actor}&limit=1000`, null);
      return (await response.json()) as object[];
    };
    const before = [(await listed(olga)).length, (await listed("admin")).length];
    for (const [method, path, body] of changes[service]) {
      await call(operator, method, path, body);
    }
    const mine = await listed(olga);
    expect([mine.length - changes[service].length, (await listed("admin")).length]).toEqual(before);
    // Who it was stands in the log by hash alone.
    expect(JSON.stringify(mine)).not.toContain("olga");
  });
});

describe("names", () => {
  test.each(services)("of tokens are shown by %s to operators, who find people by them", async (service) => {
    const call = async (path: string, credential: string) => {
      const headers = { authorization: `Bearer ${credential}` };
      const response = await fetch(`${gateways[service].url}${path}`, { headers });
      return (await response.json()) as Record<string, unknown>[] & Record<string, unknown>;
    };
    const nina = await token(service, "auth0|68a1", { preferred_username: "Nina", email: "n@example.net" });
    const { userHash } = identityOf("auth0|68a1");
    if (service === "peering-gateway") {
      // Users of an exchange are known from their first change.
      await fetch(`${gateways[service].url}/api/user/asn`, {
        ...{ method: "POST", headers: { authorization: `Bearer ${nina}` } },
      });
    }
    const own = service === "probing-gateway" ? "/api/user/me" : "/api/user/info";
    const me = await call(own, nina);
    expect(me.user_hash).toBe(userHash);
    for (const who of ["nina", "auth0%7C68a1", userHash, userHash.slice(0, 8)]) {
      expect(await call(`/admin/users?who=${who}`, adminKey)).toMatchObject([
        { user_hash: userHash, name: "Nina" },
      ]);
    }
    expect(await call("/admin/users?who=nin", adminKey)).toEqual([] as never);
    if (service === "probing-gateway") {
      expect(me.name).toBe("Nina");
    }
  });
});
