/** The configuration of the client stack: where VPN and routing daemon are. Only the platform's AS has no default. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { ConfigError, type ConfigProblem } from "../../lib/config/config-error.ts";
import type { Environment } from "../../lib/config/environment.ts";
import { type Contradiction, loadConfig } from "../../lib/config/load-config.ts";
import { configKey } from "../../lib/config/shape.ts";
import { checkedText, filled, wholeNumber } from "../../lib/config/values.ts";
import type { YamlSource } from "../../lib/config/yaml-file.ts";
import { intervalSecDefault, intervalSecMax } from "./limits.ts";
import { readUser, type UserIdentity } from "./user-environment.ts";
import type { DiscoveryRule } from "./vpn/discover.ts";

/** Goes between quotes into BIRD's configuration, where nothing can be escaped. */
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
const listenAddress = checkedText(
  (text) => listenOf(text) !== null,
  "must be ADDRESS:PORT, as 127.0.0.1:8092",
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
      status_port: v.optional(configKey(port, { meaning: "Where exchange servers tell of sessions" }), 8091),
    }),
    {},
  ),
  daemon: v.optional(
    v.object({
      config_file: v.optional(
        configKey(plainPath, { meaning: "BIRD's configuration" }),
        "/etc/bird/bird.conf",
      ),
      snippets_dir: v.optional(
        configKey(plainPath, { meaning: "Folder of your own `*.conf`, which is only read" }),
        "/etc/bird/snippets",
      ),
      control_socket: v.optional(
        configKey(plainPath, { meaning: "BIRD's control socket" }),
        "/run/bird/bird.ctl",
      ),
      check_command: v.optional(
        configKey(filled, { meaning: "The bird that reads a configuration first" }),
        "bird",
      ),
      log: v.optional(
        configKey(v.picklist(["syslog", "stderr"]), { meaning: "Where BIRD writes its log" }),
        "stderr",
      ),
    }),
    {},
  ),
  gateway: v.optional(
    v.object({
      url: v.optional(configKey(webAddress, { meaning: "The peering gateway", otherwise: "none" })),
      token_file: v.optional(
        configKey(filled, { meaning: "File with your token for it", otherwise: "none" }),
      ),
    }),
    {},
  ),
  bootstrap: v.optional(
    v.object({
      address: v.optional(
        configKey(listenAddress, { meaning: "Where the status page is" }),
        "127.0.0.1:8092",
      ),
      state_dir: v.optional(
        configKey(plainPath, { meaning: "Folder for orders, and for the socket that takes them" }),
        "/var/lib/vantage/bootstrap",
      ),
      interval_sec: v.optional(
        configKey(wholeNumber(1, intervalSecMax), {
          meaning: "Between two looks at VPN and daemon",
          unit: "s",
        }),
        intervalSecDefault,
      ),
    }),
    {},
  ),
});

type Given = v.InferOutput<typeof bootstrapSchema>;

export interface BootstrapConfig {
  readonly user: UserIdentity;
  readonly platformAsn: number;
  readonly vpn: { readonly socket: string; readonly device: string; readonly statusPort: number };
  readonly rule: DiscoveryRule;
  readonly daemon: {
    readonly configFile: string;
    readonly snippetsFolder: string;
    readonly controlSocket: string;
    readonly checkCommand: string;
    readonly log: "syslog" | "stderr";
  };
  /** Null = nobody is asked for leases but the exchange servers. */
  readonly gateway: { readonly url: string; readonly token: string } | null;
  readonly listen: { readonly host: string; readonly port: number };
  readonly stateFolder: string;
  readonly intervalMs: number;
}

/** `USER_ASN` and `USER_PREFIXES` are of the environment alone. Throws ConfigError with every problem. */
export function readBootstrapConfig(source: YamlSource, environment: Environment): BootstrapConfig {
  const problems: ConfigProblem[] = [];
  const user = collecting(problems, () => readUser(environment));
  const given = collecting(problems, () =>
    loadConfig({
      schema: bootstrapSchema,
      source,
      environment,
      environmentPrefixes: ["VANTAGE_BOOTSTRAP_"],
      contradictions,
    }),
  );
  if (user === null || given === null) {
    throw new ConfigError(problems);
  }
  return toConfig(user, given);
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
  if ((gateway.url === undefined) !== (gateway.token_file === undefined)) {
    found.push({ path: ["gateway", "url"], reason: "give both url and token_file, or neither" });
  }
  if (daemon.config_file.startsWith(`${daemon.snippets_dir}/`)) {
    found.push({ path: ["daemon", "config_file"], reason: "must not lie in snippets_dir, which is yours" });
  }
  return found;
}

function toConfig(user: UserIdentity, { platform, vpn, daemon, gateway, bootstrap }: Given): BootstrapConfig {
  return {
    user,
    platformAsn: platform.asn,
    vpn: { socket: vpn.socket, device: vpn.device, statusPort: vpn.status_port },
    rule: { tag: vpn.exchange_tag, hostPrefix: vpn.exchange_host_prefix ?? null },
    daemon: {
      configFile: daemon.config_file,
      snippetsFolder: daemon.snippets_dir,
      controlSocket: daemon.control_socket,
      checkCommand: daemon.check_command,
      log: daemon.log,
    },
    gateway:
      gateway.url === undefined || gateway.token_file === undefined
        ? null
        : { url: gateway.url, token: readFileSync(gateway.token_file, "utf8").trim() },
    listen: listenOf(bootstrap.address) ?? { host: "127.0.0.1", port: 0 },
    stateFolder: bootstrap.state_dir,
    intervalMs: 1000 * bootstrap.interval_sec,
  };
}

/** `127.0.0.1:8092` or `[::1]:8092`; port 0 lets the system choose. Null on anything else. */
function listenOf(text: string): { host: string; port: number } | null {
  const [, host, portText] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(text) ?? [];
  const parsed = Number(portText);
  return host === undefined || parsed > 65_535 ? null : { host: host.replace(/^\[|\]$/g, ""), port: parsed };
}
