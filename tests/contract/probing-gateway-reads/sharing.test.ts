/** Results that users show to others: what is seen, by whom, and what never is. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { viewNames } from "../../../lib/answers/results/views.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { inTier } from "../../run/tier.ts";
import { endAll, made as madeCampaign, measured } from "../probing-gateway/campaign-time.ts";
import { ResultsHome, replyOf } from "./results-home.ts";

let database: EngineHome;
let home: ResultsHome;
/** Three probes of anna's, all answered, long over. */
let measurement: string;

beforeAll(async () => {
  database = await startEngine();
  const limits = "limits: { public_requests_per_minute: 100000, public_requests_per_minute_all: 1000000 }";
  home = await ResultsHome.start(database, limits);
  measurement = await ended(3);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

async function ended(probes: number): Promise<string> {
  const id = await home.submit("anna", probes);
  await home.ingest(id, probes, Array(probes).fill({}));
  await home.end(id, 600);
  return id;
}

type Body = Record<string, unknown>;

const json = (who: string | null, method: string, path: string, body?: object) =>
  home.gateway.json(who, path, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const sharing = (method: string, body?: object, id = measurement, who = "anna") =>
  json(who, method, `/api/measurements/${id}/sharing`, body);
const ask = (path: string, headers: Record<string, string> = {}) => home.gateway.ask(null, path, { headers });
const statusOf = async (path: string) => (await ask(path)).status;
const linkOf = ({ link }: Body) => String(link);
const open = { visibility: "public", licence: "CC-BY-4.0" };

test("a measurement is its user's alone until it is shared, and only by its user", async () => {
  expect(await sharing("GET")).toMatchObject({ visibility: "private", has_link: false });
  expect(await statusOf(`/api/public/measurements/${measurement}`)).toBe(404);
  expect(await sharing("POST", { visibility: "link" }, measurement, "bob")).toMatchObject({
    status_code: 404,
  });
  expect(await sharing("POST", { visibility: "public" })).toMatchObject({ status_code: 422 });
});

test("a link shows every view in every format as its user has it, until it is revoked", async () => {
  const link = linkOf(await sharing("POST", { visibility: "link" }));
  expect(link).toMatch(/^\/api\/shared\/[\w-]{43}$/);
  const base = `${link}/measurements/${measurement}`;
  const queries = ["", "?format=csv", "?format=ndjson&limit=2"];
  for (const [i, view] of inTier({ usual: viewNames.slice(0, 4), long: viewNames }).entries()) {
    // Each view in one of the formats: the answer is made by the same code as its user's.
    const query = queries[i % queries.length] ?? "";
    const shown = await ask(`${base}/${view}${query}`);
    const own = await home.get("anna", `/api/measurements/${measurement}/${view}${query}`);
    expect([view, query, shown.status]).toEqual([view, query, 200]);
    expect(shown.headers.get("content-type")).toBe(own.headers.get("content-type"));
    expect(await shown.text()).toBe(await own.text());
  }
  expect(await json(null, "GET", link)).toMatchObject({
    kind: "measurement",
    id: measurement,
    public_at: null,
  });
  expect(await json(null, "GET", base)).toMatchObject({ status_code: 200, measurement_complete: true });
  expect(await statusOf(`/api/public/measurements/${measurement}`)).toBe(404);
  expect(await statusOf(`${base}/nothing`)).toBe(400);
  expect(await statusOf(`${base}/replies?with=name`)).toBe(400);

  const { headers } = await ask(`${base}/replies`);
  const tag = headers.get("etag") ?? "";
  expect([headers.get("cache-control"), headers.get("referrer-policy")]).toEqual([
    "private, no-cache",
    "no-referrer",
  ]);
  expect((await ask(`${base}/replies`, { "if-none-match": tag })).status).toBe(304);
  expect(await sharing("DELETE")).toMatchObject({ visibility: "private", has_link: false });
  for (const path of [link, base, `${base}/replies`]) {
    expect([path, (await ask(path, { "if-none-match": tag })).status]).toEqual([path, 404]);
  }
});

test("a new link takes the place of the old one; it opens its own measurement alone", async () => {
  const other = await ended(1);
  const first = linkOf(await sharing("POST", { visibility: "link" }));
  const second = linkOf(await sharing("POST", { visibility: "link" }));
  expect(await statusOf(`${first}/measurements/${measurement}/replies`)).toBe(404);
  expect(await statusOf(`${second}/measurements/${measurement}/replies`)).toBe(200);
  expect(await statusOf(`${second}/measurements/${other}/replies`)).toBe(404);
  expect(await statusOf(`${second}/measurements/${other}`)).toBe(404);
  for (const guess of ["x", "A".repeat(43), measurement, "%27%20OR%201=1", second.slice(12, -1)]) {
    expect([guess, await statusOf(`/api/shared/${guess}/measurements/${measurement}`)]).toEqual([guess, 404]);
  }
  const { sql } = home.gateway.services.database;
  const [row] =
    await sql`SELECT to_jsonb(shares)::text AS row FROM shares WHERE measurement_id = ${measurement}`;
  expect(String(row?.row)).not.toContain(second.slice(12));
  await sharing("DELETE");
});

test("what is public is seen by all from its day on, for good; nothing of its user", async () => {
  const id = await ended(2);
  const base = `/api/public/measurements/${id}`;
  const public_at = new Date(Date.now() + 86_400_000).toISOString();
  const terms = { ...open, contact: "noc@example.net", citation: "Doe 2026" };
  expect(await sharing("POST", { ...terms, public_at }, id)).toMatchObject({
    visibility: "embargoed",
    public_at,
  });
  const publicIds = async () =>
    ((await (await ask("/api/public?limit=100")).json()) as { id: string }[]).map((one) => one.id);
  expect([await statusOf(base), await statusOf(`${base}/replies`)]).toEqual([404, 404]);
  expect(await publicIds()).not.toContain(id);
  const link = linkOf(await sharing("POST", { visibility: "link" }, id));
  // A link before the day does not tell the day.
  expect(await json(null, "GET", link)).toMatchObject({ id, public_at: null });
  expect(await sharing("POST", terms, id)).toMatchObject({ visibility: "public" });
  expect(await publicIds()).toContain(id);
  const shown = await (await ask(base)).text();
  expect(JSON.parse(shown)).toMatchObject({ measurement_id: id, licence: "CC-BY-4.0", citation: "Doe 2026" });
  const texts = [
    shown,
    await (await ask("/api/public?limit=100")).text(),
    await (await ask(`${base}/replies`)).text(),
  ];
  for (const text of texts) {
    expect(text).not.toContain("anna");
    expect(text).not.toContain(identityOf("anna").userHash);
  }
  expect(await sharing("DELETE", undefined, id)).toMatchObject({ visibility: "public", has_link: false });
  expect(await sharing("DELETE", undefined, id)).toMatchObject({ status_code: 409, code: "already_public" });
  expect(await sharing("POST", { ...terms, public_at }, id)).toMatchObject({ status_code: 409 });
  expect(await statusOf(`${base}/replies`)).toBe(200);
  // Packets, events and changes are not shown.
  for (const path of ["packets", "events", "sharing", "status"]) {
    expect([path, await statusOf(`${base}/${path}`)]).toEqual([path, 400]);
  }
});

test("caches keep what has ended until replies come after all; what goes on is not kept", async () => {
  const id = await ended(2);
  await sharing("POST", open, id);
  const path = `/api/public/measurements/${id}/replies`;
  const first = await ask(path);
  expect(first.headers.get("cache-control")).toBe("public, max-age=60");
  const tag = first.headers.get("etag") ?? "";
  const held = await ask(path, { "if-none-match": `"x", ${tag}` });
  expect([held.status, await held.text(), held.headers.get("etag")]).toEqual([304, "", tag]);
  expect((await ask(`${path}?format=csv`, { "if-none-match": tag })).status).toBe(200);
  await home.store.insertReplies([replyOf(id, 7)]);
  const later = await ask(path, { "if-none-match": tag });
  expect([later.status, ((await later.json()) as object[]).length]).toEqual([200, 3]);
  const running = await home.submit("anna", 1);
  await sharing("POST", open, running);
  const { headers } = await ask(`/api/public/measurements/${running}/replies`);
  expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["no-store", null]);
});

test("an operator hides it from all but its user, and the audit has it", async () => {
  const id = await ended(1);
  await sharing("POST", open, id);
  const link = linkOf(await sharing("POST", { visibility: "link" }, id));
  const { adminKey } = home.gateway.services;
  const path = `/admin/measurements/${id}/hidden`;
  const hidden = { hidden_because: "It names people" };
  expect(await json(adminKey, "PUT", path, { reason: "It names people" })).toMatchObject(hidden);
  expect(await statusOf(`/api/public/measurements/${id}/replies`)).toBe(404);
  expect(await statusOf(`${link}/measurements/${id}/replies`)).toBe(404);
  expect(await (await ask("/api/public?limit=100")).text()).not.toContain(id);
  expect(await sharing("GET", undefined, id)).toMatchObject(hidden);
  expect((await home.get("anna", `/api/measurements/${id}/replies`)).status).toBe(200);
  await json(adminKey, "DELETE", path);
  expect(await statusOf(`/api/public/measurements/${id}/replies`)).toBe(200);
  const audit = await (await home.get(adminKey, `/admin/audit?subject=measurement:${id}`)).text();
  expect(audit).toContain("share.hide");
});

test("a campaign shows what it measures, but its definition, and a measurement of it can be hidden", async () => {
  const id = await madeCampaign(home.gateway, "carl", { name: "open watch" });
  const run = await measured(home.gateway, "carl", id, 0);
  await endAll(home.gateway);
  await json("carl", "POST", `/api/campaigns/${id}/sharing`, open);
  const base = "/api/public";
  const shown = await json(null, "GET", `${base}/campaigns/${id}`);
  expect(shown).toMatchObject({ name: "open watch", licence: "CC-BY-4.0" });
  expect(Object.keys(shown)).not.toContain("definition");
  const runs = (await (await ask(`${base}/campaigns/${id}/runs`)).json()) as object[];
  expect(runs).toContainEqual(expect.objectContaining({ run: 0, measurements: [run] }));
  expect(await statusOf(`${base}/measurements/${run}/probes`)).toBe(200);
  await json(home.gateway.services.adminKey, "PUT", `/admin/measurements/${run}/hidden`, { reason: "x" });
  expect(await statusOf(`${base}/measurements/${run}/probes`)).toBe(404);
  expect(await statusOf(`${base}/campaigns/${id}`)).toBe(200);
  await json("carl", "POST", `/api/campaigns/${id}/stop`);
});

test("an API token shares with the scope, and only the object that it is for", async () => {
  const id = await ended(1);
  const make = async (scopes: readonly string[], more: object = {}) =>
    String((await json("anna", "POST", "/api/tokens", { name: "x", scopes, ...more })).token);
  const reader = await make(["measurements:read"]);
  expect(await sharing("POST", open, id, reader)).toMatchObject({ status_code: 403, code: "missing_scope" });
  const sharer = await make(["results:public"], { measurement_id: id });
  expect(await sharing("POST", open, measurement, sharer)).toMatchObject({
    status_code: 403,
    code: "other_object",
  });
  expect(await sharing("POST", { visibility: "link" }, id, sharer)).toMatchObject({ status_code: 200 });
});
