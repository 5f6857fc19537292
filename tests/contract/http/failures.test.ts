/** Every failure has one shape, whatever it comes from, and tells a stranger nothing that is not for him. */
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { Failure } from "../../../lib/base/failure/failure.ts";
import { bodyBytesMax, sampleApp } from "./sample-app.ts";

const json = (body: string | Uint8Array, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body,
  headers: { "content-type": "application/json", ...headers },
});
const gzip = { "content-encoding": "gzip" };
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const good = '{"count":1,"kind":"a"}';

describe("a request that cannot be answered gets a problem of RFC 9457", () => {
  test.each<[string, string, RequestInit, number, string]>([
    ["an unknown path", "/nothing?token=x", {}, 404, "unknown_path"],
    ["a path that goes on too far", "/items/1/2", {}, 404, "unknown_path"],
    ["an unknown method", "/items", { method: "DELETE" }, 405, "method_not_allowed"],
    ["broken percent-encoding", "/items/%zz", {}, 400, "malformed_path"],
    ["bytes that are not UTF-8 in the path", "/items/%ff", {}, 400, "malformed_path"],
    ["a wrong query", "/items/1?limit=x", {}, 400, "invalid_query"],
    ["a query given twice", "/items/1?limit=1&limit=2", {}, 400, "invalid_query"],
    ["no type of content", "/items", { method: "POST", body: good }, 415, "unsupported_media_type"],
    [
      "a form",
      "/items",
      json("a=b", { "content-type": "application/x-www-form-urlencoded" }),
      415,
      "unsupported_media_type",
    ],
    ["an unknown encoding", "/items", json(good, { "content-encoding": "br" }), 415, "unsupported_encoding"],
    ["half a JSON", "/items", json('{"count":'), 400, "malformed_json"],
    ["nothing", "/items", json(""), 400, "malformed_json"],
    ["bytes that are not UTF-8", "/items", json(new Uint8Array([0x22, 0xff, 0x22])), 400, "malformed_json"],
    ["a JSON that is nested without end", "/items", json("[".repeat(900)), 400, "malformed_json"],
    ["a JSON that is nested too deep", "/items", json(nested(33)), 400, "malformed_json"],
    ["a JSON that is nested as deep as may be", "/items", json(nested(32)), 422, "invalid_body"],
    ["a wrong value", "/items", json('{"count":0,"kind":"a"}'), 422, "invalid_body"],
    ["null", "/items", json("null"), 422, "invalid_body"],
    ["a list for an object", "/all-optional", json("[]"), 422, "invalid_body"],
    ["a byte too much", "/items", json(good.padEnd(bodyBytesMax + 1)), 413, "content_too_large"],
    ["what unpacks to too much", "/items", json(gzipSync(good.padEnd(1e6)), gzip), 413, "content_too_large"],
    ["what is not gzip", "/items", json(good, gzip), 400, "malformed_gzip"],
    ["half a gzip", "/items", json(gzipSync(good).subarray(0, 15), gzip), 400, "malformed_gzip"],
    ["a refusal of the service", "/quota", {}, 429, "quota"],
    ["a mistake of the service", "/broken", {}, 500, "internal_error"],
  ])("%s", async (_, path, options, status, code) => {
    const response = await sampleApp().app.request(path, options);
    const body = JSON.parse(await response.text());
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(body).toMatchObject({
      type: "about:blank",
      status,
      code,
      error: status,
      instance: path.split("?")[0],
    });
    expect(body.title).not.toBe("Failure");
    expect(body.message).toBe(body.detail);
    expect(body.message).toMatch(/^[A-Z].*[^.]$/);
    expect(response.headers.get("x-request-id")).toBe(body.request_id);
  });
});

test("all faults of a body are reported at once, field by field", async () => {
  const response = await sampleApp().app.request("/items", json('{"count":-1}'));
  expect(JSON.parse(await response.text()).fields).toEqual([
    { path: "count", reason: "must be above 0, not -1" },
    { path: "kind", reason: "is missing" },
  ]);
});

test("the extra figures and headers of a refusal arrive", async () => {
  const response = await sampleApp().app.request("/quota");
  expect(response.headers.get("retry-after")).toBe("60");
  expect(JSON.parse(await response.text())).toMatchObject({ used: 5, limit: 5 });
});

test("a mistake of the service is in the log with the request's id, and not in the answer", async () => {
  const { app, lines } = sampleApp();
  const response = await app.request("/broken");
  const text = await response.text();
  expect(text).not.toMatch(/secret|internal\.|db\./i);
  const [entry, ...more] = lines.map((line) => JSON.parse(line));
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    ...{ level: "error", component: "sample", route: "/broken", method: "GET" },
    ...{ request_id: JSON.parse(text).request_id, error: { message: "SELECT secret FROM host db.internal" } },
  });
});

test("a refusal that is not our bug is not in the log", async () => {
  const { app, lines } = sampleApp();
  await app.request("/quota");
  await app.request("/nothing");
  expect(lines).toEqual([]);
});

const unavailable = "database_unavailable";

test.each([
  ["a database that is away", new Failure("database", "unavailable", "db.internal"), 503, unavailable, "5"],
  [
    "a database that shuts down",
    Object.assign(new Error("db.internal"), { code: "57P01" }),
    503,
    unavailable,
    "5",
  ],
  [
    "a database of another address",
    new Failure("database", "badAddress", "db.internal"),
    500,
    "internal_error",
    null,
  ],
  ["a store that refuses", new Failure("store", "refused", "db.internal"), 503, "store_unavailable", "5"],
  ["a spool that is full", new Failure("submission", "spool", "db.internal"), 503, "spool_unavailable", "5"],
  [
    "targets that cannot be read",
    new Failure("submission", "targets", "db.internal"),
    500,
    "internal_error",
    null,
  ],
  [
    "a daemon that is silent",
    new Failure("daemon", "unreachable", "db.internal"),
    503,
    "daemon_unavailable",
    null,
  ],
  ["a VPN that is silent", new Failure("vpn", "unreachable", "db.internal"), 500, "internal_error", null],
])("%s is answered as %p %p, without its own words", async (_what, failure, status, code, retryAfter) => {
  const { app } = sampleApp();
  app.get("/fails", () => {
    throw failure;
  });
  const response = await app.request("/fails");
  const body = await response.text();
  expect([response.status, response.headers.get("retry-after"), body.includes("db.internal")]).toEqual([
    status,
    retryAfter,
    false,
  ]);
  expect(JSON.parse(body).code).toBe(code);
});

test("callers who are not let in get the code and the words", async () => {
  const { app } = sampleApp();
  app.get("/door", (c) => {
    const code = c.req.query("code") === "none" ? "missing_authorization" : "expired_token";
    throw new Failure("auth", c.req.query("code") === "keys" ? "issuer_unavailable" : code, "words");
  });
  const ask = async (code: string) => {
    const { status, headers } = await app.request(`/door?code=${code}`);
    return [status, headers.get("www-authenticate"), headers.get("retry-after")];
  };
  expect(await ask("none")).toEqual([401, 'Bearer realm="vantage"', null]);
  expect(await ask("old")).toEqual([401, 'Bearer realm="vantage", error="invalid_token"', null]);
  expect(await ask("keys")).toEqual([503, null, "5"]);
});

describe("in a browser a failure is a page", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

  test.each([
    ["/nothing", 404, "unknown_path"],
    ["/items/%zz", 400, "malformed_path"],
    ["/quota", 429, "quota"],
  ])("%s", async (path, status, code) => {
    const { app } = sampleApp();
    const page = await app.request(path, { headers: { accept: browser } });
    const text = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain(`<code>${code}</code>`);
    const { detail } = JSON.parse(await (await app.request(path)).text());
    expect(text).toContain(Bun.escapeHTML(detail));
  });

  test.each(["*/*", "application/json, text/html", "application/problem+json"])(
    "not for a program that accepts %s",
    async (accept) => {
      const response = await sampleApp().app.request("/nothing", { headers: { accept } });
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    },
  );

  test("nor for what a page's script sends", async () => {
    const options = { method: "POST", body: "{}", headers: { accept: browser } };
    const response = await sampleApp().app.request("/items", options);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  test("what a caller sent is text there, not markup", async () => {
    const path = "/items/1?limit=%3Cimg%20src=x%3E&%3Cb%3E=1";
    const response = await sampleApp().app.request(path, { headers: { accept: browser } });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toMatch(/<img|<b>/);
  });
});
