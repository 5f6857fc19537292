/** The configuration of the client stack: where VPN and routing daemon are, and who the user is. */
import type * as v from "valibot";
import { type ListenAddress, listenAt } from "../../../lib/engines/config/addresses.ts";
import { ConfigError, type ConfigProblem } from "../../../lib/engines/config/config-error.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { type Contradiction, loadConfig } from "../../../lib/engines/config/load-config.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { settingsFolder } from "../../../lib/engines/gateway-client/profiles.ts";
import type { feedPorts } from "../../../lib/peering/policy/feed-ports.ts";
import { bootstrapSchema } from "./config-schema.ts";
import { type GatewayLogin, gatewayContradiction, gatewayLogin } from "./gateway-login.ts";
import { missingAsn, readUser, type UserSettings } from "./user-environment.ts";
import type { DiscoveryRule } from "./vpn/discover.ts";

type Given = v.InferOutput<typeof bootstrapSchema>;

export type DaemonKind = Given["daemon"]["kind"];

/** Defaults of each daemon on Debian. */
export const daemonDefaults = {
  bird: {
    configFile: "/etc/bird/bird.conf",
    snippetsFolder: "/etc/bird/snippets",
    controlSocket: "/run/bird/bird.ctl",
    checkCommand: "bird",
  },
  frr: {
    configFile: "/etc/frr/frr.conf",
    snippetsFolder: "/etc/frr/snippets",
    controlSocket: "/run/frr",
    checkCommand: "vtysh",
  },
} as const satisfies Record<DaemonKind, object>;

export interface BootstrapConfig {
  readonly user: UserSettings;
  /** Null = as the gateway states it. */
  readonly platformAsn: number | null;
  readonly vpn: { readonly socket: string; readonly device: string; readonly statusPort: number };
  readonly rule: DiscoveryRule;
  readonly daemon: {
    readonly kind: DaemonKind;
    readonly configFile: string;
    readonly snippetsFolder: string;
    /** BIRD's socket, or the folder of FRR's. */
    readonly controlSocket: string;
    readonly checkCommand: string;
    /** FRR only: BIRD reads its file itself. */
    readonly reloadCommand: string;
    readonly log: "syslog" | "stderr";
    readonly feed: keyof typeof feedPorts;
  };
  /** Null = leases are read from exchange servers only. */
  readonly gateway: GatewayLogin | null;
  /** A probing gateway at which the service itself logs in; null = it does not. */
  readonly loginAt: string | null;
  /** Folder of logins. */
  readonly settingsFolder: string;
  readonly listen: ListenAddress;
  readonly stateFolder: string;
  readonly intervalMs: number;
  /** Between two questions to each exchange server. */
  readonly exchangeEveryMs: number;
}

const environmentPrefixes = ["VANTAGE_BOOTSTRAP_"];

/** `USER_ASN` and `USER_PREFIXES` come from the environment only. Throws ConfigError with every problem. */
export function readBootstrapConfig(source: YamlSource, environment: Environment): BootstrapConfig {
  const problems: ConfigProblem[] = [];
  const user = collecting(problems, () => readUser(environment));
  const given = collecting(problems, () =>
    loadConfig({
      schema: bootstrapSchema,
      source,
      environment,
      environmentPrefixes,
      contradictions,
    }),
  );
  if (user?.asn === null && given !== null && !hasGateway(given.gateway)) {
    problems.push(missingAsn);
  }
  if (user === null || given === null || problems.length > 0) {
    throw new ConfigError(problems);
  }
  return toConfig(user, given, { environment, file: source.name });
}

/** The folder of the service's control socket, for any user. Throws ConfigError. */
export function readStateFolder(source: YamlSource, environment: Environment): string {
  const given = loadConfig({ schema: bootstrapSchema, source, environment, environmentPrefixes });
  return given.bootstrap.state_dir;
}

function collecting<Result>(problems: ConfigProblem[], read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    problems.push(...error.problems);
    return null;
  }
}

/** Whether a gateway will state what the environment leaves out. */
function hasGateway({ url, profile, login }: Given["gateway"]): boolean {
  return (url ?? profile ?? login) !== undefined;
}

function contradictions({ gateway, daemon, platform }: Given): Contradiction[] {
  const found: Contradiction[] = [];
  const reason = gatewayContradiction(gateway);
  if (reason !== null) {
    found.push({ path: ["gateway", "url"], reason });
  }
  if (platform.asn === undefined && !hasGateway(gateway)) {
    found.push({ path: ["platform", "asn"], reason: "is missing, and no gateway is configured to state it" });
  }
  const { configFile, snippetsFolder } = daemonOf(daemon);
  if (configFile.startsWith(`${snippetsFolder}/`)) {
    found.push({ path: ["daemon", "config_file"], reason: "must not lie in snippets_dir, which is yours" });
  }
  return found;
}

function toConfig(
  user: UserSettings,
  given: Given,
  place: { readonly environment: Environment; readonly file: string },
): BootstrapConfig {
  const { platform, vpn, daemon, gateway, bootstrap } = given;
  return {
    user,
    platformAsn: platform.asn ?? null,
    vpn: { socket: vpn.socket, device: vpn.device, statusPort: vpn.status_port },
    rule: { tag: vpn.exchange_tag, hostPrefix: vpn.exchange_host_prefix ?? null },
    daemon: daemonOf(daemon),
    gateway: gatewayLogin(gateway, place),
    loginAt: gateway.login ?? null,
    settingsFolder: settingsFolder(place.environment),
    listen: listenAt(bootstrap.address),
    stateFolder: bootstrap.state_dir,
    intervalMs: 1000 * bootstrap.interval_sec,
    exchangeEveryMs: 1000 * vpn.status_interval_sec,
  };
}

function daemonOf({ kind, ...given }: Given["daemon"]): BootstrapConfig["daemon"] {
  const usual = daemonDefaults[kind];
  return {
    kind,
    configFile: given.config_file ?? usual.configFile,
    snippetsFolder: given.snippets_dir ?? usual.snippetsFolder,
    controlSocket: given.control_socket ?? usual.controlSocket,
    checkCommand: given.check_command ?? usual.checkCommand,
    reloadCommand: given.reload_command,
    log: given.log,
    feed: given.feed,
  };
}
