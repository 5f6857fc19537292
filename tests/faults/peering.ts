/** The peering side: gateway, policy generator and BIRD, with an issuer of its users' tokens. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../lib/engines/store/postgres/open.ts";
import { openDatabase } from "../../lib/engines/store/postgres/open.ts";
import { rejectAll } from "../../lib/peering/policy/policy.ts";
import { policyText } from "../../lib/peering/policy/policy-text.ts";
import { hashOf, serviceKey, subjectKey } from "../contract/peering-gateway/peering-home.ts";
import { aroundPolicy } from "../exchange/bird-parses.ts";
import { Bird } from "../exchange/daemon.ts";
import { type Grant, grantsOf } from "../exchange/granted.ts";
import { startTestIssuer, type TestIssuer } from "../issuer/issuer.ts";
import type { Engines } from "./engines.ts";
import { until } from "./patience.ts";
import { Supervised } from "./supervised.ts";

const port = 8092;
const askMsMax = 60_000;
const prefixes = 40;

interface PeeringPlan {
  readonly folder: string;
  readonly restartMs: number;
  /** Names of users; each has a device in the VPN. */
  readonly users: readonly string[];
}

export class Peering implements AsyncDisposable {
  readonly gateway: Supervised;
  readonly generator: Supervised;
  readonly bird: Bird;
  readonly databaseAddress: string;
  readonly #policyFile: string;
  readonly #issuer: TestIssuer;
  readonly #tokens = new Map<string, string>();
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: {
      readonly gateway: Supervised;
      readonly generator: Supervised;
      readonly bird: Bird;
      readonly issuer: TestIssuer;
      readonly databaseAddress: string;
      readonly policyFile: string;
    },
    stack: AsyncDisposableStack,
  ) {
    this.gateway = parts.gateway;
    this.generator = parts.generator;
    this.bird = parts.bird;
    this.databaseAddress = parts.databaseAddress;
    this.#issuer = parts.issuer;
    this.#policyFile = parts.policyFile;
    this.#stack = stack;
  }

  static async start({ folder, restartMs, users }: PeeringPlan, engines: Engines): Promise<Peering> {
    await using undo = new AsyncDisposableStack();
    const own = join(folder, "peering");
    mkdirSync(own);
    const issuer = undo.use(await startTestIssuer());
    const databaseAddress = await engines.postgres.createDatabase();
    const config = join(own, "gateway.yaml");
    writeFileSync(config, gatewayConfig(own, databaseAddress, issuer));
    const started = (name: string, ...args: string[]) =>
      undo.use(new Supervised({ name, args, folder, restartMs }));
    const gateway = started("peering-gateway", "peering-gateway", "--config", config);
    const policyFile = join(own, "policy.conf");
    writeFileSync(policyFile, policyText(rejectAll).text);
    const birdConfig = join(own, "bird.conf");
    writeFileSync(birdConfig, aroundPolicy.replace("policy.conf", policyFile));
    const place = { folder: own, file: birdConfig, within: (command: string[]) => command };
    const bird = undo.use(await Bird.start("exchange", place));
    const devices = users.map((user, i) => `${hashOf(user)} 100.64.0.${10 + i}\n`);
    writeFileSync(join(own, "nodes"), devices.join(""));
    const generatorFile = join(own, "generator.yaml");
    writeFileSync(generatorFile, generatorConfig(own, policyFile, bird.socket));
    const generator = started("policy-generator", "policy-generator", "--config", generatorFile);
    const parts = { gateway, generator, bird, issuer, databaseAddress, policyFile };
    const peering = new Peering(parts, undo.move());
    await until("the peering gateway", async () => (await fetch(`${peering.url}/ready`)).ok);
    return peering;
  }

  get url(): string {
    return `http://127.0.0.1:${port}`;
  }

  /** Rejects when there is no answer. */
  async ask(user: string, method: string, path: string, body?: object): Promise<Response> {
    const token = this.#tokens.get(user) ?? (await this.#issuer.tokenFor(user));
    this.#tokens.set(user, token);
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(askMsMax),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  openDatabase(): Promise<Database> {
    return openDatabase(this.databaseAddress, { applicationName: "test" });
  }

  /** What the policy file grants; throws where it is not a complete policy. */
  async granted(): Promise<Grant[]> {
    return grantsOf(await Bun.file(this.#policyFile).text());
  }

  /** Until the policy grants exactly the leases that are live; false when it never does. */
  async isPolicyRight(): Promise<boolean> {
    await using database = await this.openDatabase();
    const rows = await database.sql<{ prefix: string }[]>`SELECT prefix FROM leases WHERE closed_at IS NULL`;
    const live = rows.map(({ prefix }) => prefix).sort();
    const look = async () => {
      const granted = (await this.granted()).map(({ prefix }) => prefix).sort();
      return granted.join() === live.join();
    };
    return await until("the policy of the leases", look).catch(() => false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

function gatewayConfig(folder: string, databaseAddress: string, issuer: TestIssuer): string {
  const pool = Array.from({ length: prefixes }, (_, i) => `2001:db8:${(i + 1).toString(16)}::/48`);
  return JSON.stringify({
    gateway: { address: `127.0.0.1:${port}`, state_dir: join(folder, "gateway") },
    database: { address: databaseAddress },
    leases: { pool, cool_down_minutes: 0 },
    subjects: { keys: [subjectKey] },
    service: { keys: [{ name: "exchange", key: serviceKey }] },
    oidc: { issuer: issuer.url, audiences: [issuer.audience] },
  });
}

function generatorConfig(folder: string, policyFile: string, socket: string): string {
  return JSON.stringify({
    generator: {
      address: "127.0.0.1:8093",
      state_dir: join(folder, "generator"),
      interval_sec: 5,
    },
    gateway: { url: `http://127.0.0.1:${port}`, key: serviceKey },
    vpn: { nodes_file: join(folder, "nodes") },
    platform: { asn: 64_500 },
    daemon: { policy_file: policyFile, control_socket: socket, sample_sec: 1 },
  });
}
