import { expect, test } from "bun:test";
import { checkWork, routeWork } from "./route-work.ts";

test.each([
  ["GET", "/api/experiments/:id", "derived"],
  ["PUT", "/api/campaigns/:id", "derived"],
  ["GET", "/api/campaigns/:id", "small"],
  ["GET", "/console/files/:name{.+}", "small"],
  ["POST", "/api/campaigns/:id/stop", "small"],
  ["GET", "/birdwatcher/:router/routes/peer/:peer", "small"],
  ["POST", "/birdwatcher/:router", null],
  ["POST", "/api/experiments/:id", null],
  ["GET", "/api/measurements/:id/one/two", null],
] as const)("%s %s is %p", (method, path, kind) => {
  expect(routeWork(method, path)).toBe(kind);
});

test("a service with a route that has no bounds does not start", () => {
  const routes = [
    { method: "ALL", path: "/*" },
    { method: "GET", path: "/health" },
    { method: "POST", path: "/api/forgotten" },
  ];
  expect(() => checkWork(routes)).toThrow("lib/engines/http/route-work.ts: POST /api/forgotten");
  expect(() => checkWork(routes.slice(0, 2))).not.toThrow();
});
