/** The gateway's configuration as the gateway uses it: checked as a whole, with every default filled in. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { hashKey } from "../../../lib/engines/auth/secret-key.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import {
  type GatewayFrame,
  gatewayFrame,
  loadGatewayConfig,
} from "../../../lib/engines/service/gateway-config.ts";
import { type AsnRange, parseAsnRange } from "../../../lib/peering/lease/asn-ranges.ts";
import { contradictions } from "./config-contradictions.ts";
import { type GivenConfig, gatewayConfigSchema, isKrillToken } from "./config-schema.ts";
import { parseSubjectKey, type SubjectKey } from "./subjects/subject-key.ts";

export interface PeeringGatewayConfig extends GatewayFrame {
  readonly asnRanges: readonly AsnRange[];
  readonly leases: LeasesConfig;
  /** The first one encrypts. */
  readonly subjectKeys: readonly SubjectKey[];
  /** Where they are; null = in the configuration itself. */
  readonly subjectKeysFile: string | null;
  /** Null = no addresses are known. */
  readonly email: EmailConfig | null;
  readonly serviceKeys: readonly ServiceKey[];
  readonly rpki: RpkiConfig;
  readonly announcements: AnnouncementsConfig;
}

interface AnnouncementsConfig {
  /** Upstreams, peers and route servers of exchange servers, which users may name. */
  readonly neighbors: readonly { readonly name: string; readonly asn: number }[];
  readonly prefixMinutes: number;
  readonly perHourMax: number;
}

export interface LeasesConfig {
  /** A file, or lines. */
  readonly pool: { readonly file: string } | { readonly lines: readonly string[] };
  readonly hoursMax: number;
  readonly perUserMax: number;
  readonly coolDownMinutes: number;
  readonly endsSoonMs: number;
  /** Null = kept forever. */
  readonly historyDays: number | null;
}

export interface EmailConfig {
  readonly provider: "auth0" | "keycloak";
  /** Without a slash at its end. */
  readonly url: string;
  /** Keycloak's realm. */
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ServiceKey {
  readonly name: string;
  readonly hash: Uint8Array;
}

export interface RpkiConfig {
  readonly mode: "pool" | "lease";
  readonly adapter: "none" | "local" | "krill";
  /** Null only with the adapter `none`. */
  readonly originAsn: number | null;
  /** Null but with the adapter `krill`. */
  readonly krill: KrillConfig | null;
}

export interface KrillConfig {
  /** Without a slash at its end. */
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  /** PEM; null = the system's authorities. */
  readonly certificate: string | null;
  /** Whether users' ASNs have ASPA objects. */
  readonly hasAspas: boolean;
  readonly reconcileMs: number;
}

/** Throws ConfigError with every problem; an Error for a file that is named and cannot be read or used. */
export function readGatewayConfig(source: YamlSource, environment: Environment): PeeringGatewayConfig {
  return toConfig(loadGatewayConfig({ schema: gatewayConfigSchema, source, environment, contradictions }));
}

function toConfig(given: GivenConfig): PeeringGatewayConfig {
  const { asns, service, rpki, announcements } = given;
  return {
    ...gatewayFrame(given),
    asnRanges: asns.pool.flatMap((text) => parseAsnRange(text) ?? []),
    leases: leasesOf(given.leases),
    subjectKeys: subjectKeysOf(given.subjects),
    subjectKeysFile: given.subjects.keys_file ?? null,
    email: emailOf(given.email),
    serviceKeys: service.keys.map(({ name, key, key_sha256 = "" }) => ({
      name,
      hash: key === undefined ? Uint8Array.fromHex(key_sha256) : hashKey(key),
    })),
    rpki: {
      mode: rpki.mode,
      adapter: rpki.adapter,
      originAsn: rpki.origin_asn ?? null,
      krill: rpki.adapter === "krill" ? krillOf(rpki.krill) : null,
    },
    announcements: {
      prefixMinutes: announcements.prefix_minutes,
      perHourMax: announcements.per_hour_max,
      neighbors: announcements.neighbors,
    },
  };
}

function leasesOf(given: GivenConfig["leases"]): LeasesConfig {
  return {
    pool: given.pool_file === undefined ? { lines: given.pool } : { file: given.pool_file },
    hoursMax: given.hours_max,
    perUserMax: given.per_user_max,
    coolDownMinutes: given.cool_down_minutes,
    endsSoonMs: given.ends_soon_minutes * 60_000,
    historyDays: given.history_days ?? null,
  };
}

function subjectKeysOf({ keys, keys_file }: GivenConfig["subjects"]): SubjectKey[] {
  const lines = keys_file === undefined ? keys : readFileSync(keys_file, "utf8").split("\n");
  const written = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  const read = written.map((line) => parseSubjectKey(line));
  const bad = read.indexOf(null);
  if (bad >= 0 || read.length === 0) {
    const what = bad >= 0 ? `key ${bad + 1} is not ID:KEY` : "it holds no key";
    throw new Error(`Cannot use ${keys_file}: ${what}; make one with: vantage peering-gateway --make-key`);
  }
  return read.filter((key) => key !== null);
}

function emailOf(given: GivenConfig["email"]): EmailConfig | null {
  const { provider, url = "", realm = "", client_id = "", client_secret, client_secret_file } = given;
  if (provider === "none") {
    return null;
  }
  const clientSecret = client_secret ?? readFileSync(client_secret_file ?? "", "utf8").trim();
  return { provider, url: url.replace(/\/+$/, ""), realm, clientId: client_id, clientSecret };
}

function krillOf({ url = "", ca = "", ...given }: GivenConfig["rpki"]["krill"]): KrillConfig {
  const { token_file = "", certificate_file } = given;
  const token = given.token ?? readFileSync(token_file, "utf8").trim();
  if (!isKrillToken(token)) {
    throw new Error(
      `Cannot use ${token_file}: it must hold Krill's token alone, visible ASCII without spaces`,
    );
  }
  return {
    ...{ url: url.replace(/\/+$/, ""), ca, token },
    certificate: certificate_file === undefined ? null : certificateIn(certificate_file),
    hasAspas: given.aspa,
    reconcileMs: given.reconcile_minutes * 60_000,
  };
}

function certificateIn(file: string): string {
  const text = readFileSync(file, "utf8");
  try {
    return new X509Certificate(text) && text;
  } catch (cause) {
    throw new Error(`Cannot use ${file}: it is not a certificate in PEM`, { cause });
  }
}
