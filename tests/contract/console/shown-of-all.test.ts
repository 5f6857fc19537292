/** Pages of results, shared ones too, have what they leave out; their progress does not contradict their results. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import { bypassVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { made } from "../probing-gateway/campaign-time.ts";
import { probeOf, ResultsHome, replyOf } from "../probing-gateway-reads/results-home.ts";

const user = "test-user-id";
let engine: EngineHome;
let home: ResultsHome;
let app: ReturnType<typeof gatewayApp>;

beforeAll(async () => {
  engine = await startEngine();
  home = await ResultsHome.start(engine);
  app = gatewayApp({ ...home.gateway.services, tokens: bypassVerifier() });
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

async function page(path: string): Promise<string> {
  const response = await app.request(path, {}, { remoteAddress: "192.0.2.7" });
  expect(response.status).toBe(200);
  return await response.text();
}

/** One probe and one reply for each destination; the agents have not reported anything. */
async function measured(destinations: number): Promise<string> {
  const id = await home.submit(user, destinations);
  const addressOf = (i: number) => `203.0.${113 + (i >> 8)}.${i & 255}`;
  const each = Array.from({ length: destinations }, (_, i) => i);
  await home.store.insertProbes(each.map((i) => ({ ...probeOf(id, i), ttl: 1, destination: addressOf(i) })));
  await home.store.insertReplies(each.map((i) => ({ ...replyOf(id, 1), destination: addressOf(i) })));
  return id;
}

test("of 250 destinations the first 200 paths are shown, and the page, shared too, has both numbers", async () => {
  const id = await measured(250);
  await home.end(id, 600);
  const first = "Only the first 200 paths are shown, to 200 of 250 destinations.";
  expect(await page(`/console/measurements/${id}`)).toContain(first);
  const shared = await home.gateway.json(user, `/api/measurements/${id}/sharing`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ visibility: "link" }),
  });
  expect(await page(String(shared.page))).toContain(first);
  expect(await page(`/console/measurements/${id}?destination=203.0.113.0/26`)).not.toContain(
    "Only the first",
  );
  const few = await measured(3);
  await home.end(few, 600);
  expect(await page(`/console/measurements/${few}`)).not.toContain("Only the first");
});

test("results that arrive before the agents' reports are announced as such", async () => {
  const id = await measured(3);
  const ahead = "Results have arrived before the agents' reports";
  const text = (await page(`/console/measurements/${id}`)).replaceAll("&#39;", "'");
  expect([text.includes("0 of 3"), text.includes(ahead)]).toEqual([true, true]);
  await home.end(id, 600);
  expect((await page(`/console/measurements/${id}`)).replaceAll("&#39;", "'")).not.toContain(ahead);
});

/** Lists of this gateway; the test fills some of them. */
const lists = [
  ...["/api/measurements", "/api/measurements?fold=true", "/api/measurements?status=complete"],
  ...["/api/campaigns", "/api/discoveries", "/api/experiments", "/api/alerts", "/api/tokens", "/api/public"],
  ...["/admin/users", "/admin/agents", "/admin/campaigns", "/admin/audit", "/admin/enrolment-keys"],
  "/admin/blocklist",
];

test("each list counts all of its rows for who asks, on every page, and its page has the number", async () => {
  const { gateway } = home;
  const key = gateway.services.adminKey;
  const post = (who: string, path: string, body: object) =>
    gateway.json(who, path, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { "content-type": "application/json" },
    });
  await made(gateway, user, { name: "one" });
  await made(gateway, user, { name: "two" });
  for (const name of ["one", "two", "three"]) {
    await post(user, "/api/tokens", { name, scopes: ["measurements:read"] });
    await post(key, "/admin/enrolment-keys", { label: name });
  }
  await post(key, "/admin/blocklist", { prefix: "198.51.100.0/24", reason: "test" });
  for (let i = 0; i < 22; i++) {
    await home.submit(user, 1);
  }
  const filled: string[] = [];
  for (const path of lists) {
    const ask = (query: string) =>
      gateway.ask(path.startsWith("/admin") ? key : user, `${path}${path.includes("?") ? "&" : "?"}${query}`);
    const rows = (await (await ask("limit=100")).json()) as unknown[];
    const first = await ask("limit=1&count=true");
    expect([path, first.headers.get("x-total-count")]).toEqual([path, String(rows.length)]);
    expect((await ask("limit=1")).headers.get("x-total-count")).toBeNull();
    const [, next] = /<([^>]+)>/.exec(first.headers.get("link") ?? "") ?? [];
    if (next !== undefined) {
      filled.push(path);
      const second = await gateway.ask(path.startsWith("/admin") ? key : user, next);
      expect([path, second.headers.get("x-total-count")]).toEqual([path, String(rows.length)]);
    }
  }
  expect(filled.length).toBeGreaterThanOrEqual(9);
  const all = ((await (await gateway.ask(user, "/api/measurements?limit=100")).json()) as unknown[]).length;
  const text = await page("/console/measurements");
  expect(text).toContain(`>20 of ${all}<`);
  const [, after] = /href="([^"]+)" rel="next"/.exec(text) ?? [];
  expect(await page(String(after).replaceAll("&amp;", "&"))).toContain(`>21 to ${all} of ${all}<`);
  // Rows that are all known are paged, too.
  const few = await measured(250);
  await home.end(few, 600);
  const loss = await page(`/console/measurements/${few}?view=loss`);
  expect(loss).toContain(">200 of 250<");
  expect(loss).toContain("view=loss&amp;row=201");
  expect(await page(`/console/measurements/${few}?view=loss&row=201`)).toContain(">201 to 250 of 250<");
});
