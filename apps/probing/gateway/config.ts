/** The gateway's configuration as the gateway uses it: checked as a whole, with every default filled in. */
import { join } from "node:path";
import type * as v from "valibot";
import { type PublisherConfig, publisherConfig } from "../../../lib/engines/config/broker-keys.ts";
import { loginContradictions } from "../../../lib/engines/config/broker-login.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import type { Contradiction } from "../../../lib/engines/config/load-config.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import {
  type GatewayFrame,
  gatewayFrame,
  loadGatewayConfig,
} from "../../../lib/engines/service/gateway-config.ts";
import type { DeliveryConfig } from "../campaigns/campaign-services.ts";
import { gatewayConfigSchema } from "./config-schema.ts";

type Given = v.InferOutput<typeof gatewayConfigSchema>;

export interface ProbingGatewayConfig extends GatewayFrame {
  /** Null = the request's own. */
  readonly baseUrl: string | null;
  /** Null = the id in the state folder. */
  readonly gatewayId: string | null;
  readonly contact: string | null;
  /** Null = none. */
  readonly peeringGateway: string | null;
  /** Encrypts grants; null = the key in the state folder. */
  readonly secretKey: string | null;
  readonly broker: PublisherConfig;
  /** For openStore; null = no results are served. */
  readonly storeAddress: string | null;
  readonly sql: SqlConfig;
  readonly context: ContextConfig;
  readonly alerts: DeliveryConfig;
  /** Public client of the issuer that may log users in. */
  readonly oidcClientId: string;
  readonly console: ConsoleConfig;
  readonly limits: LimitsConfig;
  readonly safety: SafetyConfig;
}

interface ConsoleConfig {
  readonly enabled: boolean;
  readonly clientId: string;
  /** Null = a public client. */
  readonly clientSecret: string | null;
  /** Addresses of policy generators. */
  readonly exchanges: readonly string[];
  readonly collectors: readonly string[];
  /** Whether their routes are public. */
  readonly publicRoutes: boolean;
}

interface SqlConfig {
  readonly enabled: boolean;
  /** Whether everyone may query public results. */
  readonly publicRead: boolean;
  /** With the account of readers; null = that of an embedded store. */
  readonly address: string | null;
  readonly secondsPerDay: number;
}

interface ContextConfig {
  /** Folder of sets of context; null = none. */
  readonly dir: string | null;
  /** Whether names are resolved. */
  readonly names: boolean;
  /** Name servers; empty = the system's. */
  readonly resolvers: readonly string[];
}

export interface LimitsConfig {
  readonly probesPerDay: number;
  readonly submissionBytesPerDay: number;
  readonly submissionProbesMax: number;
  readonly spoolBytesMax: number;
  readonly submissionsPerMinute: number;
  readonly campaignsPerUser: number;
  readonly storedBytesPerUser: number;
  readonly prefixProbesPerDay: number;
  /** Packets/s to one address by one user and by all users, and to one network; 0 = without limit. */
  readonly userAddressRate: number;
  readonly addressRate: number;
  readonly networkRate: number;
  readonly publicRequestsPerMinute: number;
  readonly publicRequestsPerMinuteAll: number;
  readonly retentionDays: number;
}

export interface SafetyConfig {
  readonly blockReservedRanges: boolean;
  readonly blocklistFile: string | null;
  readonly allowlistFile: string | null;
}

/** Throws ConfigError with every problem. An empty file is a gateway on embedded engines. */
export function readGatewayConfig(source: YamlSource, environment: Environment): ProbingGatewayConfig {
  const contradictions = ({ kafka, alerts }: Given) => [
    ...loginContradictions(kafka),
    ...alertProblems(alerts),
  ];
  return toConfig(loadGatewayConfig({ schema: gatewayConfigSchema, source, environment, contradictions }));
}

function alertProblems(alerts: Given["alerts"]): Contradiction[] {
  const { smtp_server: server, smtp_from: from, smtp_user: user, smtp_encryption: encryption } = alerts;
  const at = (key: string, reason: string) => ({ path: ["alerts", key], reason });
  return [
    ...((server === undefined) === (from === undefined) ? [] : [at("smtp_from", "goes with smtp_server")]),
    ...((user === undefined) === (alerts.smtp_password === undefined)
      ? []
      : [at("smtp_password", "goes with smtp_user")]),
    ...(user !== undefined && encryption === "none"
      ? [at("smtp_encryption", "must not be none where a password is sent")]
      : []),
  ];
}

function alertsOf(given: Given["alerts"]): DeliveryConfig {
  const { smtp_server: server, smtp_from: from, smtp_user: user, smtp_password: password } = given;
  const [host = "", port = "587"] = (server ?? "").split(":");
  const login = user === undefined || password === undefined ? null : { user, password };
  const encryption = given.smtp_encryption;
  return {
    allowedHosts: given.allowed_hosts.map((one) => one.toLowerCase()),
    emailDomains: given.email_domains.map((one) => one.toLowerCase()),
    smtp:
      server === undefined || from === undefined
        ? null
        : { host, port: Number(port), encryption, from, login },
  };
}

function toConfig(given: Given): ProbingGatewayConfig {
  const { gateway, kafka, store, sql, context, oidc, limits, safety } = given;
  const frame = gatewayFrame(given);
  return {
    ...frame,
    baseUrl: gateway.base_url ?? null,
    gatewayId: gateway.gateway_id ?? null,
    contact: gateway.contact ?? null,
    peeringGateway: gateway.peering_gateway ?? null,
    secretKey: gateway.secret_key ?? null,
    broker: publisherConfig(kafka.brokers ?? `embedded:${join(frame.stateDir, "broker")}`, kafka),
    storeAddress: store.address ?? null,
    sql: {
      enabled: sql.enabled,
      publicRead: sql.public_read,
      address: sql.address ?? null,
      secondsPerDay: sql.seconds_per_day,
    },
    context: { ...context, dir: context.dir ?? null },
    alerts: alertsOf(given.alerts),
    oidcClientId: oidc.client_id,
    console: {
      enabled: given.console.enabled,
      clientId: given.console.client_id,
      clientSecret: given.console.client_secret ?? null,
      exchanges: given.console.exchanges,
      collectors: given.console.collectors,
      publicRoutes: given.console.public_routes,
    },
    limits: {
      probesPerDay: limits.probes_per_day,
      submissionBytesPerDay: limits.submission_bytes_per_day,
      submissionProbesMax: limits.submission_probes_max,
      spoolBytesMax: limits.spool_bytes_max,
      submissionsPerMinute: limits.submissions_per_minute,
      campaignsPerUser: limits.campaigns_per_user,
      storedBytesPerUser: limits.stored_bytes_per_user,
      prefixProbesPerDay: limits.prefix_probes_per_day,
      userAddressRate: limits.user_address_rate,
      addressRate: limits.address_rate,
      networkRate: limits.network_rate,
      publicRequestsPerMinute: limits.public_requests_per_minute,
      publicRequestsPerMinuteAll: limits.public_requests_per_minute_all,
      retentionDays: limits.retention_days,
    },
    safety: {
      blockReservedRanges: safety.block_reserved_ranges,
      blocklistFile: safety.blocklist_file ?? null,
      allowlistFile: safety.allowlist_file ?? null,
    },
  };
}
