/** The OpenAPI documents of all services, taken from the services themselves, which are not started for it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import { readBootstrapConfig } from "../../apps/peering/bootstrap/config.ts";
import { makeService as makeBootstrap } from "../../apps/peering/bootstrap/service.ts";
import { readGeneratorConfig } from "../../apps/peering/generator/config.ts";
import { makeService as makeGenerator } from "../../apps/peering/generator/service.ts";
import type { HttpEnv } from "../../lib/engines/http/app.ts";
import type { OpenApiDocument } from "../../lib/engines/http/openapi-document.ts";
import { jsonLog } from "../../lib/engines/observe/log.ts";
import { openDatabase } from "../../lib/engines/store/postgres/open.ts";
import { PeeringHome } from "../contract/peering-gateway/peering-home.ts";
import { GatewayHome } from "../contract/probing-gateway/gateway-home.ts";
import { type Engine, startEngine } from "../postgres/engines.ts";

export const serviceNames = ["probing-gateway", "peering-gateway", "policy-generator", "bootstrap"] as const;
export type ServiceName = (typeof serviceNames)[number];

interface Api {
  readonly document: OpenApiDocument;
  /** `GET /agents/{id}`: all that the service answers, documented or not. */
  readonly routes: readonly string[];
}

/** Without PostgreSQL where the engine is `pglite`. */
export async function apiDocuments(engine?: Engine): Promise<Record<ServiceName, OpenApiDocument>> {
  const all = await apis(engine);
  checkScopes(all["probing-gateway"].document);
  const entries = Object.entries(all).map(([name, { document }]) => [name, document]);
  return Object.fromEntries(entries);
}

/** Throws an Error for a route of users that asks no scope of an API token, and so takes none. */
function checkScopes({ paths }: OpenApiDocument): void {
  const closed = Object.entries(paths).flatMap(([path, item]) =>
    (["get", "put", "post", "delete", "patch"] as const).flatMap((method) => {
      const [first = {}] = item[method]?.security ?? [];
      const isOpen = ["user", "admin"].every((scheme) => first[scheme]?.length !== 0);
      return isOpen ? [] : [`${method.toUpperCase()} ${path}`];
    }),
  );
  if (closed.length > 0) {
    throw new Error(`Give these routes a scope in lib/engines/auth/route-scopes.ts: ${closed.join(", ")}`);
  }
}

export async function apis(engine: Engine = "postgres"): Promise<Record<ServiceName, Api>> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-reference-"));
  await using server = await startEngine(engine);
  try {
    return {
      "probing-gateway": await ofProbingGateway(await server.freshDatabase()),
      "peering-gateway": await ofPeeringGateway(await server.freshDatabase()),
      "policy-generator": await apiOf(generatorApp(folder)),
      bootstrap: await apiOf(bootstrapApp(folder)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ofProbingGateway(databaseAddress: string): Promise<Api> {
  await using home = await GatewayHome.start({ databaseAddress });
  const document = (await (await home.ask(null, "/openapi.json")).json()) as OpenApiDocument;
  return { document, routes: routesOf(home) };
}

async function ofPeeringGateway(address: string): Promise<Api> {
  await using database = await openDatabase(address, { applicationName: "vantage test" });
  await using home = await PeeringHome.start({ database });
  return apiOf(home.app);
}

async function apiOf(app: Pick<Hono<HttpEnv>, "request" | "routes">): Promise<Api> {
  const document = (await (await app.request("/openapi.json")).json()) as OpenApiDocument;
  return { document, routes: routesOf(app) };
}

/** What is for every method is middleware. */
function routesOf({ routes }: Pick<Hono<HttpEnv>, "routes">): string[] {
  const own = routes.filter(({ method }) => method !== "ALL");
  return [
    ...new Set(own.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`)),
  ];
}

const log = jsonLog("reference", () => {});
const nowMs = () => Date.now();

function generatorApp(folder: string): Hono<HttpEnv> {
  const text = `
generator: { state_dir: "${folder}/generator" }
gateway: { url: "http://gateway.example", key: none }
vpn: { nodes_file: "${folder}/nodes" }
platform: { asn: 64500 }`;
  writeFileSync(join(folder, "nodes"), "");
  return makeGenerator(readGeneratorConfig({ name: "reference", text }, {}), { log, nowMs, isDry: true }).app;
}

function bootstrapApp(folder: string): Hono<HttpEnv> {
  const text = `
platform: { asn: 64500 }
daemon: { config_file: "${folder}/bird.conf", snippets_dir: "${folder}/snippets" }
bootstrap: { state_dir: "${folder}/bootstrap" }`;
  const config = readBootstrapConfig({ name: "reference", text }, { USER_ASN: "65001" });
  return makeBootstrap(config, { log, nowMs, elapsedMs: () => 0 }).app;
}
