/** Settings of both gateways: addresses, authentication, and storage. */
import { join } from "node:path";
import * as v from "valibot";
import type { Prefix } from "../../net/ip/prefix.ts";
import type { VerifierChoice } from "../auth/choose-verifier.ts";
import { keyMadeOnce, readKeyFile } from "../auth/key-file.ts";
import {
  isLoopback,
  isOpenHttp,
  type ListenAddress,
  listenAddress,
  listenAt,
  webAddress,
} from "../config/addresses.ts";
import { type Environment, sectionsOf } from "../config/environment.ts";
import { type Contradiction, loadConfig } from "../config/load-config.ts";
import { proxiesOf, trustedProxiesKey } from "../config/proxy-keys.ts";
import { configKey, keyWithDefault, numberKey, optionalKey } from "../config/shape.ts";
import { checkedText, filled } from "../config/values.ts";
import type { YamlSource } from "../config/yaml-file.ts";

/** The settings shared by both gateways. */
export interface GatewayFrame extends VerifierChoice {
  readonly listen: ListenAddress;
  readonly stateDir: string;
  /** Null = the one in `adminKeyFile`. */
  readonly adminKey: string | null;
  /** Null = a file in the state folder, created once. */
  readonly adminKeyFile: string | null;
  /** May set X-Forwarded-For. */
  readonly trustedProxies: readonly Prefix[];
  readonly corsOrigins: readonly string[];
  readonly accessLog: boolean;
  readonly database: { readonly address: string; readonly connectionsMax: number };
}

/** Warnings about allowed but unsafe settings: for the log at start, and for `--check`. */
export function gatewayWarnings({ oidc, bypassAuthentication }: VerifierChoice): string[] {
  if (bypassAuthentication) {
    return [];
  }
  if (oidc === null) {
    return ["oidc.issuer is missing: no user can log in"];
  }
  return oidc.audiences.length === 0
    ? ["oidc.audiences is empty: tokens that the issuer has made for any other service are taken too"]
    : [];
}

/** How users are authenticated, for `--check`. */
export function usersFact({ bypassAuthentication, oidc }: VerifierChoice): string {
  return bypassAuthentication
    ? "every user is test-user-id"
    : (oidc?.issuer ?? "none: no issuer is configured");
}

const adminKey = checkedText((text) => text.length >= 16, "must have at least 16 characters");

/** Defaults: the state folder, and the port on all addresses. */
export function gatewaySection(folder: string, port: number) {
  return v.object({
    address: keyWithDefault(listenAddress(), `0.0.0.0:${port}`, {
      meaning: "Where it listens",
      unit: "host:port",
    }),
    state_dir: keyWithDefault(v.string(), folder, {
      meaning: "Folder of its own: the embedded database, keys made once",
    }),
    admin_key: optionalKey(adminKey, {
      meaning: "Key of the admin API",
      otherwise: "made once, kept in `state_dir/admin.key`",
    }),
    admin_key_file: optionalKey(v.string(), {
      meaning: "File that holds the key of the admin API",
      otherwise: "none",
    }),
    trusted_proxies: trustedProxiesKey,
    cors_origins: v.optional(
      v.array(configKey(v.string(), { meaning: "Web origins whose pages may call the API; `*` = all" })),
      [],
    ),
    access_log: keyWithDefault(v.boolean(), false, { meaning: "Log a line for each request" }),
    bypass_authentication: keyWithDefault(v.boolean(), false, {
      meaning: "Every request is the user `test-user-id`: for tests, and refused unless bound to loopback",
    }),
  });
}

export const databaseSection = v.object({
  address: optionalKey(v.string(), {
    meaning: "`pglite:DIR`, embedded, for one gateway; or `postgres://…`",
    otherwise: "`pglite:` and `database` in `state_dir`",
  }),
  connections_max: numberKey([1, 1000], 16, { meaning: "Connections to PostgreSQL", unit: "connections" }),
});

export const oidcSection = v.object({
  issuer: optionalKey(webAddress, {
    meaning: "Issuer of the users' tokens, exactly as in their `iss`",
    otherwise: "none: no user can log in",
  }),
  audiences: v.optional(
    v.array(configKey(v.string(), { meaning: "A token must be for one of these; none = not checked" })),
    [],
  ),
  jwks_uri: optionalKey(webAddress, { meaning: "Where the issuer's keys are", otherwise: "by discovery" }),
  operators: v.optional(
    v.array(
      configKey(filled, {
        meaning: "Subjects (`sub`) of users who may use the admin API with their own login",
      }),
    ),
    [],
  ),
  operator_claim: optionalKey(filled, {
    meaning: "Claim of a token that lists roles, as `roles` or `realm_access.roles`",
    otherwise: "none: `operators` alone",
  }),
  name_claims: v.optional(
    v.array(
      configKey(filled, {
        meaning:
          "Claims of a token that name a person, the best first: shown to that person and to operators, never stored",
      }),
    ),
    ["preferred_username", "email", "name"],
  ),
  operator_role: keyWithDefault(filled, "vantage-operator", {
    meaning: "Who has this role there may use the admin API",
  }),
  allow_http: keyWithDefault(v.boolean(), false, {
    meaning:
      "Fetch the issuer's keys by `http://` from another machine: anyone on the path can impersonate any user",
  }),
});

interface Given {
  readonly gateway: v.InferOutput<ReturnType<typeof gatewaySection>>;
  readonly database: v.InferOutput<typeof databaseSection>;
  readonly oidc: v.InferOutput<typeof oidcSection>;
}

interface GatewayConfigOrder<Schema extends v.GenericSchema<unknown, Given>> {
  readonly schema: Schema & { readonly entries: Readonly<Record<string, unknown>> };
  readonly source: YamlSource;
  readonly environment: Environment;
  readonly contradictions: (config: v.InferOutput<Schema>) => readonly Contradiction[];
}

/** Throws ConfigError with every problem. Variables of sections that are not in the schema are another program's. */
export function loadGatewayConfig<Schema extends v.GenericSchema<unknown, Given>>(
  order: GatewayConfigOrder<Schema>,
): v.InferOutput<Schema> {
  const environmentPrefixes = ["VANTAGE_"];
  return loadConfig<Schema>({
    ...order,
    environmentPrefixes,
    environment: sectionsOf(order.environment, environmentPrefixes, Object.keys(order.schema.entries)),
    contradictions: (config) => [...contradictions(config), ...order.contradictions(config)],
  });
}

export function gatewayFrame({ gateway, database, oidc }: Given): GatewayFrame {
  const stateDir = gateway.state_dir;
  const { issuer, audiences, jwks_uri: jwksUri = null } = oidc;
  const operators = {
    subjects: oidc.operators,
    claim: oidc.operator_claim ?? null,
    role: oidc.operator_role,
  };
  return {
    listen: listenAt(gateway.address),
    stateDir,
    adminKey: gateway.admin_key ?? null,
    adminKeyFile: gateway.admin_key_file ?? null,
    trustedProxies: proxiesOf(gateway.trusted_proxies),
    corsOrigins: gateway.cors_origins,
    accessLog: gateway.access_log,
    bypassAuthentication: gateway.bypass_authentication,
    oidc:
      issuer === undefined ? null : { issuer, audiences, jwksUri, operators, nameClaims: oidc.name_claims },
    database: {
      address: database.address ?? `pglite:${join(stateDir, "database")}`,
      connectionsMax: database.connections_max,
    },
  };
}

/** Throws an Error that names the next step when the key's file cannot be used. */
export function adminKeyOf({ adminKey, adminKeyFile, stateDir }: GatewayFrame): string {
  if (adminKey !== null) {
    return adminKey;
  }
  return adminKeyFile === null ? keyMadeOnce(join(stateDir, "admin.key")) : readKeyFile(adminKeyFile);
}

function contradictions({ gateway, database, oidc }: Given): Contradiction[] {
  const problems: Contradiction[] = [];
  const address = database.address ?? "pglite:default";
  if (!/^(pglite:.|postgres(ql)?:\/\/)/.test(address) || !URL.canParse(address)) {
    // Without the value: it may hold a password.
    const reason = "must be pglite:DIR or postgres://USER@HOST/NAME";
    problems.push({ path: ["database", "address"], reason });
  }
  const { host } = listenAt(gateway.address);
  if (gateway.bypass_authentication && !isLoopback(host)) {
    const reason = `is for loopback only, not for ${host}: anyone could act as any user`;
    problems.push({ path: ["gateway", "bypass_authentication"], reason });
  }
  if (gateway.admin_key !== undefined && gateway.admin_key_file !== undefined) {
    problems.push({ path: ["gateway", "admin_key_file"], reason: "cannot be given beside admin_key" });
  }
  for (const key of ["issuer", "jwks_uri"] as const) {
    if (!oidc.allow_http && isOpenHttp(oidc[key] ?? "")) {
      const reason =
        "must be https:// unless on loopback, or allow_http is true: anyone on the path can forge tokens";
      problems.push({ path: ["oidc", key], reason });
    }
  }
  if ((oidc.operators.length > 0 || oidc.operator_claim !== undefined) && oidc.audiences.length === 0) {
    const reason =
      "must be given with operators: else a token that was made for any other service opens /admin";
    problems.push({ path: ["oidc", "audiences"], reason });
  }
  if (oidc.issuer === undefined && (oidc.jwks_uri !== undefined || oidc.audiences.length > 0)) {
    problems.push({ path: ["oidc", "issuer"], reason: "is missing: tokens are checked against it" });
  }
  return problems;
}
