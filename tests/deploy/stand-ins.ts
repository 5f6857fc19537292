/**
 * What the images of compose.yaml would bring, out of Debian's packages and this project. ClickHouse's server,
 * Keycloak, Headscale and Tailscale are stood in for; Kafka, PostgreSQL, Caddy, BIRD and StayRTR are real.
 */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readEndpoint } from "../../lib/engines/store/clickhouse/endpoint-file.ts";
import { exchangeDevice, Tailscaled } from "../contract/bootstrap/tailscaled.ts";
import { kafkaScripts } from "../kafka/kafka-scripts.ts";
import { ipBatch, run } from "../lab/namespaces.ts";
import { postgresFiles } from "../postgres/postgres-files.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { type ComposeService, isOurs, projectRoot } from "./compose-file.ts";
import type { Mount } from "./container.ts";
import type { StandInScene } from "./place.ts";

interface Image {
  /** As it is run. */
  readonly service: ComposeService;
  readonly command: readonly string[];
  readonly user: string;
  readonly mounts: readonly Mount[];
  readonly variables: Readonly<Record<string, string>>;
  readonly prepare: readonly string[];
  /** When it is healthy. */
  readonly after?: () => Promise<void>;
}

type Maker = (service: ComposeService, scene: StandInScene, name: string) => Promise<Image>;

const plain = { command: [], user: "0:0", mounts: [], variables: {}, prepare: [] };
const makers: Readonly<Record<string, Maker>> = {
  ...{
    edge,
    kafka,
    "kafka-topics": kafka,
    postgres,
    clickhouse,
    keycloak,
    headscale,
    vpn,
    "exchange-vpn": vpn,
  },
};

/** What the Dockerfile copies to the images of a client. */
const clientFiles = ["while-connected", "vpn-device"].map(
  (name) => `install -m 0755 ${join(projectRoot, "deploy/client", name)} usr/local/bin/${name}`,
);

/** Rejects for a service that nothing here can be. */
export function imageOf(name: string, scene: StandInScene): Promise<Image> {
  const service = scene.service(name);
  const maker = makers[name] ?? (isOurs(service) ? ours : undefined);
  return maker?.(service, scene, name) ?? Promise.reject(new Error(`Nothing stands in for ${name}`));
}

/** Checks that a service runs, for those that are healthy with a session: no stand-in of the VPN leads to one. */
const aliveTests: Readonly<Record<string, readonly string[]>> = {
  bootstrap: ["CMD", "vantage", "health", "http://127.0.0.1:8092/health"],
  "routing-daemon": ["CMD", "birdc", "-r", "-s", "/run/bird/bird.ctl", "show", "status"],
};

/** As the stages of the Dockerfile leave it. */
async function ours(given: ComposeService, scene: StandInScene, name: string): Promise<Image> {
  const [program = "", ...source] = vantageCommand;
  // On another machine, from where the platform is reached by its public names; or as one that asks by these.
  const isOutside = given.network_mode === "host" || given.depends_on.edge !== undefined;
  const file = scene.path("edge-root.crt");
  if (isOutside) {
    await scene.up("edge");
  }
  mkdirSync(scene.path("store"), { recursive: true });
  const test = aliveTests[name];
  const checked =
    test === undefined ? given : { ...given, healthcheck: { test: [...test], start_period: "0s" } };
  return {
    ...{ service: checked, command: ["vantage"], user: "10001:10001" },
    mounts: [
      ...(source.length === 0
        ? [{ source: program, target: "/usr/local/bin/vantage", isReadOnly: true }]
        : []),
      { source: scene.path("store"), target: "/run/store", isReadOnly: true },
      ...(isOutside ? [{ source: file, target: "/run/edge-root.crt", isReadOnly: true }] : []),
    ],
    variables: isOutside
      ? { NODE_EXTRA_CA_CERTS: "/run/edge-root.crt", SSL_CERT_FILE: "/run/edge-root.crt" }
      : {},
    prepare: [
      `printf '#!/bin/sh\\nexec ${vantageCommand.join(" ")} "$@"\\n' >usr/local/bin/vantage`,
      "chmod 0755 usr/local/bin/vantage",
      ...clientFiles,
      "rm -rf etc/bird etc/vantage var/lib/vantage",
      "install -d -o 10001 -g 10001 -m 0750 etc/bird run/bird etc/vantage var/lib/vantage",
    ],
  };
}

/** Debian's Caddy, which signs by itself. */
async function edge(service: ComposeService, scene: StandInScene): Promise<Image> {
  const root = join(scene.volume("edge-data", "0:0"), "caddy/pki/authorities/local/root.crt");
  return {
    ...{ ...plain, service },
    command: ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"],
    variables: { XDG_DATA_HOME: "/data", XDG_CONFIG_HOME: "/config", EDGE_OPTIONS: "local_certs" },
    after: async () => {
      copyFileSync(root, scene.path("edge-root.crt"));
      chmodSync(scene.path("edge-root.crt"), 0o644);
    },
  };
}

/** As Maven has it. */
async function kafka(service: ComposeService): Promise<Image> {
  const { scripts, folder } = await kafkaScripts();
  const written = Object.entries(scripts).map(
    ([name, text]) => `printf '%s' '${text}' >opt/kafka/bin/${name}`,
  );
  const prepare = [
    // It was made for its maker alone.
    `chmod a+rx .${folder}`,
    "mkdir -p opt/kafka/bin etc/vantage var/lib/kafka/data",
    ...written,
    "chmod a+x opt/kafka/bin/*.sh",
  ];
  return { ...plain, service, user: "1000:1000", prepare };
}

/** Debian's PostgreSQL, begun as its image begins an empty folder. */
async function postgres(given: ComposeService, scene: StandInScene): Promise<Image> {
  const { server, emptyCluster } = postgresFiles();
  const user = (await run(["stat", "--format=%u:%g", emptyCluster])).trim();
  await run(["cp", "--archive", `${emptyCluster}/.`, scene.volume("postgres-data", user)]);
  const begin = [
    "set -e",
    `PATH=${dirname(server)}:$PATH PGHOST=/run/postgresql PGDATA=/var/lib/postgresql/data`,
    "export PGHOST PGDATA",
    "chmod 0700 $PGDATA",
    'echo "host all all all scram-sha-256" >>$PGDATA/pg_hba.conf',
    "pg_ctl --wait --silent --log=/tmp/log --options=\"-c listen_addresses='' -k $PGHOST\" start",
    "sh /docker-entrypoint-initdb.d/databases.sh",
    "pg_ctl --wait --silent stop",
    "exec postgres -c 'listen_addresses=*' -k $PGHOST -c fsync=off -c shared_buffers=32MB",
  ];
  const service = {
    ...given,
    ...{ user, entrypoint: ["sh", "-c", begin.join("\n")], tmpfs: ["/tmp", "/run/postgresql"] },
  };
  return { ...plain, service, user };
}

/** chDB; its address is what our services are given as their secret. */
async function clickhouse(given: ComposeService, scene: StandInScene): Promise<Image> {
  const folder = scene.volume("clickhouse-data", "0:0");
  const program = join(import.meta.dirname, "store-stand-in.ts");
  const entrypoint = [process.execPath, program, "/var/lib/clickhouse", "8123"];
  return {
    ...plain,
    service: {
      ...given,
      user: "0:0",
      entrypoint,
      secrets: [],
      volumes: ["clickhouse-data:/var/lib/clickhouse"],
    },
    after: async () => {
      const { token = "", pid = 0 } = readEndpoint(folder) ?? {};
      const endpoint = { url: "http://clickhouse:8123", token, pid };
      writeFileSync(scene.path("store/endpoint.json"), JSON.stringify(endpoint));
      for (const name of ["address", "gateway", "ingester"]) {
        scene.giveSecret(`clickhouse_${name}`, "chdb:/run/store");
      }
    },
  };
}

/** An identity provider that runs before it has an answer about its realm, as one that takes it over. */
async function keycloak(given: ComposeService): Promise<Image> {
  const answer = `const atMs = Date.now() + 1500; Bun.serve({ port: 8080, hostname: "0.0.0.0", fetch: ({ url }) =>
    url.endsWith("/health") ? new Response() : Date.now() < atMs || !url.endsWith("/.well-known/openid-configuration")
      ? new Response("not yet", { status: 503 }) : Response.json({ issuer: "" }) })`;
  const test = ["CMD", "wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/health"];
  const service = {
    ...given,
    ...{
      entrypoint: [process.execPath, "-e", answer],
      command: [],
      secrets: [],
      volumes: [],
      depends_on: {},
    },
    healthcheck: { test, start_period: "0s" },
  };
  return { ...plain, service };
}

/** A coordination server with nobody in its VPN. */
async function headscale(given: ComposeService): Promise<Image> {
  const answer = 'Bun.serve({ port: 8080, hostname: "0.0.0.0", fetch: () => Response.json({ nodes: [] }) })';
  const healthcheck = {
    test: ["CMD", "wget", "-q", "--spider", "http://127.0.0.1:8080/"],
    start_period: "0s",
  };
  const entrypoint = [process.execPath, "-e", answer];
  const service = {
    ...given,
    ...{ entrypoint, command: [], secrets: [], volumes: [], healthcheck },
  };
  return { ...plain, service };
}

/** The tunnel's device, and for a client tailscaled's socket, with an exchange server in the VPN. */
async function vpn(given: ComposeService, scene: StandInScene, name: string): Promise<Image> {
  const isClient = name === "vpn";
  const address = isClient ? "100.64.0.11" : "100.64.0.1";
  const lines = [
    "tuntap add tailscale0 mode tun",
    `address add ${address}/10 dev tailscale0`,
    "link set tailscale0 up",
  ];
  await ipBatch(lines, "-n", scene.namespaceOf(name));
  if (isClient) {
    const socket = join(scene.volume("client-vpn-socket", "0:0"), "tailscaled.sock");
    scene.use(new Tailscaled(socket, [exchangeDevice(1)]));
    chmodSync(socket, 0o666);
  }
  const healthcheck = { test: ["CMD", "true"], start_period: "0s" };
  const volumes = given.volumes.filter((volume) => volume.startsWith("."));
  const service = { ...given, ...{ secrets: [], volumes, healthcheck } };
  if (!isClient) {
    return { ...plain, service, command: ["sleep", "infinity"] };
  }
  const programs = [
    "printf '#!/bin/sh\\nexec sleep infinity\\n' >usr/local/bin/tailscaled",
    // It is in the VPN, with this address.
    `printf '#!/bin/sh\\ncase "$*" in *"ip -4") echo ${address};; esac\\n' >usr/local/bin/tailscale`,
  ];
  const prepare = [
    ...clientFiles,
    ...programs,
    "chmod 0755 usr/local/bin/tailscaled usr/local/bin/tailscale",
    `install -D ${join(projectRoot, "deploy/client/clamp.nft")} etc/vantage/clamp.nft`,
  ];
  return { ...plain, service, command: ["while-connected", "vpn-device"], prepare };
}
