/** How every service conducts itself where it is not about its own matters. */
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { Gauge } from "prom-client";
import { sharedSessions } from "../../../lib/engines/store/postgres/pooler.ts";
import { sampleApp } from "./sample-app.ts";

test("a path's methods are named to who asks, and HEAD is GET without a body", async () => {
  const { app } = sampleApp();
  const options = await app.request("/items/1", { method: "OPTIONS" });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  const wrong = await app.request("/items/1", { method: "PUT" });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const head = await app.request("/items/1", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("an encoded slash stays inside its segment", async () => {
  const response = await sampleApp().app.request("/items/2001%3Adb8%3A%3A%2F48?limit=7");
  expect(await response.json()).toEqual({ id: "2001:db8::/48", limit: 7 });
});

test("bodies may be packed, in a JSON body as in a stream", async () => {
  const { app } = sampleApp();
  const headers = { "content-type": "application/json; charset=utf-8", "content-encoding": "gzip" };
  const added = await app.request("/items", {
    method: "POST",
    body: gzipSync('{"count":2,"kind":"b"}'),
    headers,
  });
  expect([added.status, await added.json()]).toEqual([201, { count: 2, kind: "b" }]);
  const raw = await app.request("/raw", { method: "PUT", body: gzipSync("x".repeat(900)), headers });
  expect(await raw.json()).toEqual({ bytes: 900 });
});

describe("a request's id", () => {
  test("is another one each time", async () => {
    const { app } = sampleApp();
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await app.request("/health")).headers.get("x-request-id")),
    );
    expect(new Set(ids).size).toBe(50);
  });

  test.each([
    ["8a1f-proxy.42", true],
    ["short", false],
    ["a b c d e f g", false],
    ["x".repeat(65), false],
    ['"}{"level":"error"', false],
  ])("%s of a proxy in front is taken: %p", async (given, taken) => {
    const response = await sampleApp().app.request("/health", { headers: { "x-request-id": given } });
    expect(response.headers.get("x-request-id") === given).toBe(taken);
  });
});

test("requests are counted by pattern: no path of a stranger becomes a series", async () => {
  const { app, registry } = sampleApp();
  for (const path of ["/items/1", "/items/2", "/nothing/1", "/nothing/2", "/items/%zz"]) {
    await app.request(path);
  }
  await app.request("/items/3", { method: "BREW" });
  const { values } = (await registry.getSingleMetric("vantage_gateway_http_requests_total")?.get()) ?? {
    values: [],
  };
  const routes = values.map(({ labels }) => labels.route);
  expect(new Set(routes)).toEqual(new Set(["/items/:id", "unknown"]));
  const text = await (await app.request("/metrics")).text();
  expect(text).toContain('vantage_gateway_http_requests_total{method="GET",route="/items/:id",status="200"}');
  expect(text).toContain('vantage_gateway_http_request_seconds_count{method="GET",route="/items/:id"}');
});

test("every request is in the log when the operator wants that", async () => {
  const { app, lines } = sampleApp({ accessLog: true });
  await app.request("/items/1?limit=3");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "info", message: "Answered", method: "GET", route: "/items/:id", status: 200 },
  ]);
});

describe("web pages of other origins", () => {
  const ask = async (origins: string[], path = "/items/1", method = "GET") => {
    const headers = { origin: "https://app.example.net", "access-control-request-method": "POST" };
    const response = await sampleApp({ origins }).app.request(path, { method, headers });
    return [response.status, response.headers.get("access-control-allow-origin")];
  };

  test("may not call unless they are named", async () => {
    expect(await ask([])).toEqual([200, null]);
    expect(await ask(["https://other.example"])).toEqual([200, null]);
  });

  test("may call when they are, and may read failures too", async () => {
    const origins = ["https://app.example.net"];
    expect(await ask(origins)).toEqual([200, "https://app.example.net"]);
    expect(await ask(origins, "/broken")).toEqual([500, "https://app.example.net"]);
    expect(await ask(origins, "/nothing")).toEqual([404, "https://app.example.net"]);
    expect(await ask(origins, "/items", "OPTIONS")).toEqual([204, "https://app.example.net"]);
  });
});

describe("the machinery around a service", () => {
  test("sees that it lives, whatever its dependencies", async () => {
    const { app, dependency } = sampleApp();
    dependency.failure = new Error("password of db.internal is wrong");
    expect(await (await app.request("/health")).json()).toMatchObject({
      status: "healthy",
      version: "1.2.3",
    });
  });

  test("sees when it can serve", async () => {
    const response = await sampleApp().app.request("/ready");
    expect(await response.json()).toEqual({ status: "ready", checks: { database: "ready" } });
  });

  test("sees when it cannot, but not why", async () => {
    const { app, dependency } = sampleApp();
    dependency.failure = new Error("password of db.internal is wrong");
    const response = await app.request("/ready");
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: "unavailable", checks: { database: "unavailable" } });
  });

  test("names a pooler that its database cannot be used through", async () => {
    const { app, dependency } = sampleApp();
    dependency.failure = sharedSessions("postgres://db.internal/x");
    const response = await app.request("/ready");
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: "unavailable",
      checks: { database: "transaction_pooler" },
    });
  });

  test("makes figures once for all who ask together, and again for later requests", async () => {
    const { app, registry } = sampleApp();
    let made = 0;
    const collect = () => {
      made++;
    };
    new Gauge({ name: "costly", help: "Costs a query", registers: [registry], collect });
    await Promise.all(Array.from({ length: 50 }, () => app.request("/metrics")));
    expect(made).toBe(1);
    await Bun.sleep(5);
    await app.request("/metrics");
    expect(made).toBe(2);
  });

  test("does not become a load on what the service leans on", async () => {
    const { app, dependency } = sampleApp();
    await Promise.all(Array.from({ length: 50 }, () => app.request("/ready")));
    expect(dependency.asked).toBe(1);
  });
});
