/** A generator with a real BIRD beside it and small servers for its sources; the clock is the test's. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readGeneratorConfig } from "../../../apps/peering/generator/config.ts";
import { makeService, type Service } from "../../../apps/peering/generator/service.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { Bird } from "../../exchange/daemon.ts";
import { issuer, type SampleUser } from "../../exchange/samples.ts";
import { gatewayKey, headscaleKey, SourcesServer } from "../../exchange/sources-server.ts";

export const staleMs = 6 * 3_600_000;

interface ConfigParts {
  /** ASNs of users, first and last. */
  readonly pool?: readonly [number, number];
  /** Signs of life each second, and a standby that misses them after so many. */
  readonly standbySec?: number;
  /** How long BIRD has a policy that nobody renews; the default when left out. */
  readonly endsSec?: number;
}

export class GeneratorHome implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-generator-"));
  readonly policyFile = join(this.folder, "peering_generated.conf");
  readonly birdConfig = join(this.folder, "bird.conf");
  readonly sources: SourcesServer;
  readonly log: string[] = [];
  nowMs = Date.UTC(2026, 0, 1);
  checkCommand = "bird";
  /** Addresses of the machine on which it runs. */
  ownAddresses: readonly string[] = [];
  #bird: Bird | null = null;
  readonly #services: Service[] = [];

  private constructor(users: readonly SampleUser[]) {
    this.sources = new SourcesServer(users);
  }

  static async open(users: readonly SampleUser[]): Promise<GeneratorHome> {
    const home = new GeneratorHome(users);
    writeFileSync(home.policyFile, policyText(rejectAll).text);
    home.writeBirdConfig();
    await home.startBird();
    return home;
  }

  /** `more` may be what BIRD cannot read. */
  writeBirdConfig(more = ""): void {
    const head = "log stderr all;\ndebug commands 2;\nrouter id 192.0.2.1;\nprotocol device {}\n";
    writeFileSync(this.birdConfig, `${head}include "peering_generated.conf";\n${more}\n`);
  }

  async startBird(): Promise<Bird> {
    this.#bird = await Bird.start("bird", {
      folder: this.folder,
      file: this.birdConfig,
      within: (command) => ["setpriv", "--pdeathsig", "KILL", ...command],
    });
    return this.#bird;
  }

  async stopBird(): Promise<void> {
    await this.#bird?.[Symbol.asyncDispose]();
  }

  get bird(): Bird {
    if (this.#bird === null) {
      throw new Error("BIRD is not started");
    }
    return this.#bird;
  }

  /** A generator that knows nothing yet but what is on disk. `watch`: it follows the gateway's changes. */
  service(watch = false, parts: ConfigParts = {}): Service {
    const config = readGeneratorConfig({ name: "test", text: this.config(watch, parts) }, {});
    const log = jsonLog("policy-generator", (line) => this.log.push(line));
    const ownAddresses = () => this.ownAddresses;
    const service = makeService(config, { log, nowMs: () => this.nowMs, ownAddresses });
    this.#services.push(service);
    return service;
  }

  config(watch = false, { pool, standbySec = 30, endsSec }: ConfigParts = {}): string {
    const more = pool === undefined ? "" : `, asn_pool_start: ${pool[0]}, asn_pool_end: ${pool[1]}`;
    return `
generator: {state_dir: ${join(this.folder, "state")}, address: "127.0.0.1:0", standby_after_sec: ${standbySec}}
gateway: {url: "${this.sources.url}", key: ${gatewayKey}, watch: ${watch}}
vpn: {headscale_url: "${this.sources.url}", headscale_key: ${headscaleKey}, issuer: "${issuer}", approve_routes: true}
platform: {asn: 64500${more}}
daemon:
  policy_file: ${this.policyFile}
  control_socket: ${join(this.folder, "bird.ctl")}
  check_command: ${this.checkCommand}
  sample_sec: ${standbySec === 30 ? 10 : 1}
${endsSec === undefined ? "" : `  policy_ends_sec: ${endsSec}`}
`;
  }

  text(): string {
    return readFileSync(this.policyFile, "utf8");
  }

  /** Version of the policy that BIRD has in force. */
  async versionInForce(): Promise<string> {
    return (await this.bird.ask("eval peering_policy_version")).join("");
  }

  async lastReconfiguration(): Promise<string> {
    return (await this.bird.ask("show status")).find((line) => line.includes("Last reconfiguration")) ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // One that goes on would make the folder again.
    for (const { loop } of this.#services) {
      await loop[Symbol.asyncDispose]();
    }
    await this.stopBird();
    await this.sources[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true });
  }
}
