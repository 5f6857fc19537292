/**
 * What an API token opens: each route of the probing gateway, asked with every scope but the route's own, and with its
 * own alone. Routes and their scopes are those of the gateway's OpenAPI document, so that a new one is among them.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { scopes } from "../../../lib/base/api/scopes.ts";
import type { OpenApiDocument } from "../../../lib/engines/http/openapi-document.ts";
import { FuzzedGateway } from "../../fuzz/api/fuzzed-gateway.ts";

const methods = ["get", "put", "post", "delete", "patch"] as const;
/** A user who is not an operator may give these. */
const all = scopes.filter((scope) => !scope.startsWith("admin:"));

interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly scheme: string;
  /** Any one is enough. */
  readonly scopes: readonly string[];
}

let gateway: FuzzedGateway;
let login = "";
let routes: readonly Route[] = [];
const tokens = new Map<string, string>();

beforeAll(async () => {
  gateway = await FuzzedGateway.start("probing-gateway", {});
  login = await gateway.issuer.tokenFor("ann");
  routes = routesOf((await (await fetch(`${gateway.url}openapi.json`)).json()) as OpenApiDocument);
});
afterAll(() => gateway[Symbol.asyncDispose]());

function routesOf({ paths }: OpenApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const security = item[method]?.security ?? [];
      const [scheme] = Object.keys(security[0] ?? {});
      const wanted = security.flatMap((one) => Object.values(one).flat());
      const name = `${method.toUpperCase()} ${path}`;
      return scheme === undefined
        ? []
        : [{ name, method: method.toUpperCase(), path, scheme, scopes: wanted }];
    }),
  );
}

/** Made once for each set of scopes. */
async function tokenWith(wanted: readonly string[]): Promise<string> {
  const key = wanted.join();
  const known = tokens.get(key);
  if (known !== undefined) {
    return known;
  }
  const response = await fetch(`${gateway.url}api/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${login}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "walk", scopes: wanted }),
  });
  const { token = "" } = (await response.json()) as { token?: string };
  expect([key, response.status]).toEqual([key, 201]);
  tokens.set(key, token);
  return token;
}

async function statusOf({ method, path }: Route, credential: string): Promise<number> {
  const url = `${gateway.url}${path.slice(1).replaceAll(/\{[^}]*\}/g, "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55")}`;
  const response = await fetch(url, { method, headers: { authorization: `Bearer ${credential}` } });
  await response.body?.cancel();
  return response.status;
}

test("there are routes of every scope that a user may give", () => {
  const used = new Set(routes.flatMap((route) => route.scopes));
  expect(all.filter((scope) => !used.has(scope))).toEqual([]);
});

test("403 with all other scopes, and with its own as a login", async () => {
  const users = routes.filter(({ scheme }) => scheme === "user");
  expect(users.length).toBeGreaterThan(20);
  for (const route of users) {
    const others = await tokenWith(all.filter((scope) => !route.scopes.includes(scope)));
    expect([route.name, await statusOf(route, others)]).toEqual([route.name, 403]);
    const wanted = await statusOf(route, login);
    for (const scope of route.scopes) {
      const status = await statusOf(route, await tokenWith([scope]));
      expect([route.name, scope, status]).toEqual([route.name, scope, wanted]);
    }
  }
});

test("no route of operators, agents or services opens", async () => {
  const token = await tokenWith(all);
  for (const route of routes.filter(({ scheme }) => scheme !== "user")) {
    expect([route.name, await statusOf(route, token)]).toEqual([route.name, 401]);
  }
});
