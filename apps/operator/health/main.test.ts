/** Exit codes of `vantage health`, in its own process, against a real server. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { runToEnd } from "../../../tests/run/said.ts";

const vantage = join(import.meta.dirname, "../../vantage.ts");
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) =>
    url.endsWith("/page")
      ? new Response("<!doctype html>", { headers: { "content-type": "text/html; charset=utf-8" } })
      : new Response(url, { status: /\/(well|health)$/.test(url) ? 200 : 503 }),
});
afterAll(() => server.stop(true));

const health = (...args: string[]) => runToEnd([process.execPath, vantage, "health", ...args]);

test("it prints the answer, and ends with 0 on a good one, else with 1", async () => {
  const well = `${server.url}well`;
  expect(await health(well)).toEqual({ exitCode: 0, stdout: `${well}\n`, stderr: "" });
  expect((await health(`${server.url}ill`)).exitCode).toBe(1);
});

test("a service's address alone stands for its health", async () => {
  const { exitCode, stdout } = await health(server.url.origin);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${server.url}health\n` });
});

test("a page for browsers is a failure, whatever its status", async () => {
  const { exitCode, stdout, stderr } = await health(`${server.url}page`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain(
    `page for browsers (status 200), not a service's health: give the service's health, as`,
  );
});

test("an address without a listener is reported", async () => {
  const { exitCode, stderr } = await health("http://127.0.0.1:1/health");
  expect(exitCode).toBe(1);
  expect(stderr).toStartWith("vantage health: Cannot reach http://127.0.0.1:1/health");
});

test("with --wait it prints what it waits for, until the answer is good", async () => {
  let asked = 0;
  const slow = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("now", { status: ++asked < 3 ? 503 : 200 }),
  });
  const { exitCode, stdout, stderr } = await health("--wait", "60", slow.url.origin);
  await slow.stop(true);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "now\n" });
  expect(stderr).toBe(`vantage health: Waiting: ${slow.url}health answers with status 503\n`);
  const { exitCode: late, stderr: why } = await health("--wait", "1", slow.url.origin);
  expect(late).toBe(1);
  expect(why).toContain("it has been waited for 1 s");
});

test.each([[[]], [["ftp://a"]], [["http://a", "http://b"]]])("%p is wrong usage", async (args) => {
  expect((await health(...args)).exitCode).toBe(2);
});
