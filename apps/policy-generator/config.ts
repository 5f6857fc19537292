/** The configuration of the policy generator: the sources of leases and devices, and the routing daemon. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import * as v from "valibot";
import { wholeNumber } from "../../lib/api/fields.ts";
import { type ListenAddress, listenAddress, listenAt } from "../../lib/config/addresses.ts";
import { defaultPorts } from "../../lib/config/default-ports.ts";
import type { Environment } from "../../lib/config/environment.ts";
import { type Contradiction, loadConfig } from "../../lib/config/load-config.ts";
import { configKey, numberKey } from "../../lib/config/shape.ts";
import { checkedText, filled } from "../../lib/config/values.ts";
import type { YamlSource } from "../../lib/config/yaml-file.ts";
import { type Prefix, parsePrefix } from "../../lib/ip/prefix.ts";
import type { AsnPool } from "../../lib/policy/mapping.ts";
import type { JoinRules } from "../../lib/policy/owners.ts";
import { type Budget, budgetSchema, toBudget } from "./budget-config.ts";
import * as limits from "./limits.ts";

const asn = wholeNumber(1, 4_294_967_294);
const webAddress = checkedText(
  (text) => /^https?:\/\/[^\s]+$/.test(text),
  "must be a http:// or https:// address",
);
const namedServer = checkedText(
  (text) => /^[a-z0-9-]{1,100}$/.test(text),
  "must be a name of lower-case letters, digits and hyphens",
);
const network = checkedText((text) => parsePrefix(text) !== null, "must be an address or a prefix");

export const generatorSchema = v.object({
  generator: v.optional(
    v.object({
      address: v.optional(
        configKey(listenAddress("ADDRESS:PORT, as 127.0.0.1:8091"), {
          meaning: "Where it listens; users of the VPN reach it on the tunnel's address",
        }),
        `127.0.0.1:${defaultPorts.policyGenerator}`,
      ),
      server: v.optional(
        configKey(namedServer, {
          meaning: "Name of this exchange server in the VPN, by which users' wishes name it",
          otherwise: "the host's name, up to the first dot",
        }),
      ),
      state_dir: v.optional(
        configKey(filled, { meaning: "Folder for the last known data, so that a restart has it too" }),
        "/var/lib/vantage/policy-generator",
      ),
      interval_sec: numberKey([1, limits.intervalSecMax], limits.intervalSecDefault, {
        meaning: "Between two looks at the sources",
        unit: "s",
      }),
      max_stale_sec: numberKey([1, limits.staleSecMax], limits.staleSecDefault, {
        meaning: "Age of data at which every route of every user is refused",
        unit: "s",
      }),
      alert_stale_sec: numberKey([1, limits.staleSecMax], limits.alertSecDefault, {
        meaning: "Age of data at which health is degraded",
        unit: "s",
      }),
      standby_after_sec: numberKey([1, limits.standbySecMax], limits.standbySecDefault, {
        meaning: "Silence of the generator after which one that runs with --standby does its work",
        unit: "s",
      }),
      operator_networks: v.optional(
        configKey(v.array(network), {
          meaning: "From where everything may be seen and refreshed",
          otherwise: "loopback",
        }),
        ["127.0.0.0/8", "::1"],
      ),
    }),
    {},
  ),
  gateway: v.object({
    url: configKey(webAddress, { meaning: "The peering gateway" }),
    key: v.optional(configKey(filled, { meaning: "Service key", otherwise: "`key_file`" })),
    key_file: v.optional(configKey(filled, { meaning: "File with the service key", otherwise: "none" })),
    watch: v.optional(
      configKey(v.boolean(), {
        meaning: "Ask the gateway for changes all the time; others have no such feed",
      }),
      true,
    ),
  }),
  vpn: v.object({
    headscale_url: v.optional(configKey(webAddress, { meaning: "Headscale's address", otherwise: "none" })),
    headscale_key: v.optional(
      configKey(filled, { meaning: "Its API key", otherwise: "`headscale_key_file`" }),
    ),
    headscale_key_file: v.optional(
      configKey(filled, { meaning: "File with its API key", otherwise: "none" }),
    ),
    nodes_file: v.optional(
      configKey(filled, {
        meaning: "Without Headscale: a device in each line, `USER_HASH 100.64.0.10 [IPV6]`",
        otherwise: "none",
      }),
    ),
    issuer: v.optional(
      configKey(filled, { meaning: "OIDC issuer by which Headscale names users", otherwise: "none" }),
    ),
    allow_email_join: v.optional(
      configKey(v.boolean(), { meaning: "Join by e-mail address users whom the VPN names no better" }),
      false,
    ),
    approve_routes: v.optional(
      configKey(v.boolean(), {
        meaning: "Keep Headscale's approved routes equal to the leases; one generator only",
      }),
      false,
    ),
  }),
  platform: v.object({
    asn: configKey(asn, { meaning: "AS of the platform" }),
    asn_pool_start: v.optional(configKey(asn, { meaning: "First ASN of users" }), 65_000),
    asn_pool_end: v.optional(configKey(asn, { meaning: "Last ASN of users" }), 65_999),
  }),
  daemon: v.optional(
    v.object({
      policy_file: v.optional(
        configKey(filled, { meaning: "File that the routing daemon includes" }),
        "/etc/bird/peering_generated.conf",
      ),
      control_socket: v.optional(
        configKey(filled, { meaning: "BIRD's control socket" }),
        "/run/bird/bird.ctl",
      ),
      check_command: v.optional(
        configKey(filled, { meaning: "The bird that checks a policy first" }),
        "bird",
      ),
      sample_sec: numberKey([1, 60], limits.sampleSecDefault, {
        meaning: "Between two looks at the sessions",
        unit: "s",
      }),
      policy_ends_sec: v.optional(
        configKey(wholeNumber(0, limits.policyEndsSecMax), {
          meaning: "How long BIRD has a policy that nobody renews; then it refuses every user. 0 = for ever",
          unit: "s",
          otherwise: "60, or more with a longer `sample_sec` or `standby_after_sec`",
        }),
      ),
    }),
    {},
  ),
  budget: v.optional(budgetSchema, {}),
});

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
    /** 0 = for ever. */
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

/** So long that a standby has taken over before, and renewed it: the figures are in docs/policy-generator.md. */
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
