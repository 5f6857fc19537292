/** The configuration of the client stack: where VPN and routing daemon are. Only the platform's AS has no default. */
import * as v from "valibot";
import { wholeNumber } from "../../lib/api/fields.ts";
import { type ListenAddress, listenAddress, listenAt } from "../../lib/config/addresses.ts";
import { ConfigError, type ConfigProblem } from "../../lib/config/config-error.ts";
import { defaultPorts } from "../../lib/config/default-ports.ts";
import type { Environment } from "../../lib/config/environment.ts";
import { type Contradiction, loadConfig } from "../../lib/config/load-config.ts";
import { configKey, numberKey } from "../../lib/config/shape.ts";
import { checkedText, filled } from "../../lib/config/values.ts";
import type { YamlSource } from "../../lib/config/yaml-file.ts";
import type { feedPorts } from "../../lib/policy/feed-ports.ts";
import { type GatewayLogin, gatewayContradiction, gatewayLogin } from "./gateway-login.ts";
import { exchangeEverySecDefault, intervalSecDefault, intervalSecMax } from "./limits.ts";
import { readUser, type UserIdentity } from "./user-environment.ts";
import type { DiscoveryRule } from "./vpn/discover.ts";

/** It is quoted in BIRD's configuration, which has no escapes. */
const plainPath = checkedText(
  (text) => /^\/[!#-~]{0,254}$/.test(text) && !/[*?[\]{}\\]/.test(text),
  'must be an absolute path without spaces, " and wildcards',
);
const device = checkedText(
  (text) => /^[a-zA-Z0-9._-]{1,15}$/.test(text),
  "must be the name of a network device",
);
const tag = checkedText(
  (text) => /^tag:[a-z][a-z0-9-]{0,60}$/.test(text),
  "must be tag: and a word of a-z, 0-9 and -",
);
const hostPrefix = checkedText(
  (text) => /^[a-z0-9-]{1,60}$/.test(text),
  "must be the beginning of a host name",
);
const webAddress = checkedText(
  (text) => /^https?:\/\/\S+[^\s/]$/.test(text),
  "must be a http:// or https:// address",
);
const port = wholeNumber(1, 65_535);

export const bootstrapSchema = v.object({
  platform: v.object({
    asn: configKey(wholeNumber(1, 4_294_967_294), {
      meaning: "AS of the platform, that of every exchange server",
    }),
  }),
  vpn: v.optional(
    v.object({
      socket: v.optional(
        configKey(plainPath, { meaning: "tailscaled's socket" }),
        "/var/run/tailscale/tailscaled.sock",
      ),
      device: v.optional(configKey(device, { meaning: "Network device of the VPN" }), "tailscale0"),
      exchange_tag: v.optional(configKey(tag, { meaning: "Tag of exchange servers" }), "tag:exchange"),
      exchange_host_prefix: v.optional(
        configKey(hostPrefix, {
          meaning:
            "Beginning of exchange servers' host names, where they have no tag; any user can take such a name",
          otherwise: "by the tag",
        }),
      ),
      status_port: v.optional(
        configKey(port, { meaning: "Port of the session status at exchange servers" }),
        defaultPorts.policyGenerator,
      ),
      status_interval_sec: numberKey([1, intervalSecMax], exchangeEverySecDefault, {
        meaning: "Between two questions to each exchange server",
        unit: "s",
      }),
    }),
    {},
  ),
  daemon: v.optional(
    v.object({
      kind: v.optional(
        configKey(v.picklist(["bird", "frr"]), { meaning: "The routing daemon: BIRD 2 or FRR 8" }),
        "bird",
      ),
      feed: v.optional(
        configKey(v.picklist(["full", "partial", "default"]), {
          meaning:
            "What exchange servers tell: all; a default route and what peers and users tell; that route alone",
        }),
        "full",
      ),
      config_file: v.optional(
        configKey(plainPath, {
          meaning: "The daemon's configuration",
          otherwise: "`/etc/bird/bird.conf` or `/etc/frr/frr.conf`",
        }),
      ),
      snippets_dir: v.optional(
        configKey(plainPath, {
          meaning: "Folder of your own `*.conf`, which is only read",
          otherwise: "`/etc/bird/snippets` or `/etc/frr/snippets`",
        }),
      ),
      control_socket: v.optional(
        configKey(plainPath, {
          meaning: "BIRD's control socket, or the folder of FRR's sockets",
          otherwise: "`/run/bird/bird.ctl` or `/run/frr`",
        }),
      ),
      check_command: v.optional(
        configKey(filled, {
          meaning: "What checks a configuration first: BIRD itself, or FRR's vtysh",
          otherwise: "`bird` or `vtysh`",
        }),
      ),
      reload_command: v.optional(
        configKey(filled, { meaning: "What makes FRR load a configuration" }),
        "frr-reload.py",
      ),
      log: v.optional(
        configKey(v.picklist(["syslog", "stderr"]), { meaning: "Where the daemon writes its log" }),
        "stderr",
      ),
    }),
    {},
  ),
  gateway: v.optional(
    v.object({
      url: v.optional(configKey(webAddress, { meaning: "The peering gateway", otherwise: "none" })),
      token_file: v.optional(
        configKey(filled, {
          meaning: "File with your token for it, of the identity provider; read again for each request",
          otherwise: "none",
        }),
      ),
      profile: v.optional(
        configKey(filled, {
          meaning:
            "Instead of the two: a login of `vantage login` by the same user, as `vantage profiles` names it",
          otherwise: "none",
        }),
      ),
    }),
    {},
  ),
  bootstrap: v.optional(
    v.object({
      address: v.optional(
        configKey(listenAddress("ADDRESS:PORT, as 127.0.0.1:8092"), { meaning: "Where the status page is" }),
        `127.0.0.1:${defaultPorts.statusPage}`,
      ),
      state_dir: v.optional(
        configKey(plainPath, { meaning: "Folder for orders, and for the socket that takes them" }),
        "/var/lib/vantage/bootstrap",
      ),
      interval_sec: numberKey([1, intervalSecMax], intervalSecDefault, {
        meaning: "Between two checks of VPN and daemon",
        unit: "s",
      }),
    }),
    {},
  ),
});

/** The part that is needed to find the service. */
const whereSchema = v.object({
  ...bootstrapSchema.entries,
  platform: v.optional(v.partial(bootstrapSchema.entries.platform)),
});

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
  readonly user: UserIdentity;
  readonly platformAsn: number;
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
  if (user === null || given === null) {
    throw new ConfigError(problems);
  }
  return toConfig(user, given, { environment, file: source.name });
}

/** The folder of the service's control socket, for any user. Throws ConfigError. */
export function readStateFolder(source: YamlSource, environment: Environment): string {
  const given = loadConfig({ schema: whereSchema, source, environment, environmentPrefixes });
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

function contradictions({ gateway, daemon }: Given): Contradiction[] {
  const found: Contradiction[] = [];
  const reason = gatewayContradiction(gateway);
  if (reason !== null) {
    found.push({ path: ["gateway", "url"], reason });
  }
  const { configFile, snippetsFolder } = daemonOf(daemon);
  if (configFile.startsWith(`${snippetsFolder}/`)) {
    found.push({ path: ["daemon", "config_file"], reason: "must not lie in snippets_dir, which is yours" });
  }
  return found;
}

function toConfig(
  user: UserIdentity,
  given: Given,
  place: { readonly environment: Environment; readonly file: string },
): BootstrapConfig {
  const { platform, vpn, daemon, gateway, bootstrap } = given;
  return {
    user,
    platformAsn: platform.asn,
    vpn: { socket: vpn.socket, device: vpn.device, statusPort: vpn.status_port },
    rule: { tag: vpn.exchange_tag, hostPrefix: vpn.exchange_host_prefix ?? null },
    daemon: daemonOf(daemon),
    gateway: gatewayLogin(gateway, place),
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
