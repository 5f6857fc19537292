/** What a page of the console is being sent ends with its session. */
import { expect, test } from "bun:test";
import { Browser } from "../../issuer/browser.ts";
import { StoreProcess } from "../client/store-with-paths.ts";
import { addAgent } from "../probing-gateway/gateway-home.ts";
import { ConsoleHome, logIn } from "./console-home.ts";

test("an open stream of events ends when its person logs out", async () => {
  await using store = await StoreProcess.start();
  await using home = await ConsoleHome.start(`store: { address: "${store.address}" }`);
  await addAgent(home.gateway, "west");
  const server = home.serve();
  const browser = new Browser();
  await logIn(browser, server.url, "ada");
  const cookie = `vantage-session=${browser.cookie("vantage-session")}`;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, server.url), { ...init, headers: { cookie, ...init.headers } });
  const page = await (await ask("/console")).text();
  const csrf = /<meta name="csrf" content="([^"]+)"/.exec(page)?.[1] ?? "";
  const probes = await ask("/console/call/api/probes?agents=west", {
    method: "POST",
    headers: { "x-csrf": csrf, "content-type": "text/csv" },
    body: "203.0.113.9,24000,33434,1,udp\n",
  });
  const { id } = (await probes.json()) as { id: string };

  const events = await ask(`/console/call/api/measurements/${id}/events`);
  expect(events.status).toBe(200);
  const reader = (events.body as NonNullable<Response["body"]>).getReader();
  expect((await reader.read()).done).toBe(false);
  expect((await ask("/console/logout", { method: "POST", headers: { "x-csrf": csrf } })).status).toBe(200);
  const end = async () => {
    while (!(await reader.read()).done) {}
  };
  // Cut off or closed: either way nothing comes any more.
  await end().catch(() => undefined);
});
