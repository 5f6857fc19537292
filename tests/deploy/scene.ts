/**
 * The whole of compose.yaml on this machine, a profile at a time: networks, names, volumes, secrets, and containers in
 * the order that they wait for each other. What belongs to others is stood in for by stand-ins.ts.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { InVain } from "../exchange/until.ts";
import { inNamespace, run } from "../lab/namespaces.ts";
import { type ComposeFile, type ComposeService, projectRoot, readCompose } from "./compose-file.ts";
import { Container, type Mount } from "./container.ts";
import type { StandInScene } from "./place.ts";
import { imageOf } from "./stand-ins.ts";
import { type Port, Switch } from "./switch.ts";

const healthLimitMs = 240_000;
const healthPauseMs = 100;
/** Names that lead to the way in, wherever somebody is. */
const publicNames = ["probing", "peering", "login", "vpn", "watch"];

export class Scene implements StandInScene, AsyncDisposable {
  readonly compose: ComposeFile;
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-compose-"));
  readonly #domain: string;
  readonly #switch: Switch;
  readonly #ports = new Map<string, Port>();
  readonly #containers = new Map<string, Promise<Container>>();
  readonly #running: Container[] = [];
  readonly #parts = new AsyncDisposableStack();

  private constructor(variables: Readonly<Record<string, string>>, net: Switch) {
    this.compose = readCompose(variables);
    this.#domain = variables.PLATFORM_DOMAIN ?? "";
    this.#switch = net;
    chmodSync(this.folder, 0o755);
  }

  static async make(variables: Readonly<Record<string, string>>): Promise<Scene> {
    const networks = Object.keys(readCompose(variables).networks);
    const scene = new Scene(variables, await Switch.make(networks));
    await run(["sh", join(projectRoot, "deploy/make-secrets.sh"), scene.#domain, scene.path("secrets")]);
    await scene.#joinAll();
    return scene;
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  giveSecret(name: string, text: string): void {
    rmSync(this.path("secrets", name), { force: true });
    writeFileSync(this.path("secrets", name), text, { mode: 0o444 });
  }

  service(name: string): ComposeService {
    const service = this.compose.services[name];
    if (service === undefined) {
      throw new Error(`compose.yaml has no service "${name}"`);
    }
    return service;
  }

  /** Starts it, and before it what it waits for; resolves when it is healthy, or has ended where that is its way. */
  up(name: string): Promise<Container> {
    const known = this.#containers.get(name);
    const starting = known ?? this.#start(name);
    this.#containers.set(name, starting);
    return starting;
  }

  namespaceOf(name: string): string {
    return this.#portOf(name).namespace;
  }

  async #start(name: string): Promise<Container> {
    const { service, ...image } = await imageOf(name, this);
    await Promise.all(Object.keys(service.depends_on).map((other) => this.up(other)));
    for (const [key, value] of Object.entries(service.sysctls)) {
      await run(inNamespace(this.namespaceOf(name), ["sysctl", "--quiet", "--write", `${key}=${value}`]));
    }
    const container = new Container({
      ...{ name, service, folder: this.path("containers", name), namespace: this.namespaceOf(name) },
      mounts: [...this.#mounts(service, image.user), ...image.mounts, this.#hosts(name)],
      ...{ imageCommand: image.command, imageUser: image.user },
      ...{ variables: image.variables, prepare: image.prepare },
    });
    this.#running.push(container);
    await (service.healthcheck === undefined ? container.completed() : this.#healthy(container));
    await image.after?.();
    return container;
  }

  async #healthy(container: Container): Promise<void> {
    const endMs = performance.now() + healthLimitMs;
    while (!(await container.isHealthy())) {
      if (performance.now() > endMs) {
        const { name, lastCheck } = container;
        throw new InVain(`${name} does not become healthy: ${lastCheck}\n${this.saidAll()}`);
      }
      await Bun.sleep(healthPauseMs);
    }
  }

  #mounts(service: ComposeService, imageUser: string): Mount[] {
    const volumes = service.volumes.map((volume): Mount => {
      const [source = "", target = "", mode = "rw"] = volume.split(":");
      const isFile = source.startsWith(".");
      const place = isFile ? join(projectRoot, source) : this.volume(source, imageUser);
      return { source: place, target, isReadOnly: mode === "ro" };
    });
    const secrets = service.secrets.map(
      ({ source, target }): Mount => ({ source: this.path("secrets", source), target, isReadOnly: true }),
    );
    return [...volumes, ...secrets];
  }

  volume(name: string, owner: string): string {
    const folder = this.path("volumes", name);
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true });
      const [user = 0, group = 0] = owner.split(":").map(Number);
      chownSync(folder, user, group);
    }
    return folder;
  }

  use(part: AsyncDisposable): void {
    this.#parts.use(part);
  }

  /** Each service has a place in its networks; those of the host, or of another service, share one. */
  async #joinAll(): Promise<void> {
    for (const [name, { networks, network_mode: mode, profiles }] of Object.entries(this.compose.services)) {
      const own = Array.isArray(networks) ? networks : Object.keys(networks);
      // Compose's own network leads outside, too.
      const joined = mode === "host" || (mode === undefined && own.length === 0) ? ["outside"] : own;
      const key = mode === "host" ? `host-${profiles[0]}` : name;
      if (mode?.startsWith("service:") !== true && !this.#ports.has(key)) {
        const hasWayOut = joined.some((network) => this.compose.networks[network]?.internal !== true);
        this.#ports.set(key, await this.#switch.join(key, joined, hasWayOut && joined.length > 0));
      }
    }
  }

  #portOf(name: string): Port {
    const { network_mode: mode, profiles } = this.service(name);
    const key = mode === "host" ? `host-${profiles[0]}` : (mode?.replace("service:", "") ?? name);
    const port = this.#ports.get(mode === "none" ? name : key);
    if (port === undefined) {
      throw new Error(`No network was made for ${name}`);
    }
    return port;
  }

  /** Names of those in the same networks; from other machines, of what the platform's machine shows. */
  #hosts(name: string): Mount {
    const own = this.#portOf(name).addresses;
    const neighbours = [...this.#ports].flatMap(([other, { addresses }]) =>
      Object.entries(addresses).flatMap(([network, address]) =>
        own[network] === undefined || other.startsWith("host-")
          ? []
          : [`${address} ${[other, ...this.#aliases(other, network)].join(" ")}`],
      ),
    );
    const file = this.path(`hosts-${name}`);
    writeFileSync(
      file,
      [`127.0.0.1 localhost ${hostname()}`, ...neighbours, ...this.#publicHosts(name)].join("\n"),
    );
    return { source: file, target: "/etc/hosts", isReadOnly: true };
  }

  #aliases(name: string, network: string): readonly string[] {
    const { networks } = this.service(name);
    const joined = Array.isArray(networks) ? null : networks[network];
    return (joined?.aliases ?? []) as string[];
  }

  #publicHosts(name: string): string[] {
    const address = (service: string) => this.#portOf(service).addresses.outside;
    if (!this.service(name).profiles.includes("platform")) {
      const names = publicNames.map((host) => `${address("edge")} ${host}.${this.#domain}`);
      return [...names, `${address("kafka")} kafka.${this.#domain}`];
    }
    const aliases = this.#aliases("edge", "outside");
    return this.#portOf(name).addresses.outside === undefined
      ? []
      : aliases.map((alias) => `${address("edge")} ${alias}`);
  }

  /** What the containers said, for a test that fails. */
  saidAll(): string {
    return this.#running.map((container) => `── ${container.name}\n${container.said()}`).join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((container) => container[Symbol.asyncDispose]()));
    await this.#parts[Symbol.asyncDispose]();
    this.#switch[Symbol.dispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
