/** What people see who open an address of the API in a browser. */
import { expect, test } from "bun:test";
import { ConsoleHome } from "./console-home.ts";

test("an address of the API, opened in a browser without a login, leads to where people log in", async () => {
  await using home = await ConsoleHome.start();
  const gateway = home.serve();
  const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const opened = async (url: URL | string) => {
    const page = await fetch(url, { headers: { accept } });
    return [page.status, await page.text()] as const;
  };
  const [status, text] = await opened(new URL("/api/user/me", gateway.url));
  expect(status).toBe(401);
  expect(text).toContain("<h1>You are not logged in.</h1>");
  expect(text).toContain('log in at <a href="/console">the console</a>');
  expect(text).toContain("<code>missing_authorization</code>");
  const { peeringGateway } = home.gateway.services.config;
  const [, peering] = await opened(`${peeringGateway}api/user/info`);
  expect(peering).toContain("use this platform's console, at its probing gateway");
  expect(peering).not.toContain('href="/console"');
  const forPrograms = await fetch(new URL("/api/user/me", gateway.url));
  expect(await forPrograms.json()).toMatchObject({ message: "Authorization header is missing" });
});
