/** Pages of what users share, for people without a session: by a link, by what is public, and by neither. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

let engine: EngineHome;
let home: ResultsHome;
let app: ReturnType<typeof gatewayApp>;
/** Anna's: one that is shared, and one that is not. */
let [shared, private_] = ["", ""];

beforeAll(async () => {
  engine = await startEngine();
  home = await ResultsHome.start(engine, "limits: { public_requests_per_minute: 60 }");
  app = gatewayApp(home.gateway.services);
  [shared, private_] = [await measured(3), await measured(2)];
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

async function measured(probes: number): Promise<string> {
  const id = await home.submit("anna", probes);
  await home.ingest(id, probes, Array(probes).fill({}));
  await home.end(id, 600);
  return id;
}

const share = (method: string, body?: object) =>
  home.gateway.json("anna", `/api/measurements/${shared}/sharing`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** From an address each, so that the limit of one is not in the way of the others. */
async function page(path: string, from = "192.0.2.7") {
  const response = await app.request(path, {}, { remoteAddress: from });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

test("a link's page shows all views of its measurement without a session, until it is taken back", async () => {
  const { page: path } = await share("POST", { visibility: "link" });
  expect(path).toMatch(/^\/console\/shared\/[\w-]{43}$/);
  for (const view of ["paths", "loss", "heatmap", "catchment", "replies"]) {
    const { status, text, headers } = await page(`${path}?view=${view}`);
    expect([view, status]).toEqual([view, 200]);
    expect(text).toContain("Shared by link: anyone who has the link can see it.");
    // Its exports are those of the link; nothing leads to what only its user may do.
    expect(text).toContain(
      `/console/call${String(path).replace("/console", "/api")}/measurements/${shared}/`,
    );
    expect(text).not.toMatch(/id="share"|\/api\/measurements\/|VANTAGE_TOKEN|anna/);
    expect([headers.get("referrer-policy"), headers.get("cache-control")]).toEqual([
      "no-referrer",
      "no-store",
    ]);
    expect(view === "replies" || text.includes('<svg class="picture"')).toBe(true);
  }
  const file = `/console/call${String(path).replace("/console", "/api")}/measurements/${shared}/paths?format=svg`;
  expect((await page(file)).text).toStartWith("<svg xmlns=");
  expect((await page(`${path}/measurements/${private_}`, "192.0.2.8")).status).toBe(404);
  await share("DELETE");
  const gone = await page(`${path}`, "192.0.2.8");
  expect([gone.status, gone.text]).toEqual([404, expect.stringContaining("the link was revoked")]);
});

test("what no link opens is as unknown as what never was", async () => {
  for (const path of [
    `/console/shared/${"A".repeat(43)}`,
    "/console/shared/x",
    "/console/shared/..%2F..%2Fmeasurements",
    `/console/shared/${"A".repeat(43)}/measurements/${shared}`,
    `/console/public/measurements/${private_}`,
    `/console/public/campaigns/${private_}`,
  ]) {
    const { status, text } = await page(path, "192.0.2.9");
    expect([path, status, text]).toEqual([path, 404, expect.stringContaining("not_shared")]);
  }
  expect((await page(`/console/measurements/${shared}`, "192.0.2.9")).status).toBe(401);
});

test("who asks too often waits, by the address of the browser, and others do not", async () => {
  let last = await page("/console/public", "192.0.2.10");
  while (last.status === 200) {
    last = await page("/console/public", "192.0.2.10");
  }
  expect([last.status, last.text]).toEqual([
    429,
    expect.stringContaining("Too many requests without a login"),
  ]);
  expect((await page("/console/public", "192.0.2.11")).status).toBe(200);
});

test("a search by AS where there is no context: the page names what is missing", async () => {
  const { status, text } = await page("/console/public?asn=AS64500", "192.0.2.13");
  expect([status, text]).toEqual([400, expect.stringContaining("this gateway has no set of context")]);
  expect((await page("/console/public?asn=&target=192.0.2.1", "192.0.2.13")).text).toContain('name="asn"');
});

test("what is public is listed with its terms, and has a page for good", async () => {
  const before = await page("/console/public", "192.0.2.12");
  expect(before.text).toContain("Nothing is public yet.");
  await share("POST", { visibility: "public", licence: "CC-BY-4.0", citation: "<b>Doe</b> 2026" });
  const { text } = await page("/console/public", "192.0.2.12");
  expect(text).toContain(`href="/console/public/measurements/${shared}"`);
  expect(text).toContain("Licence: CC-BY-4.0; to cite: &lt;b&gt;Doe&lt;/b&gt; 2026");
  const shown = await page(`/console/public/measurements/${shared}`, "192.0.2.12");
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining("Published by its user")]);
});
