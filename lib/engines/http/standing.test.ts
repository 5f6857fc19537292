import { expect, test } from "bun:test";
import { Hono } from "hono";
import { Failure } from "../../base/failure/failure.ts";
import type { HttpEnv } from "./app.ts";
import { problem } from "./problem.ts";
import { type Standing, standingOf } from "./standing.ts";

async function standing(check: () => Promise<unknown>): Promise<Standing> {
  const made = Promise.withResolvers<Standing>();
  const app = new Hono<HttpEnv>().get("/", (c) => {
    c.set("checkAgain", check);
    made.resolve(standingOf(c));
    return c.text("");
  });
  await app.request("/");
  return await made.promise;
}

const unavailable = [
  new Failure("auth", "issuer_unavailable", "No keys"),
  problem(503, "database_unavailable", "The database is unavailable"),
  new Error("connection refused"),
];
const refusals = [
  new Failure("auth", "revoked_token", "It was revoked"),
  problem(404, "not_shared", "It is not shared"),
];

for (const refusal of refusals) {
  test(`what is unavailable takes no right away, ${refusal.code} does`, async () => {
    const errors: Error[] = [...unavailable, refusal];
    using held = await standing(() => Promise.reject(errors.shift()));
    const { promise, resolve } = Promise.withResolvers<void>();
    held.signal.addEventListener("abort", () => resolve());
    await promise;
    expect(errors).toEqual([]);
  });
}

test("an answer that nothing checks again cannot be streamed", async () => {
  const app = new Hono<HttpEnv>().get("/", (c) => {
    standingOf(c);
    return c.text("");
  });
  app.onError((error) => new Response(error.message));
  expect(await (await app.request("/")).text()).toContain("nothing checks again");
});
