/**
 * Files of the stack's exchange server, in DIR/exchange:
 *
 *     exchange.yaml    its settings, made once: yours to change (docs/reference/exchange-settings.md)
 *     bird.conf, peering_generated.conf    of BIRD, rendered from them
 *     transit1.conf, transit2.conf, collector.conf    of the networks outside: outside/plan.ts
 *     nodes            whose device the tunnel leads to: `vantage stack join`
 *     environment      variables for a user's side (docs/start/first-announcement.md)
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import { installedBird } from "../../../lib/peering/bird/parse-check.ts";
import { writeFiles } from "../../peering/exchange/render.ts";
import { type ExchangeSettings, readSettings } from "../../peering/exchange/settings.ts";
import { type GeneratorConfig, readGeneratorConfig } from "../../peering/generator/config.ts";
import { exchangeDirectory, serviceKeyPath } from "../gateway-folder.ts";
import { ownChanges } from "../limits.ts";
import { poolDefault } from "../pool-default.ts";
import { outsideSettings } from "./outside/plan.ts";
import { device, exchangeAddresses, exchangeName, namespace, userAddresses } from "./tunnel.ts";

/** unix(7): 108 bytes with the zero at the end. */
const socketPathBytesMax = 107;
/** AS and prefixes for documentation (RFC 5398, RFC 3849): used by no one. */
const asnDefault = 64_500;
const infrastructureDefault = "2001:db8:ffff::/48";
/** Seconds: a person waits for it. */
const lookEverySec = 2;

interface ExchangePaths {
  readonly settings: string;
  readonly birdConfig: string;
  readonly birdSocket: string;
  readonly birdPid: string;
  readonly nodes: string;
  readonly deviceSocket: string;
  readonly environment: string;
}

/** `directory`: the stack's. Throws an Error where its path is too long for sockets. */
export function exchangePaths(directory: string): ExchangePaths {
  const at = (name: string) => join(exchangeDirectory(directory), name);
  const deviceSocket = at("tailscaled.sock");
  if (Buffer.byteLength(deviceSocket) > socketPathBytesMax) {
    throw cannot(
      `Cannot run an exchange in ${directory}: the path is too long for sockets; give another --dir`,
    );
  }
  return {
    settings: at("exchange.yaml"),
    birdConfig: at("bird.conf"),
    birdSocket: at("bird.ctl"),
    birdPid: at("bird.pid"),
    nodes: at("nodes"),
    deviceSocket,
    environment: at("environment"),
  };
}

/** Settings as they are in the file, which is made where there is none; BIRD's files are made from them each time. */
export async function prepareExchange(directory: string): Promise<ExchangeSettings> {
  const paths = exchangePaths(directory);
  const folder = exchangeDirectory(directory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const version = await installedBird();
  if (version === null) {
    throw cannot("Cannot run an exchange: BIRD is not installed here (Debian: apt install bird2)");
  }
  if (!existsSync(paths.settings)) {
    writeWhole(paths.settings, settingsText(folder, version));
  }
  if (!existsSync(paths.nodes)) {
    writeWhole(paths.nodes, "# No user has joined: vantage stack join\n");
  }
  const source = { name: paths.settings, text: readFileSync(paths.settings, "utf8") };
  const settings = readSettings(source, process.env);
  writeFiles(settings, folder);
  return settings;
}

/** In the form that people write, as they continue with it. */
function settingsText(folder: string, birdVersion: string): string {
  return `# The exchange server of vantage stack. Made once: change it as you like, and start the stack again.
# All keys: docs/reference/exchange-settings.md
exchange:
  asn: ${asnDefault}
  router_id: 192.0.2.1
  tunnel_address: ${exchangeAddresses.v4}
  tunnel_device: ${device}
  policy_file: ${JSON.stringify(join(folder, "peering_generated.conf"))}
  bird_version: ${birdVersion}
platform:
  prefixes: [${poolDefault}]          # what leases lie in: VANTAGE_LEASES__POOL
  infrastructure_prefix: ${infrastructureDefault}
rpki: {host: 127.0.0.1}              # without an RTR server there, no route is known to be invalid
${outsideSettings}
kernel: {routes: none}               # this machine's own routes are left as they are
`;
}

export function generatorConfig(
  directory: string,
  settings: ExchangeSettings,
  peeringGateway: string,
): GeneratorConfig {
  const paths = exchangePaths(directory);
  const given = {
    generator: {
      address: `${exchangeAddresses.v4}:${defaultPorts.policyGenerator}`,
      server: exchangeName,
      state_dir: exchangeDirectory(directory),
      interval_sec: lookEverySec,
      operator_networks: ["127.0.0.0/8", "::1", exchangeAddresses.v4],
    },
    gateway: { url: peeringGateway, key_file: serviceKeyPath(directory) },
    vpn: { nodes_file: paths.nodes },
    platform: {
      asn: settings.exchange.asn,
      asn_pool_start: settings.platform.asn_pool_start,
      asn_pool_end: settings.platform.asn_pool_end,
    },
    daemon: {
      policy_file: settings.exchange.policy_file,
      control_socket: paths.birdSocket,
      sample_sec: 1,
    },
    budget: {
      announcements_per_hour: ownChanges.announcementsPerHour,
      prefix_burst: ownChanges.inARow,
      prefix_refill_sec: ownChanges.everySec,
    },
  };
  const source = { name: "the stack's policy generator", text: JSON.stringify(given) };
  return readGeneratorConfig(source, process.env);
}

/** For a shell: `set -a; . ./platform/exchange/environment; set +a`. */
export function writeEnvironment(
  directory: string,
  { gateway, collector }: { readonly gateway: string; readonly collector: string | null },
  { exchange }: ExchangeSettings,
): void {
  const { environment, deviceSocket } = exchangePaths(directory);
  const variables = {
    GATEWAY: gateway,
    ...(collector === null ? {} : { VANTAGE_COLLECTOR: collector }),
    PLATFORM_ASN: String(exchange.asn),
    TAILSCALED: deviceSocket,
    TUNNEL: `ip netns exec ${namespace}`,
    PAGE_ADDRESS: userAddresses.v4,
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}\n`);
  writeWhole(environment, lines.join(""));
}

/** The tunnel leads to this user's device from now on. */
export function writeOwner(directory: string, userHash: string): void {
  const { nodes } = exchangePaths(directory);
  writeWhole(nodes, `${userHash} ${userAddresses.v4} ${userAddresses.v6}\n`);
}

/** Whether the device has a user. */
export function hasOwner(directory: string): boolean {
  return /^[0-9a-f]{64} /m.test(readFileSync(exchangePaths(directory).nodes, "utf8"));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
