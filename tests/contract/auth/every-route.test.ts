/**
 * Who may call which route: a table made from the OpenAPI documents of all four services, so that a new route is in it.
 *
 * A route says who may call it (`security`); for each kind of caller there is a list of credentials that are not that
 * caller's. A route that says "anybody" must be on the list here, where somebody has thought about it.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { adminKey, FuzzedGateway } from "../../fuzz/api/fuzzed-gateway.ts";
import { apis, type ServiceName } from "../../reference/documents.ts";
import { forged, grantsOf } from "./credentials.ts";

/** What anybody may ask, and why nobody has to say who it is. */
const publicRoutes: Readonly<Record<ServiceName, readonly string[]>> = {
  // What agents there are and how they are; how to log in; who is behind a packet: nothing that names a user.
  "probing-gateway": [
    "GET /api/agents",
    "GET /api/agent/{id}",
    "GET /api/agent/{id}/config",
    "GET /api/agent/{id}/health",
    "GET /api/login",
    "GET /source/{address}",
    // Whether SQL is served at all.
    "GET /api/sql/ping",
    // What users have made public, or given a link for: tests/contract/probing-gateway-reads/sharing.test.ts.
    "GET /api/public",
    "GET /api/shared/{link}",
    ...["/api/public", "/api/shared/{link}"].flatMap((base) => [
      `GET ${base}/measurements/{id}`,
      `GET ${base}/measurements/{id}/{view}`,
      `GET ${base}/campaigns/{id}`,
      `GET ${base}/campaigns/{id}/runs`,
    ]),
  ],
  // For validators of routes, as every RPKI cache publishes it.
  "peering-gateway": ["GET /vrps.json"],
  // Who asks is known by the connection's address: tests/contract/policy-generator/http.test.ts.
  "policy-generator": ["GET /health", "GET /policy", "GET /status", "POST /refresh"],
  // On loopback, unless its user says otherwise.
  bootstrap: ["GET /status.json"],
};

type Scheme = "user" | "agent" | "admin" | "service" | "grant";

const consolePages =
  "account files/{name} callback login measurements measurements/{id} campaigns campaigns/{id} discovery operators " +
  "peering routes experiments experiments/{id} public public/campaigns/{id} public/measurements/{id} shared/{link} " +
  "sql shared/{link}/measurements/{id} *";
const documentation = ["GET /docs", "GET /metrics", "GET /openapi.json"];
/** What the document does not hold: pages for people, and what the machinery around asks. */
const undocumented: Readonly<Record<ServiceName, readonly string[]>> = {
  // The console's pages show what the API gives to who looks: tests/contract/console.
  "probing-gateway": [
    ...[...documentation, "GET /health", "GET /ready", "GET /", "GET /console", "POST /console/logout"],
    // As without the slash, which the document has: tests/contract/sql.
    ...["GET /api/sql/", "POST /api/sql/"],
    ...consolePages.split(" ").map((page) => `GET /console/${page}`),
  ],
  "peering-gateway": [...documentation, "GET /", "GET /health", "GET /ready"],
  "policy-generator": [...documentation, "GET /"],
  bootstrap: [...documentation, "GET /", "GET /health", "GET /ready"],
};

interface Route {
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  /** Null = says nothing. */
  readonly schemes: readonly string[] | null;
}

interface Credential {
  readonly what: string;
  /** The whole header; null = none. */
  readonly header: () => string | null;
}

const methods = ["get", "put", "post", "delete", "patch", "head", "options"] as const;
const documented = await apis();
const routes = Object.entries(documented).flatMap(([service, { document }]) =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method): Route[] => {
      const operation = item?.[method];
      const security = operation?.security?.flatMap((one) => Object.keys(one)) ?? null;
      return operation === undefined
        ? []
        : [{ service: service as ServiceName, method: method.toUpperCase(), path, schemes: security }];
    }),
  ),
);

const gateways = new Map<ServiceName, FuzzedGateway>();
const tokens = new Map<string, string>();
let owned: AsyncDisposableStack;

beforeAll(async () => {
  owned = new AsyncDisposableStack();
  const probing = owned.use(await FuzzedGateway.start("probing-gateway", {}));
  const peering = owned.use(
    await FuzzedGateway.start("peering-gateway", {
      leases: { pool: ["2001:db8::/40"], per_user_max: 3 },
      subjects: { keys: [`one:${Buffer.alloc(32, 1).toString("base64url")}`] },
    }),
  );
  gateways.set("probing-gateway", probing).set("peering-gateway", peering);
  for (const [service, gateway] of gateways) {
    for (const [what, token] of Object.entries(await forged(gateway))) {
      tokens.set(`${service} ${what}`, token);
    }
  }
  for (const id of ["west", "east", "retired"]) {
    tokens.set(`agent ${id}`, await made(probing, "admin/agents", { id }, "agent_key"));
  }
  await asAdmin(probing, "DELETE", "admin/agents/retired");
  for (const name of ["live", "revoked"]) {
    tokens.set(`service ${name}`, await made(peering, "admin/service-keys", { name }, "key"));
  }
  await asAdmin(peering, "DELETE", "admin/service-keys/revoked");
  const given = await grantsOf(peering, tokens.get("peering-gateway good") ?? "");
  for (const [name, secret] of Object.entries(given)) {
    tokens.set(`grant ${name}`, secret);
  }
});
afterAll(() => owned.disposeAsync());

async function asAdmin(
  gateway: FuzzedGateway,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
  const rest = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${gateway.url}${path}`, { method, headers, ...rest });
  expect(response.ok).toBe(true);
  return response.status === 204 ? null : await response.json().catch(() => null);
}

async function made(gateway: FuzzedGateway, path: string, body: object, name: string): Promise<string> {
  const answer = (await asAdmin(gateway, "POST", path, body)) as Record<string, string>;
  return answer[name] ?? "";
}

const bearer = (what: string, name: string): Credential => ({
  what,
  header: () => `Bearer ${tokens.get(name) ?? ""}`,
});
const fixed = (what: string, header: string | null): Credential => ({ what, header: () => header });

/** Credentials that belong to nobody. */
const nobodys: readonly Credential[] = [
  fixed("nothing", null),
  fixed("an empty header", ""),
  fixed("Bearer alone", "Bearer"),
  fixed("Bearer and a blank", "Bearer  "),
  fixed("a word", "Bearer x"),
  fixed("three words", "Bearer a.b.c"),
  fixed("Basic", `Basic ${btoa("ann:secret")}`),
  fixed("a key that is not", `Bearer vantage_agent_${"A".repeat(43)}`),
  fixed("a long one", `Bearer ${"x".repeat(10_000)}`),
];
const forgeries = [
  ...[
    "token that has expired",
    "token without an end",
    "token of another issuer",
    "token for another audience",
  ],
  ...["token without a subject", "token with alg none", "token signed with HMAC by the public key"],
  ...["token signed by a stranger", "token of which a letter has changed"],
];

function credentialsAgainst(scheme: Scheme, service: ServiceName): Credential[] {
  const all: Readonly<Record<Scheme, readonly Credential[]>> = {
    user: [bearer("a user's token", `${service} good`)],
    agent: [bearer("an agent's key", "agent west")],
    admin: [fixed("the admin key", `Bearer ${adminKey}`)],
    service: [bearer("a service's key", "service live")],
    grant: [bearer("a grant's secret", "grant live")],
  };
  const others = (Object.keys(all) as Scheme[]).filter((one) => one !== scheme).flatMap((one) => all[one]);
  const own: Readonly<Record<Scheme, readonly Credential[]>> = {
    user: forgeries.map((what) => bearer(what, `${service} ${what}`)),
    agent: [bearer("the key of a retired agent", "agent retired")],
    admin: [fixed("the admin key in capitals", `Bearer ${adminKey.toUpperCase()}`)],
    service: [bearer("a revoked key", "service revoked")],
    grant: [bearer("a revoked grant", "grant revoked")],
  };
  return [...nobodys, ...others, ...own[scheme]];
}

function isScheme(name: string | undefined): name is Scheme {
  return name === "user" || name === "agent" || name === "admin" || name === "service" || name === "grant";
}

/** Parts of a path are values that could be. */
function pathOf({ path }: Route, agent = "west"): string {
  return path
    .slice(1)
    .replace("/agent/{id}", `/agent/${agent}`)
    .replaceAll(/\{[^}]*\}/g, "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55");
}

async function statusOf(route: Route, header: string | null, agent?: string): Promise<number> {
  const gateway = gateways.get(route.service);
  const headers = header === null ? {} : { authorization: header };
  const response = await fetch(`${gateway?.url}${pathOf(route, agent)}`, { method: route.method, headers });
  await response.body?.cancel();
  return response.status;
}

const nameOf = ({ service, method, path }: Route) => `${service}: ${method} ${path}`;

test.each(routes.map((route) => [nameOf(route), route] as const))(
  "%s says who may call it",
  (_name, route) => {
    const { service, method, path, schemes } = route;
    if (schemes === null || schemes.length === 0) {
      expect(publicRoutes[service]).toContain(`${method} ${path}`);
    } else {
      expect(schemes.filter((scheme) => !isScheme(scheme))).toEqual([]);
    }
  },
);

test.each(Object.entries(documented))("%s has no other routes than these", (service, api) => {
  const known = routes
    .filter((one) => one.service === service)
    .map(({ method, path }) => `${method} ${path}`);
  const others = api.routes.filter((route) => !known.includes(route));
  expect(others.toSorted()).toEqual([...undocumented[service as ServiceName]].toSorted());
});

test("nothing is on the list of what anybody may ask that is not there", () => {
  const known = routes.map(({ service, method, path }) => `${service}: ${method} ${path}`);
  const listed = Object.entries(publicRoutes).flatMap(([service, paths]) =>
    paths.map((path) => `${service}: ${path}`),
  );
  expect(listed.filter((path) => !known.includes(path))).toEqual([]);
});

const guarded = routes.flatMap((route) => {
  const [scheme] = route.schemes ?? [];
  return isScheme(scheme) && gateways !== null ? [[nameOf(route), route, scheme] as const] : [];
});

describe("401 for everybody else", () => {
  test.each(guarded)("%s", async (_name, route, scheme) => {
    const credentials = credentialsAgainst(scheme, route.service);
    const answers = await Promise.all(
      credentials.map(async ({ what, header }) => [what, await statusOf(route, header())] as const),
    );
    expect(Object.fromEntries(answers)).toEqual(
      Object.fromEntries(credentials.map(({ what }) => [what, 401])),
    );
  });
});

describe("403 for the key of another agent", () => {
  const own = guarded.filter(([, { path }, scheme]) => scheme === "agent" && path.includes("/agent/{id}"));

  test("there are such routes", () => {
    expect(own.length).toBeGreaterThan(2);
  });

  test.each(own)("%s", async (_name, route) => {
    expect(await statusOf(route, `Bearer ${tokens.get("agent east")}`)).toBe(403);
  });
});

describe("its own credential is not refused", () => {
  test.each(guarded)("%s", async (_name, route, scheme) => {
    const own = {
      ...{ user: `${route.service} good`, agent: "agent west", service: "service live" },
      ...{ grant: "grant live", admin: "" },
    };
    const header = scheme === "admin" ? `Bearer ${adminKey}` : `Bearer ${tokens.get(own[scheme])}`;
    // Deletions last: what they would take away is not there.
    expect([401, 500]).not.toContain(await statusOf(route, header));
  });
});
