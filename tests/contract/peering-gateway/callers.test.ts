/** Who may call what, and the answers to bad input: every route that the OpenAPI document names. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { reportBytesMax } from "../../../apps/peering/gateway/limits.ts";
import { onBothEngines } from "./on-both-engines.ts";
import { adminKey, hashOf, hourMs, type PeeringHome, serviceKey } from "./peering-home.ts";

interface Route {
  readonly method: string;
  readonly path: string;
  /** `user`, `admin`, `service`; null = public. */
  readonly caller: string | null;
  readonly takesJson: boolean;
}

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

const exampleOf: Readonly<Record<string, string>> = {
  prefix: "2001%3Adb8%3A1%3A%3A%2F48",
  hash: hashOf("somebody"),
  user_hash: hashOf("somebody"),
  name: "exchange",
};

async function routesOf(home: PeeringHome): Promise<(Route & { operation: Operation })[]> {
  const { body } = await home.send(null, "GET", "/openapi.json");
  const paths = Object.entries(body.paths as Record<string, Record<string, Operation>>);
  return paths.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, (_, name) => exampleOf[name] ?? "x"),
      caller: Object.keys(operation.security?.[0] ?? {})[0] ?? null,
      takesJson: operation.requestBody !== undefined,
      operation,
    })),
  );
}

const keys: Readonly<Record<string, string>> = { user: "somebody", admin: adminKey, service: serviceKey };

onBothEngines((start) => {
  test("each route lets in its own callers only, and says why not", async () => {
    await using home = await start();
    const routes = (await routesOf(home)).filter(({ caller }) => caller !== null);
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, path, caller } of routes) {
      const without = await home.send(null, method, path);
      expect([path, without.status, without.body.code]).toEqual([path, 401, "missing_authorization"]);
      expect(without.body.error).toBe("Authorization header is missing");
      const others = Object.entries(keys).filter(([name]) => name !== caller && caller !== "user");
      for (const [, key] of [...others, ["bad", "bad"]] as const) {
        const refused = await home.send(key, method, path);
        expect([path, refused.status]).toEqual([path, 401]);
      }
      const noBearer = await home.app.request(path, { method, headers: { authorization: "Basic eA==" } });
      expect([path, noBearer.status, noBearer.headers.get("www-authenticate")]).toEqual([
        path,
        401,
        expect.stringContaining("Bearer"),
      ]);
    }
  });

  test("bad bodies are refused by every route that takes one", async () => {
    await using home = await start();
    const routes = (await routesOf(home)).filter(({ takesJson }) => takesJson);
    expect(routes.length).toBeGreaterThanOrEqual(6);
    const grant = {
      ...{ name: "lab", prefixes: [await home.lease("somebody", 2)], changes_max: 1 },
      expires_at: new Date(Date.now() + hourMs).toISOString(),
    };
    const { body: made } = await home.send("somebody", "POST", "/api/grants", grant);
    const keyOf = (caller: string | null) => (caller === "grant" ? made.secret : keys[caller ?? ""]);
    for (const { method, path, caller } of routes) {
      const send = async (body: string, type = "application/json") => {
        const headers = { authorization: `Bearer ${keyOf(caller)}`, "content-type": type };
        const response = await home.app.request(path, { method, body, headers });
        expect(response.headers.get("content-type")).toBe("application/problem+json");
        return response.status;
      };
      expect([path, await send("{"), await send("")]).toEqual([path, 400, 400]);
      expect([path, await send("{}", "text/plain")]).toEqual([path, 415]);
      expect([path, await send("null"), await send("3")]).toEqual([path, 422, 422]);
      expect([path, await send(`{"a":"${"x".repeat(reportBytesMax)}"}`)]).toEqual([path, 413]);
    }
  });

  test("the documents, health and metrics are there; what is not, is a problem too", async () => {
    await using home = await start();
    for (const path of ["/health", "/ready", "/metrics", "/docs", "/openapi.json"]) {
      expect([path, (await home.app.request(path)).status]).toEqual([path, 200]);
    }
    await home.lease("ann");
    const metrics = await (await home.app.request("/metrics")).text();
    expect(metrics).toContain("vantage_gateway_leases_granted_total 1");
    expect(metrics).toContain('route="/api/user/prefix"');
    expect((await home.send(null, "GET", "/api/user/other")).body.code).toBe("missing_authorization");
    expect((await home.send("ann", "GET", "/api/user/other")).body.code).toBe("unknown_path");
    expect((await home.send("ann", "PUT", "/api/user/info")).status).toBe(405);
    const broken = await home.app.request("/api/user/prefix/%zz", { method: "DELETE" });
    expect(broken.status).toBe(400);
  });
});

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("%00", "..", "2001:db8::/48", "::/0", "-1", "1e400", "9".repeat(30), "\u0000", "\ud800"),
);

onBothEngines((start) => {
  test("whatever is put into paths, queries and bodies, nothing fails here", async () => {
    await using home = await start();
    await home.lease("somebody");
    const routes = (await routesOf(home)).filter(({ path }) => path !== "/service/changes");
    const any = fc.record({
      route: fc.constantFrom(...routes),
      part: odd,
      query: fc.dictionary(
        fc.constantFrom("limit", "after", "since", "user", "hash", "email", "suspended"),
        odd,
      ),
      body: fc.oneof(
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc
          .record({
            duration_hours: fc.oneof(fc.double(), fc.bigInt().map(Number), fc.string()),
            enabled: fc.boolean(),
            reason: fc.string({ unit: "binary" }),
            name: fc.string({ unit: "binary" }),
            leases_max: fc.oneof(fc.integer(), fc.constant(null)),
          })
          .map((value) => JSON.stringify(value)),
        fc.string(),
      ),
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ route, part, query, body }) => {
        const { method, caller } = route;
        const segments = route.path.split("/");
        const isFilled = Object.values(exampleOf).includes(segments.at(-1) ?? "");
        const path = isFilled ? [...segments.slice(0, -1), encode(part)].join("/") : route.path;
        const response = await home.app.request(`http://gateway.test${path}?${new URLSearchParams(query)}`, {
          method,
          headers: {
            authorization: `Bearer ${keys[caller ?? ""] ?? "x"}`,
            "content-type": "application/json",
          },
          ...(method === "GET" ? {} : { body }),
        });
        const isDocumented =
          response.status === 503 || Object.hasOwn(route.operation.responses, response.status);
        expect([method, path, response.status, response.status < 500 || response.status === 503]).toEqual([
          ...[method, path, response.status, true],
        ]);
        expect([
          method,
          path,
          response.status,
          isDocumented || [400, 404, 413].includes(response.status),
        ]).toEqual([...[method, path, response.status, true]]);
      }),
      { numRuns: 400 },
    );
  });
});

/** As a client would write it, or raw where it cannot be encoded. */
function encode(part: string): string {
  return part.isWellFormed() ? encodeURIComponent(part) : "%ed%a0%80";
}
