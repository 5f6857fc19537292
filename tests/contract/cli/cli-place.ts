/** The command line as its users have it: processes, a folder of settings, a real gateway and a real issuer. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLineClient } from "../../../apps/stack/issuer/issuer-settings.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import type { Profile } from "../../../lib/engines/gateway-client/profile.ts";
import { Profiles } from "../../../lib/engines/gateway-client/profiles.ts";
import { startTestIssuer, type TestIssuer } from "../../issuer/issuer.ts";
import { saidBy } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";

interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  /** Lines. */
  readonly stderr: readonly string[];
}

interface CliOptions {
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}

export class CliPlace implements AsyncDisposable {
  readonly folder: string;
  readonly issuer: TestIssuer;
  readonly gateway: GatewayProcess;

  private constructor(folder: string, issuer: TestIssuer, gateway: GatewayProcess) {
    this.folder = folder;
    this.issuer = issuer;
    this.gateway = gateway;
  }

  /** `more` are sections of the gateway's configuration. */
  static async start({ oidc = {}, ...more }: Readonly<Record<string, object>> = {}): Promise<CliPlace> {
    const folder = mkdtempSync(join(tmpdir(), "vantage-cli-"));
    const issuer = await startTestIssuer();
    const config = join(folder, "gateway.yaml");
    const sections = {
      gateway: { address: "127.0.0.1:0", state_dir: join(folder, "state") },
      oidc: { issuer: issuer.url, audiences: [issuer.audience], ...oidc },
      safety: { block_reserved_ranges: false },
      ...more,
    };
    writeFileSync(config, JSON.stringify(sections));
    return new CliPlace(folder, issuer, await GatewayProcess.start(config));
  }

  get address(): string {
    return this.gateway.url.replace(/\/$/, "");
  }

  /** A folder of settings of its own for each user. */
  settings(user: string): string {
    return join(this.folder, "settings", user);
  }

  profiles(user: string): Profiles {
    return new Profiles(join(this.settings(user), "vantage"));
  }

  start(user: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    return Bun.spawn([...vantageCommand, ...args], {
      env: {
        ...clean(process.env),
        XDG_CONFIG_HOME: this.settings(user),
        TMPDIR: this.temporary,
        ...environment,
      },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  /** Runs a command to its end; standard input is empty when none is given. */
  async run(user: string, args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
    const child = this.start(user, args, options.environment);
    child.stdin.write(options.input ?? "");
    child.stdin.end();
    const { stdout, stderr, exitCode } = await saidBy(child);
    return { exitCode, stdout, stderr: stderr.split("\n").slice(0, -1) };
  }

  /** Where commands put temporary files; they leave none. */
  get temporary(): string {
    const path = join(this.folder, "temporary");
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** As after `vantage login`, in no time: with a token that is good for an hour, and no refresh token. */
  async logIn(
    user: string,
    tokens: Partial<NonNullable<Profile["tokens"]>> = {},
    peeringGateway: string | null = null,
  ): Promise<void> {
    const profiles = this.profiles(user);
    profiles.write("test", {
      gateway: this.address,
      peering_gateway: peeringGateway,
      issuer: this.issuer.url,
      client_id: commandLineClient,
      audience: this.issuer.audience,
      scopes: ["openid", "offline_access"],
      tokens: {
        access_token: await this.issuer.tokenFor(user),
        refresh_token: null,
        expires_at: Math.floor(Date.now() / 1000) + 3600,
        ...tokens,
      },
    });
    profiles.use("test");
  }

  get #adminKey(): string {
    return readFileSync(join(this.folder, "state/admin.key"), "utf8").trim();
  }

  /** Grants a user whom the gateway knows that agents keep packets. */
  async grantPackets(user: string): Promise<void> {
    const response = await fetch(`${this.address}/admin/users/${identityOf(user).userHash}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${this.#adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ may_record_packets: true }),
    });
    if (!response.ok) {
      throw new Error(`${response.status} ${await response.text()}`);
    }
  }

  /** Makes an agent that is well, and stays online without reporting for as long as an agent may. */
  async addAgent(id: string, instance: object = {}): Promise<PlacedAgent> {
    const { agent_key: key } = await post<{ agent_key: string }>(
      `${this.address}/admin/agents`,
      this.#adminKey,
      {
        ...{ id, granted_prefixes: ["192.0.2.0/24", "2001:db8::/32"] },
      },
    );
    const agent = new PlacedAgent(this.address, id, key);
    await agent.post("register", { id, secret: `secret of ${id}` });
    const main = { name: "main", src_ipv4_prefix: "192.0.2.0/24", src_ipv6_prefix: "2001:db8:1234::/48" };
    await agent.post(`${id}/config`, [{ ...main, probing_rate: 100, ...instance }]);
    await agent.post(`${id}/health`, { healthy: true, details: { report_interval_ms: 600_000 } });
    return agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway.stop();
    await this.issuer[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** An agent as the gateway knows it: what it reports is what the test says. */
export class PlacedAgent {
  readonly id: string;
  readonly #gateway: string;
  readonly #key: string;

  constructor(gateway: string, id: string, key: string) {
    this.#gateway = gateway;
    this.id = id;
    this.#key = key;
  }

  async post(path: string, body: unknown): Promise<void> {
    await post(`${this.#gateway}/agent-api/agent/${path}`, this.#key, body);
  }

  /** Hands the packets of a measurement over. */
  async handOver(measurementId: string, interfaceName: string, content: Uint8Array): Promise<void> {
    const query = new URLSearchParams({ interface: interfaceName, sent: "2", heard: "1", left_out: "0" });
    const path = `${this.id}/measurements/${measurementId}/packets?${query}`;
    const response = await fetch(`${this.#gateway}/agent-api/agent/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/octet-stream" },
      body: new Blob([content.slice()]),
    });
    if (!response.ok) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
  }

  async report(measurementId: string, progress: object): Promise<void> {
    await this.post(`${this.id}/measurement/${measurementId}/status`, progress);
  }
}

async function post<Answer>(url: string, key: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${await response.text()}`);
  }
  return (await response.json()) as Answer;
}

/** The tester's own settings are not meant. */
function clean(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(VANTAGE_|NO_COLOR)/.test(name)),
  );
}
