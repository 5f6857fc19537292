/** The checks that both gateways share: database, issuer, the running service, its folder and its keys. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../engines/store/postgres/open.ts";
import { rowOf } from "../../engines/store/postgres/row-of.ts";
import { examine, type Look } from "./examine.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { diskSpace } from "./host/disk.ts";
import { openFiles } from "./host/open-files.ts";
import { openFilesMin, postgresVersionMin } from "./limits.ts";
import { ask, clockFinding, localUrl, service } from "./net/web.ts";

/** A gateway, from its configuration. */
export interface ConfiguredGateway {
  readonly kind: "probing" | "peering";
  readonly config: {
    readonly listen: { readonly host: string; readonly port: number };
    readonly stateDir: string;
    readonly database: { readonly address: string };
    readonly oidc: { readonly issuer: string; readonly jwksUri: string | null } | null;
    readonly bypassAuthentication: boolean;
    readonly adminKeyFile: string | null;
  };
  /** Checks of this gateway only. */
  readonly looks: readonly Look[];
}

export async function examineGateway(
  file: string,
  { kind, config, looks }: ConfiguredGateway,
): Promise<Finding[]> {
  const what = `${kind} gateway`;
  const { listen, stateDir, database, oidc, bypassAuthentication } = config;
  const start = `systemctl start vantage-${kind}-gateway, or: vantage ${kind}-gateway -c FILE`;
  const url = localUrl(listen);
  return [
    ok("configuration", `${file}: a ${what}`),
    ...(bypassAuthentication ? [everybody] : []),
    ...(await examine([
      { what: "database", see: () => databaseFinding(database.address), otherwise: "see: database.address" },
      ...looks,
      ...(oidc === null ? [] : issuer(oidc)),
      { what, see: () => service(what, url, start, async (at) => [await ready(at)]) },
      { what: "state folder", see: () => diskSpace("state folder", stateDir) },
      { what: "admin key", see: () => adminKey(config.adminKeyFile ?? join(stateDir, "admin.key")) },
      { what: "open files", see: () => openFiles(openFilesMin) },
    ])),
  ];
}

const everybody = fail(
  "authentication",
  "it is bypassed: all requests have the same user",
  "remove gateway.bypass_authentication, except in a laboratory",
);

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
  const rows = await database.sql<{ version: string; is_unlimited: boolean }[]>`
    SELECT current_setting('server_version_num') AS version,
      current_setting('statement_timeout') = '0' AS is_unlimited`;
  const { version, is_unlimited } = rowOf(rows);
  const found = `${database.address} answers: PostgreSQL ${Math.floor(Number(version) / 10_000)}`;
  if (Number(version) < postgresVersionMin) {
    return fail(what, found, "use PostgreSQL 15 or newer");
  }
  return is_unlimited ? warn(what, `${found}, ${unlimited}`, roleSettings) : ok(what, found);
}

const unlimited = "through a pooler that drops the time limits of its statements";
const roleSettings =
  "on the server: ALTER ROLE … SET statement_timeout = '30s', the same for " +
  "idle_in_transaction_session_timeout = '60s' and jit = off";

/**
 * Tokens cannot be verified without the issuer; their times follow its clock. Asked as the gateway does: where it has
 * the address of the keys, it may have no route to the issuer's public name.
 */
function issuer({ issuer: address, jwksUri }: { issuer: string; jwksUri: string | null }): Look[] {
  const url = jwksUri ?? `${address.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const key = jwksUri === null ? "oidc.issuer" : "oidc.jwks_uri";
  const otherwise = `does it run, and is it reached from here? see: ${key}`;
  const see = async () => {
    const answer = await ask(url);
    return answer.status === 200
      ? [ok("issuer", `${jwksUri ?? address} answers`), clockFinding(address, answer)]
      : fail("issuer", `${url} answers with status ${answer.status}`, otherwise);
  };
  return [{ what: "issuer", see, otherwise }];
}

async function ready(url: string): Promise<Finding> {
  const { status, text } = await ask(`${url}/ready`);
  const missing = [...text.matchAll(/"(\w+)":"(unavailable|transaction_pooler)"/g)]
    .filter(([, name]) => name !== "status")
    .map(([, name, state]) => (state === "unavailable" ? name : `${name} (a pooler in transaction mode)`));
  const why =
    missing.length === 0
      ? `/ready answers with status ${status}`
      : `it cannot serve without: ${missing.join(", ")}`;
  if (status === 200 && missing.length > 0) {
    return warn("ready", `it serves without: ${missing.join(", ")}`, "see above");
  }
  return status === 200 ? ok("ready", "it can serve") : fail("ready", why, "see above");
}

/** Files there are what an engine of containers gives to one of them; their mode is for the user inside. */
const containerSecrets = "/run/secrets/";

/** Anyone who can read it has all rights. */
function adminKey(file: string): Finding {
  const what = "admin key";
  if (!existsSync(file)) {
    return ok(what, "given by the configuration, or not made yet");
  }
  if (file.startsWith(containerSecrets)) {
    return ok(what, `${file} is mounted for this container`);
  }
  const others = statSync(file).mode & 0o077;
  return others === 0
    ? ok(what, `${file} is readable by its owner only`)
    : fail(what, `${file} may be read by others: who has it may do everything`, `chmod 600 ${file}`);
}
