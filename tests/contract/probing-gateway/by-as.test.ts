/** Measurements and public results found by the AS of their targets, at a gateway with sets of context. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SampleSets } from "../../enrich/sample-sets.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { addAgent, GatewayHome } from "./gateway-home.ts";

/** 198.51.100.0/24 is of AS 64500, but one address of it is AS 64501's at an exchange. */
const targets: Readonly<Record<string, readonly string[]>> = {
  plain: ["198.51.100.9"],
  member: ["198.51.100.6"],
  both: ["198.51.100.77", "203.0.113.1"],
  v6: ["2001:db8:5::1"],
  unknown: ["192.0.2.1"],
};
const published = { visibility: "public", licence: "CC-BY-4.0" };

let sets: SampleSets;
let database: EngineHome;
let gateway: GatewayHome;
const ids = new Map<string, string>();

beforeAll(async () => {
  sets = new SampleSets();
  await sets.put("2026-01-05", 64500);
  database = await startEngine();
  const yaml = `context: { dir: "${sets.path}" }`;
  gateway = await GatewayHome.start({
    databaseAddress: await database.freshDatabase(),
    isLongUp: true,
    yaml,
  });
  await addAgent(gateway, "west");
  for (const [name, own] of Object.entries(targets)) {
    await submit("finder", name, own);
  }
  // More than are kept one by one, so their networks are.
  const nets = ["192.0.2", "203.0.113", "198.18.0", "198.18.1", "198.18.2"];
  await submit("finder", "many", nets.flatMap(addressesOf));
  await submit("another", "others", ["198.51.100.9"]);
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
  sets?.[Symbol.dispose]();
});

function addressesOf(net: string): string[] {
  return Array.from({ length: 256 }, (_, i) => `${net}.${i}`);
}

async function submit(user: string, name: string, destinations: readonly string[]): Promise<void> {
  const body = destinations.map((dst) => `${dst},24000,33434,1,udp\n`).join("");
  const response = await gateway.submit(user, body, { type: "text/csv", query: "?agents=west" });
  expect(response.status).toBe(200);
  ids.set(name, ((await response.json()) as { id: string }).id);
}

async function found(path: string, user: string | null = "finder"): Promise<string[]> {
  const response = await gateway.ask(user, path);
  const rows = (await response.json()) as { id?: string; measurement_id?: string }[];
  expect([path, response.status]).toEqual([path, 200]);
  return rows
    .map((row) => [...ids].find(([, id]) => id === (row.measurement_id ?? row.id))?.[0] ?? "?")
    .sort();
}

test.each<[string, string[]]>([
  ["asn=64500", ["both", "plain"]],
  ["asn=AS64501", ["member"]],
  ["asn=as64510", ["both", "many"]],
  ["asn=64511", ["v6"]],
  ["asn=64500&target=203.0.113.1", ["both"]],
  ["asn=64512", []],
  ["asn=64510&since=2030-01-01", []],
  ["asn=", ["both", "many", "member", "plain", "unknown", "v6"]],
])("%s", async (query, expected) => {
  expect(await found(`/api/measurements?${query}`)).toEqual(expected);
});

test("of more than 1,024 targets the networks are looked through", async () => {
  const { sql } = gateway.services.database;
  const [row] = await sql`
    SELECT array_length(targets, 1) AS count FROM target_sets JOIN measurements USING (user_hash, target_set)
    WHERE measurement_id = ${ids.get("many") ?? ""}`;
  expect(Number(row?.count)).toBeLessThan(1024);
});

test("page by page, each once", async () => {
  const seen: string[] = [];
  let path = "/api/measurements?asn=64500&limit=1";
  for (;;) {
    seen.push(...(await found(path)));
    const next = /<([^>]+)>; rel="?next/.exec(
      (await gateway.ask("finder", path)).headers.get("link") ?? "",
    )?.[1];
    if (next === undefined) {
      break;
    }
    const { pathname, search } = new URL(next, "http://gateway.test");
    path = pathname + search;
  }
  expect(seen.sort()).toEqual(["both", "plain"]);
});

test("public results are found so without a login, and no others", async () => {
  for (const name of ["plain", "v6"]) {
    const response = await gateway.ask("finder", `/api/measurements/${ids.get(name)}/sharing`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(published),
    });
    expect([name, response.status, await response.text()]).toMatchObject([name, 200, expect.anything()]);
  }
  expect(await found("/api/public?asn=64500", null)).toEqual(["plain"]);
  expect(await found("/api/public?asn=64511", null)).toEqual(["v6"]);
  expect(await found("/api/public?asn=64510", null)).toEqual([]);
});

test("a newer set counts from the next search on", async () => {
  await sets.put("2026-01-06", 64502);
  expect(await found("/api/measurements?asn=64502")).toEqual(["both", "plain"]);
  expect(await found("/api/measurements?asn=64500")).toEqual([]);
});

test.each(["asn=x", "asn=AS", "asn=4294967296", "asn=-1"])("%s is refused by name", async (query) => {
  for (const path of ["/api/measurements", "/api/public"]) {
    expect(await gateway.json("finder", `${path}?${query}`)).toMatchObject({
      status_code: 400,
      message: expect.stringContaining("asn must be an AS number, as 64500 or AS64500"),
    });
  }
});

test("without a set of context a search by AS is refused, and other searches are not", async () => {
  const databaseAddress = await database.freshDatabase();
  await using without = await GatewayHome.start({ databaseAddress, isLongUp: true });
  for (const path of ["/api/measurements", "/api/public"]) {
    expect(await without.json("finder", `${path}?asn=64500`)).toMatchObject({
      ...{ status_code: 400, code: "no_context" },
      message: expect.stringContaining("Cannot search by AS: this gateway has no set of context"),
    });
    expect((await without.ask("finder", `${path}?target=192.0.2.1`)).status).toBe(200);
  }
});
