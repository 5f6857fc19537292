/** A probing or a peering gateway: configuration, database, broker, store, issuer, and the service that runs. */
import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { BrokerError } from "../../lib/broker/broker.ts";
import { openBroker } from "../../lib/broker/open.ts";
import { ConfigError } from "../../lib/config/config-error.ts";
import type { Environment } from "../../lib/config/environment.ts";
import type { YamlSource } from "../../lib/config/yaml-file.ts";
import { openStore } from "../../lib/store/clickhouse/open.ts";
import { openDatabase } from "../../lib/store/postgres/open.ts";
import * as peering from "../peering-gateway/config.ts";
import * as probing from "../probing-gateway/config.ts";
import { misconfigured, sourceIn } from "./configuration.ts";
import { examine, type Look } from "./examine.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { diskSpace } from "./host/disk.ts";
import { openFiles } from "./host/open-files.ts";
import { brokerMsMax, openFilesMin, postgresVersionMin } from "./limits.ts";
import { ask, clockFinding, localUrl, service } from "./net/web.ts";

const embedded = "embedded:";
const kinds = ["probing", "peering"] as const;
type Kind = (typeof kinds)[number];
type Configured =
  | { readonly kind: "probing"; readonly config: probing.GatewayConfig }
  | { readonly kind: "peering"; readonly config: peering.GatewayConfig };

export async function examineGateway(file: string, environment: Environment): Promise<Finding[]> {
  let configured: Configured;
  try {
    configured = read(sourceIn(file), environment);
  } catch (error) {
    return misconfigured(
      error,
      "docs/probing-gateway-configuration.md or docs/peering-gateway-configuration.md",
    );
  }
  const { kind, config } = configured;
  const what = `${kind} gateway`;
  const { listen, stateDir, database, oidc, bypassAuthentication } = config;
  const start = `systemctl start vantage-${kind}-gateway, or: vantage ${kind}-gateway -c FILE`;
  const url = localUrl(listen);
  return [
    ok("configuration", `${file}: a ${what}`),
    ...(bypassAuthentication ? [everybody] : []),
    ...(await examine([
      { what: "database", see: () => databaseFinding(database.address), otherwise: "see: database.address" },
      ...(configured.kind === "probing" ? pipeline(configured.config) : []),
      ...(oidc === null ? [] : issuer(oidc.issuer)),
      { what, see: () => service(what, url, start, async (at) => [await ready(at)]) },
      { what: "state folder", see: () => diskSpace("state folder", stateDir) },
      { what: "admin key", see: () => adminKey(config.adminKeyFile ?? join(stateDir, "admin.key")) },
      { what: "open files", see: () => openFiles(openFilesMin) },
    ])),
  ];
}

const everybody = fail(
  "authentication",
  "it is bypassed: everybody is the same user",
  "take gateway.bypass_authentication away, but for a laboratory",
);

/** Which gateway it is: from the file's name, else from the schema that fits better. */
function read(source: YamlSource, environment: Environment): Configured {
  const named = kinds.find((kind) => basename(source.name).startsWith(kind));
  const tries = (named === undefined ? kinds : [named]).map((kind) => attempt(kind, source, environment));
  const best = tries.toSorted((a, b) => a.problems - b.problems)[0];
  if (best?.configured === null) {
    throw best.error;
  }
  if (best === undefined) {
    throw new Error(`Cannot read ${source.name}`);
  }
  return best.configured;
}

interface Attempt {
  readonly configured: Configured | null;
  readonly problems: number;
  readonly error: unknown;
}

function attempt(kind: Kind, source: YamlSource, environment: Environment): Attempt {
  try {
    const configured: Configured =
      kind === "probing"
        ? { kind, config: probing.readGatewayConfig(source, environment) }
        : { kind, config: peering.readGatewayConfig(source, environment) };
    return { configured, problems: 0, error: null };
  } catch (error) {
    return { configured: null, problems: error instanceof ConfigError ? error.problems.length : 1, error };
  }
}

/** An embedded database is used by the gateway only, which reports it in `/ready`. */
async function databaseFinding(address: string): Promise<Finding> {
  const what = "database";
  if (address.startsWith("pglite:")) {
    return ok(what, `${address}, inside the gateway`);
  }
  await using database = await openDatabase(address, {
    applicationName: "vantage doctor",
    connectionsMax: 1,
  });
  const [row] = await database.sql<{ version: string }[]>`
    SELECT current_setting('server_version_num') AS version`;
  const version = Number(row?.version ?? 0);
  const found = `${database.address} answers: PostgreSQL ${Math.floor(version / 10_000)}`;
  return version >= postgresVersionMin ? ok(what, found) : fail(what, found, "use PostgreSQL 15 or newer");
}

function pipeline({ broker, storeAddress }: probing.GatewayConfig): Look[] {
  return [
    { what: "broker", see: () => brokerFinding(broker), otherwise: "does it run? see: kafka.brokers" },
    ...(broker.address.startsWith(embedded)
      ? [
          {
            what: "log's folder",
            see: () => diskSpace("log's folder", broker.address.slice(embedded.length)),
          },
        ]
      : []),
    storeAddress === null
      ? {
          what: "column store",
          see: () => warn("column store", "none is configured: no results are served", "give store.address"),
        }
      : {
          what: "column store",
          see: () => storeFinding(storeAddress),
          otherwise: "does it run? see: store.address",
        },
  ];
}

/** Topics are made with the first measurement: a missing one is not a fault. */
async function brokerFinding({ address, login, topic }: probing.GatewayConfig["broker"]): Promise<Finding> {
  await using broker = await openBroker(address, { login, giveUpMs: brokerMsMax });
  try {
    const { length } = await broker.positions("vantage-doctor", topic);
    return ok("broker", `${address}: topic ${topic} has ${length} partitions`);
  } catch (error) {
    if (error instanceof BrokerError && error.message.includes("has not been created")) {
      return ok("broker", `${address} answers; topic ${topic} is made with the first measurement`);
    }
    throw error;
  }
}

async function storeFinding(address: string): Promise<Finding> {
  await using store = await openStore(address);
  return ok("column store", `${store.address} answers`);
}

/** Tokens cannot be verified without it; their times follow its clock. */
function issuer(address: string): Look[] {
  const url = `${address.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const otherwise = "does it run, and is it reached from here? see: oidc.issuer";
  const see = async () => {
    const answer = await ask(url);
    return answer.status === 200
      ? [ok("issuer", `${address} answers`), clockFinding(address, answer)]
      : fail("issuer", `${url} answers with status ${answer.status}`, otherwise);
  };
  return [{ what: "issuer", see, otherwise }];
}

async function ready(url: string): Promise<Finding> {
  const { status, text } = await ask(`${url}/ready`);
  const missing = [...text.matchAll(/"(\w+)":"unavailable"/g)].map(([, name]) => name);
  return status === 200
    ? ok("ready", "it can serve")
    : fail(
        "ready",
        `it cannot serve without: ${missing.filter((name) => name !== "status").join(", ")}`,
        "see above",
      );
}

/** Its reader can do everything. */
function adminKey(file: string): Finding {
  const what = "admin key";
  if (!existsSync(file)) {
    return ok(what, "given by the configuration, or not made yet");
  }
  const others = statSync(file).mode & 0o077;
  return others === 0
    ? ok(what, `${file} is readable by its owner only`)
    : fail(what, `${file} may be read by others: who has it may do everything`, `chmod 600 ${file}`);
}
