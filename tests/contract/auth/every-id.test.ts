/**
 * Every place of a request where an id can stand, as the OpenAPI document of the probing gateway names them: a token
 * that is narrowed to one object opens no other, whichever place names it, whatever the others hold.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ObjectKind } from "../../../lib/base/api/scopes.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { endAll, made as madeCampaign } from "../probing-gateway/campaign-time.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

const methods = ["get", "put", "post", "delete", "patch"] as const;
const kinds = ["measurement", "campaign"] as const;
/** A position in a list does not name an object: the list is of the caller's own. */
const placesInLists = new Set(["after", "cursor"]);

interface Schema {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}
type Paths = Readonly<Record<string, Readonly<Partial<Record<(typeof methods)[number], Operation>>>>>;

interface Place {
  readonly method: string;
  readonly path: string;
  readonly where: "path" | "query" | "body";
  readonly member: string;
}

let database: EngineHome;
let home: ResultsHome;
let places: readonly Place[] = [];
const own = { measurement: "", campaign: "" };
const other = { measurement: "", campaign: "" };

beforeAll(async () => {
  database = await startEngine();
  home = await ResultsHome.start(database);
  own.measurement = await home.submit("ann", 1);
  other.measurement = await home.submit("ann", 1);
  own.campaign = await madeCampaign(home.gateway, "ann", { name: "own" });
  other.campaign = await madeCampaign(home.gateway, "ann", { name: "other" });
  const document = (await (await home.gateway.ask(null, "/openapi.json")).json()) as { paths: Paths };
  places = placesOf(document.paths);
});
afterAll(async () => {
  await endAll(home.gateway);
  await home[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function placesOf(paths: Paths): Place[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      const isUsers = operation?.security?.some((one) => "user" in one) === true;
      const here = { method: method.toUpperCase(), path };
      return operation === undefined || !isUsers
        ? []
        : membersOf(path, operation).map((member) => ({ ...here, ...member }));
    }),
  );
}

function membersOf(
  path: string,
  { parameters = [], requestBody }: Operation,
): Omit<Place, "method" | "path">[] {
  const inPath = path.includes("{id}") ? [{ where: "path" as const, member: "id" }] : [];
  const inQuery = parameters
    .filter(({ in: where, name, schema }) => where === "query" && isId(schema) && !placesInLists.has(name))
    .map(({ name }) => ({ where: "query" as const, member: name }));
  const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => idsIn(schema));
  return [...inPath, ...inQuery, ...bodies.map((member) => ({ where: "body" as const, member }))];
}

function isId(schema: Schema | undefined): boolean {
  return schema?.format === "uuid" || [...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])].some(isId);
}

function idsIn(schema: Schema | undefined): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, one]) => (isId(one) ? [name] : idsIn(one)));
}

async function narrowed(kind: ObjectKind): Promise<string> {
  const scopes = [
    "measurements:read",
    "measurements:create",
    "campaigns:read",
    "campaigns:write",
    "results:public",
  ];
  const body = JSON.stringify({ name: "narrow", scopes, [`${kind}_id`]: own[kind] });
  const headers = { "content-type": "application/json" };
  const { token } = await home.gateway.json("ann", "/api/tokens", { method: "POST", headers, body });
  return String(token);
}

/** The other ids of the request are the token's own, so that the one is all that is wrong. */
async function codeOf(token: string, { method, path, where, member }: Place, id: string, ownId: string) {
  const url = new URL(
    path.replaceAll("{id}", where === "path" ? id : ownId).replaceAll(/\{[^}]*\}/g, "x"),
    "http://g",
  );
  if (where === "query") {
    url.searchParams.set(member, id);
  }
  const body = where === "body" ? { body: JSON.stringify({ [member]: id }) } : {};
  const init = { method, headers: { "content-type": "application/json" }, ...body };
  const response = await home.gateway.ask(token, `${url.pathname}${url.search}`, init);
  const isProblem = response.headers.get("content-type")?.includes("problem") === true;
  const code = isProblem ? ((await response.json()) as { code: string }).code : "";
  await response.body?.cancel().catch(() => {});
  return `${response.status} ${code}`;
}

/** Nothing can be compared with a campaign's links. */
const refusals = ["403 other_object", "403 missing_scope", "403 no_api_token", "400 not_comparable"];

test("the document has ids in paths, queries and bodies", () => {
  expect(new Set(places.map(({ where }) => where))).toEqual(new Set(["path", "query", "body"]));
  expect(places.length).toBeGreaterThan(30);
});

test("whichever place names another object, a narrowed token is refused", async () => {
  for (const kind of kinds) {
    const token = await narrowed(kind);
    for (const place of places) {
      const ids = [other[kind], other[kind].toUpperCase(), crypto.randomUUID()];
      for (const id of ids) {
        const code = await codeOf(token, place, id, own[kind]);
        expect([kind, place, id, refusals.includes(code) ? "refused" : code]).toEqual([
          kind,
          place,
          id,
          "refused",
        ]);
      }
    }
  }
});

test("a key that was used for another submission is refused, and the other is not named", async () => {
  const token = await narrowed("measurement");
  const headers = { "idempotency-key": "used-before", "content-type": "text/plain" };
  const submit = (who: string, path: string, lines: string) =>
    home.gateway.ask(who, path, { method: "POST", headers, body: lines });
  const line = (port: number) => `203.0.113.9,24000,${port},7,udp\n`;
  const mine = await submit("ann", "/api/probes?agents=west", line(1));
  const { id } = (await mine.json()) as { id: string };
  const named = (await (await submit("ann", "/api/probes?agents=west", line(2))).json()) as object;
  expect(named).toMatchObject({ code: "idempotency_key_reused", id });
  const refused = await submit(token, `/api/measurements/${own.measurement}/probes`, line(3));
  const text = await refused.text();
  expect([refused.status, text.includes("idempotency_key_reused"), text.includes(id)]).toEqual([
    409,
    true,
    false,
  ]);
});

test("its own object is open to it in at least one route of each place", async () => {
  const token = await narrowed("measurement");
  const codes = await Promise.all(
    places
      .filter(({ where, method, path }) => where === "path" && method === "GET" && path.endsWith("/status"))
      .map((place) => codeOf(token, place, own.measurement, own.measurement)),
  );
  expect(new Set(codes)).toEqual(new Set(["200 "]));
});
