/** The coordination server of the lab: the operator's example configuration, with places of this run by variables. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import type { VpnLab } from "./place.ts";
import { coordinationPort, coordinationUrl, underlay } from "./plan.ts";

const example = join(import.meta.dirname, "../../../deploy/headscale");
export const clientId = "vantage-vpn";
export const clientSecret = "development-only";
/** Behind the relay. */
const serverPort = 8442;
export const redirectUri = `${coordinationUrl}/oidc/callback`;

interface NodeList {
  readonly nodes: readonly {
    readonly id: string;
    readonly givenName: string;
    readonly ipAddresses: readonly string[];
    readonly online: boolean;
    readonly availableRoutes: readonly string[];
    readonly approvedRoutes: readonly string[];
    readonly subnetRoutes: readonly string[];
    readonly user: { readonly providerId: string; readonly email: string } | null;
    readonly tags: readonly string[];
  }[];
}

export class Headscale {
  readonly #place: VpnLab;
  readonly #environment: Readonly<Record<string, string>>;
  #relay: Daemon | null = null;

  /** `policy`: a file of deploy/headscale. */
  constructor(place: VpnLab, options: { readonly issuerUrl: string; readonly policy: string }) {
    this.#place = place;
    const secretFile = join(place.folder, "client-secret");
    writeFileSync(secretFile, clientSecret, { mode: 0o600 });
    this.#environment = {
      HEADSCALE_SERVER_URL: coordinationUrl,
      HEADSCALE_LISTEN_ADDR: `${underlay.core}:${serverPort}`,
      HEADSCALE_TLS_CERT_PATH: place.certificate,
      HEADSCALE_TLS_KEY_PATH: place.certificateKey,
      HEADSCALE_UNIX_SOCKET: join(place.folder, "headscale.sock"),
      HEADSCALE_NOISE_PRIVATE_KEY_PATH: join(place.folder, "noise.key"),
      HEADSCALE_DATABASE_SQLITE_PATH: join(place.folder, "headscale.sqlite"),
      HEADSCALE_DERP_SERVER_PRIVATE_KEY_PATH: join(place.folder, "derp.key"),
      HEADSCALE_POLICY_PATH: join(example, options.policy),
      HEADSCALE_OIDC_ISSUER: options.issuerUrl,
      HEADSCALE_OIDC_CLIENT_ID: clientId,
      HEADSCALE_OIDC_CLIENT_SECRET_PATH: secretFile,
    };
  }

  get apiKeyFile(): string {
    return join(this.#place.folder, "headscale.key");
  }

  async start(): Promise<void> {
    const place = this.#place;
    this.#relay = await startRelay(place);
    const command = this.#commandLine("serve");
    place.transcript.started("core", command);
    const daemon = place.daemon("headscale", "core", command, this.#environment);
    const key = await until("Headscale", () => {
      daemon.mustRun();
      return this.#command("apikeys", "create", "--expiration", "24h");
    });
    writeFileSync(this.apiKeyFile, key.trim(), { mode: 0o600 });
    writeFileSync(join(place.folder, "authorization"), `authorization: Bearer ${key.trim()}\n`, {
      mode: 0o600,
    });
  }

  /** Every device loses its connection, and is back just when this server no longer expects it. */
  loseEverybody(): void {
    this.#relay?.signal("SIGUSR1");
  }

  /** A key by which a machine joins without a person, into a file; gives its path. */
  async machineKey(tag: string): Promise<string> {
    const file = join(this.#place.folder, `${tag.replace(":", "-")}.key`);
    const order = ["preauthkeys", "create", "--tags", tag];
    this.#place.transcript.say(`core# headscale ${order.join(" ")}`);
    const made = await this.#command(...order, "-o", "json");
    writeFileSync(file, (JSON.parse(made) as { key: string }).key, { mode: 0o600 });
    return file;
  }

  /** Shows a command of its command line, and what it says. */
  async show(...args: readonly string[]): Promise<string> {
    return this.#place.transcript.run("core", this.#commandLine(...args), { env: this.#environment });
  }

  /** `GET /api/v1/node`, as text. */
  async nodeList(): Promise<string> {
    return this.#ask("/api/v1/node");
  }

  async nodes(): Promise<NodeList["nodes"]> {
    return (JSON.parse(await this.nodeList()) as NodeList).nodes;
  }

  async #command(...args: readonly string[]): Promise<string> {
    const quietly = { env: this.#environment, isQuiet: true };
    return this.#place.transcript.run("core", this.#commandLine(...args), quietly);
  }

  #commandLine(...args: readonly string[]): string[] {
    return [this.#place.binaries.headscale, "-c", join(example, "config.yaml"), ...args];
  }

  async #ask(path: string): Promise<string> {
    const header = join(this.#place.folder, "authorization");
    const command = ["curl", "--silent", "--fail", "--cacert", this.#place.certificate, "-H", `@${header}`];
    const url = `${coordinationUrl}${path}`;
    return this.#place.transcript.run("core", [...command, url], { isQuiet: true });
  }
}

async function startRelay(place: VpnLab): Promise<Daemon> {
  const ports = [String(coordinationPort), String(serverPort)];
  const script = join(import.meta.dirname, "relay-process.ts");
  const daemon = place.daemon("relay", "core", [process.execPath, script, underlay.core, ...ports]);
  await until("the relay", () => {
    daemon.mustRun();
    return daemon.said().includes("listening");
  });
  return daemon;
}
