/** Exit codes of `vantage health`, against a real server. */
import { afterAll, expect, spyOn, test } from "bun:test";
import { run } from "./main.ts";

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) => new Response(url, { status: url.endsWith("/well") ? 200 : 503 }),
});
const said = spyOn(console, "log").mockImplementation(() => undefined);
const complained = spyOn(console, "error").mockImplementation(() => undefined);
afterAll(async () => {
  said.mockRestore();
  complained.mockRestore();
  await server.stop(true);
});

test("it prints the answer, and ends with 0 on a good one, else with 1", async () => {
  expect(await run([`${server.url}well`])).toBe(0);
  expect(said).toHaveBeenLastCalledWith(`${server.url}well`);
  expect(await run([`${server.url}ill`])).toBe(1);
});

test("where nothing listens it says so", async () => {
  expect(await run(["http://127.0.0.1:1/health"])).toBe(1);
  expect(complained).toHaveBeenLastCalledWith(
    expect.stringContaining("Cannot ask http://127.0.0.1:1/health"),
  );
});

test.each([[[]], [["ftp://a"]], [["http://a", "http://b"]]])("%p is wrong usage", async (args) => {
  expect(await run(args)).toBe(2);
});
