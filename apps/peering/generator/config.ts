/** The configuration of the policy generator: the sources of leases and devices, and the routing daemon. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type * as v from "valibot";
import { type ListenAddress, listenAt } from "../../../lib/engines/config/addresses.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { type Contradiction, loadConfig } from "../../../lib/engines/config/load-config.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { type Prefix, parsePrefix } from "../../../lib/net/ip/prefix.ts";
import type { AsnPool } from "../../../lib/peering/policy/mapping.ts";
import type { JoinRules } from "../../../lib/peering/policy/owners.ts";
import { type Budget, toBudget } from "./budget-config.ts";
import { generatorSchema } from "./config-schema.ts";
import * as limits from "./limits.ts";

type Given = v.InferOutput<typeof generatorSchema>;

export interface GeneratorConfig {
  readonly listen: ListenAddress;
  /** Name of this exchange server in the VPN. */
  readonly server: string;
  readonly stateDir: string;
  readonly intervalMs: number;
  readonly staleMs: number;
  readonly alertMs: number;
  readonly standbyAfterMs: number;
  readonly operatorNetworks: readonly Prefix[];
  readonly gateway: { readonly url: string; readonly key: string; readonly watch: boolean };
  readonly vpn: VpnConfig;
  readonly joinRules: JoinRules;
  readonly platformAsn: number;
  readonly asnPool: AsnPool;
  readonly daemon: {
    readonly policyFile: string;
    readonly controlSocket: string;
    readonly checkCommand: string;
    readonly sampleMs: number;
    /** 0 = without end. */
    readonly policyEndsSec: number;
  };
  readonly budget: Budget;
}

export type VpnConfig =
  | { readonly kind: "file"; readonly file: string }
  | {
      readonly kind: "headscale";
      readonly url: string;
      readonly key: string;
      readonly approveRoutes: boolean;
    };

/** Throws ConfigError with every problem, and Error where a key's file cannot be read. */
export function readGeneratorConfig(source: YamlSource, environment: Environment): GeneratorConfig {
  const environmentPrefixes = ["VANTAGE_POLICY_"];
  return toConfig(
    loadConfig({ schema: generatorSchema, source, environment, environmentPrefixes, contradictions }),
  );
}

function contradictions({ generator, gateway, vpn, platform, daemon }: Given): Contradiction[] {
  const found: Contradiction[] = [];
  if (generator.max_stale_sec <= generator.interval_sec) {
    found.push({ path: ["generator", "max_stale_sec"], reason: "must be more than interval_sec" });
  }
  if (generator.standby_after_sec <= daemon.sample_sec) {
    const reason = "must be more than daemon.sample_sec, in which a sign of life comes";
    found.push({ path: ["generator", "standby_after_sec"], reason });
  }
  const { policy_ends_sec: endsSec = 0 } = daemon;
  if (endsSec > 0 && endsSec < limits.renewalsOfPolicy * daemon.sample_sec) {
    const reason = "must be 0, or three times daemon.sample_sec at least: it is renewed then";
    found.push({ path: ["daemon", "policy_ends_sec"], reason });
  }
  if ((gateway.key === undefined) === (gateway.key_file === undefined)) {
    found.push({ path: ["gateway", "key"], reason: "give either key or key_file" });
  }
  if ((vpn.nodes_file === undefined) === (vpn.headscale_url === undefined)) {
    found.push({ path: ["vpn", "headscale_url"], reason: "give either headscale_url or nodes_file" });
  }
  const keys = [vpn.headscale_key, vpn.headscale_key_file].filter((key) => key !== undefined);
  if (keys.length !== (vpn.headscale_url === undefined ? 0 : 1)) {
    found.push({
      path: ["vpn", "headscale_key"],
      reason: "give one of key and key_file, with headscale_url",
    });
  }
  if (vpn.headscale_url !== undefined && vpn.issuer === undefined && !vpn.allow_email_join) {
    const reason = "is missing: without it, no device in Headscale's list has a known user";
    found.push({ path: ["vpn", "issuer"], reason });
  }
  if (vpn.approve_routes && vpn.headscale_url === undefined) {
    found.push({ path: ["vpn", "approve_routes"], reason: "needs headscale_url" });
  }
  if (platform.asn_pool_start > platform.asn_pool_end) {
    found.push({ path: ["platform", "asn_pool_end"], reason: "must not be below asn_pool_start" });
  }
  return found;
}

function toConfig({ generator, gateway, vpn, platform, daemon, budget }: Given): GeneratorConfig {
  return {
    listen: listenAt(generator.address),
    server: generator.server ?? hostname().replace(/\..*$/s, "").toLowerCase(),
    stateDir: generator.state_dir,
    intervalMs: 1000 * generator.interval_sec,
    staleMs: 1000 * generator.max_stale_sec,
    alertMs: 1000 * generator.alert_stale_sec,
    standbyAfterMs: 1000 * generator.standby_after_sec,
    operatorNetworks: generator.operator_networks.map(parsePrefix).filter((one) => one !== null),
    gateway: {
      url: gateway.url.replace(/\/(service\/mappings\/?)?$/, ""),
      key: gateway.key ?? secretIn(gateway.key_file),
      watch: gateway.watch,
    },
    vpn: vpnOf(vpn),
    joinRules: { issuer: vpn.issuer ?? null, allowEmailJoin: vpn.allow_email_join },
    platformAsn: platform.asn,
    asnPool: { start: platform.asn_pool_start, end: platform.asn_pool_end },
    daemon: {
      policyFile: daemon.policy_file,
      controlSocket: daemon.control_socket,
      checkCommand: daemon.check_command,
      sampleMs: 1000 * daemon.sample_sec,
      policyEndsSec: daemon.policy_ends_sec ?? policyEndsSec(daemon.sample_sec, generator.standby_after_sec),
    },
    budget: toBudget(budget),
  };
}

/**
 * So long that a standby has taken over before, and renewed it: the figures are in docs/operate/policy-generator.md.
 */
function policyEndsSec(sampleSec: number, standbyAfterSec: number): number {
  return Math.max(limits.policyEndsSecDefault, limits.renewalsOfPolicy * sampleSec, 2 * standbyAfterSec);
}

function vpnOf(vpn: Given["vpn"]): VpnConfig {
  if (vpn.headscale_url === undefined) {
    return { kind: "file", file: vpn.nodes_file ?? "" };
  }
  return {
    kind: "headscale",
    url: vpn.headscale_url.replace(/\/(api\/v1\/node\/?)?$/, ""),
    key: vpn.headscale_key ?? secretIn(vpn.headscale_key_file),
    approveRoutes: vpn.approve_routes,
  };
}

function secretIn(file: string | undefined): string {
  return file === undefined ? "" : readFileSync(file, "utf8").trim();
}
