/** Pages of results, shared ones too, have what they leave out; their progress does not contradict their results. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import { bypassVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
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
