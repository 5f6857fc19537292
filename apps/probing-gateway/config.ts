/** The gateway's configuration as the gateway uses it: checked as a whole, with every default filled in. */
import { join } from "node:path";
import type * as v from "valibot";
import { type PublisherConfig, publisherConfig } from "../../lib/config/broker-keys.ts";
import { loginContradictions } from "../../lib/config/broker-login.ts";
import { type Environment, sectionsOf } from "../../lib/config/environment.ts";
import { gatewayContradictions, parseListenAddress } from "../../lib/config/gateway-keys.ts";
import { type Contradiction, loadConfig } from "../../lib/config/load-config.ts";
import type { YamlSource } from "../../lib/config/yaml-file.ts";
import { gatewayConfigSchema } from "./config-schema.ts";

type Given = v.InferOutput<typeof gatewayConfigSchema>;

export interface GatewayConfig {
  readonly listen: { readonly host: string; readonly port: number };
  /** Null = the request's own. */
  readonly baseUrl: string | null;
  readonly stateDir: string;
  /** Null = the one in the state folder. */
  readonly gatewayId: string | null;
  /** Null = the one in `adminKeyFile`. */
  readonly adminKey: string | null;
  /** Made when it is missing and nothing else is configured. */
  readonly adminKeyFile: string;
  readonly isAdminKeyFileOurs: boolean;
  readonly contact: string | null;
  /** Null = there is none. */
  readonly peeringGateway: string | null;
  readonly corsOrigins: readonly string[];
  readonly accessLog: boolean;
  readonly bypassAuthentication: boolean;
  readonly database: { readonly address: string; readonly connectionsMax: number };
  readonly broker: PublisherConfig;
  /** As openStore takes it; null = no results are served. */
  readonly storeAddress: string | null;
  /** Null = no user can log in. */
  readonly oidc: OidcConfig | null;
  readonly limits: LimitsConfig;
  readonly safety: SafetyConfig;
}

export interface OidcConfig {
  readonly issuer: string;
  /** Empty = not checked. */
  readonly audiences: readonly string[];
  readonly clientId: string;
  readonly jwksUri: string | null;
}

export interface LimitsConfig {
  readonly probesPerDay: number;
  readonly submissionBytesPerDay: number;
  readonly submissionProbesMax: number;
  readonly spoolBytesMax: number;
  readonly submissionsPerMinute: number;
  readonly prefixProbesPerDay: number;
  /** Packets/s to one address, by one user and by all, and to one network; 0 = without limit. */
  readonly userAddressRate: number;
  readonly addressRate: number;
  readonly networkRate: number;
  readonly retentionDays: number;
}

export interface SafetyConfig {
  readonly blockReservedRanges: boolean;
  readonly blocklistFile: string | null;
  readonly allowlistFile: string | null;
}

/** Throws ConfigError with every problem. An empty file is a gateway on embedded engines. */
export function readGatewayConfig(source: YamlSource, environment: Environment): GatewayConfig {
  const prefixes = ["VANTAGE_"];
  const given = loadConfig({
    schema: gatewayConfigSchema,
    source,
    environment: sectionsOf(environment, prefixes, Object.keys(gatewayConfigSchema.entries)),
    environmentPrefixes: prefixes,
    contradictions: (config) => [
      ...gatewayContradictions(config),
      ...loginContradictions(config.kafka),
      ...storeProblems(config.store),
    ],
  });
  return toConfig(given);
}

/** Without the value: it may hold a password. */
function storeProblems({ address = "chdb:none" }: Given["store"]): Contradiction[] {
  const reason = "must be chdb:DIR or http(s)://[USER[:PASSWORD]@]HOST:PORT";
  return /^(chdb:.|https?:\/\/.)/.test(address) ? [] : [{ path: ["store", "address"], reason }];
}

function toConfig({ gateway, database, kafka, store, oidc, limits, safety }: Required<Given>): GatewayConfig {
  const stateDir = gateway.state_dir;
  return {
    listen: parseListenAddress(gateway.address) ?? { host: "0.0.0.0", port: 8080 },
    baseUrl: gateway.base_url ?? null,
    stateDir,
    gatewayId: gateway.gateway_id ?? null,
    adminKey: gateway.admin_key ?? null,
    adminKeyFile: gateway.admin_key_file ?? join(stateDir, "admin.key"),
    isAdminKeyFileOurs: gateway.admin_key_file === undefined,
    contact: gateway.contact ?? null,
    peeringGateway: gateway.peering_gateway ?? null,
    corsOrigins: gateway.cors_origins,
    accessLog: gateway.access_log,
    bypassAuthentication: gateway.bypass_authentication,
    database: {
      address: database.address ?? `pglite:${join(stateDir, "database")}`,
      connectionsMax: database.connections_max,
    },
    broker: publisherConfig(kafka.brokers ?? `embedded:${join(stateDir, "broker")}`, kafka),
    storeAddress: store.address ?? null,
    oidc: oidcOf(oidc),
    limits: {
      probesPerDay: limits.probes_per_day,
      submissionBytesPerDay: limits.submission_bytes_per_day,
      submissionProbesMax: limits.submission_probes_max,
      spoolBytesMax: limits.spool_bytes_max,
      submissionsPerMinute: limits.submissions_per_minute,
      prefixProbesPerDay: limits.prefix_probes_per_day,
      userAddressRate: limits.user_address_rate,
      addressRate: limits.address_rate,
      networkRate: limits.network_rate,
      retentionDays: limits.retention_days,
    },
    safety: {
      blockReservedRanges: safety.block_reserved_ranges,
      blocklistFile: safety.blocklist_file ?? null,
      allowlistFile: safety.allowlist_file ?? null,
    },
  };
}

function oidcOf({ issuer, audiences, client_id: clientId, jwks_uri }: Given["oidc"]): OidcConfig | null {
  return issuer === undefined ? null : { issuer, audiences, clientId, jwksUri: jwks_uri ?? null };
}
