/**
 * The whole platform, once, of separate processes from one executable, on real engines: Apache Kafka with TLS, SCRAM
 * and rights, PostgreSQL, ClickHouse (embedded, in a process of its own), BIRD at the exchange, an agent in the lab.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "../exchange/daemon.ts";
import { until } from "../exchange/until.ts";
import { TwoHops } from "../executable/two-hops.ts";
import { approveDevice } from "../issuer/device-login.ts";
import { startTestIssuer, type TestIssuer } from "../issuer/issuer.ts";
import { makeCertificates } from "../kafka/certificates.ts";
import { startSecureKafka } from "../kafka/kafka.ts";
import { accountOf, makeAccounts } from "../kafka/kafka-accounts.ts";
import type { KafkaProcess } from "../kafka/kafka-process.ts";
import { inNamespace } from "../lab/namespaces.ts";
import { startPostgres } from "../postgres/postgres.ts";
import type { PostgresProcess } from "../postgres/postgres-process.ts";
import * as configurations from "./configurations.ts";
import { ExchangeSide } from "./exchange-side.ts";
import { Programs } from "./programs.ts";
import { relay } from "./relay.ts";

/** A line of the log of a service says where it listens. */
const serving = /"url":"([^"]+)\/"/;

interface Engines {
  readonly broker: configurations.BrokerAddress;
  readonly postgres: PostgresProcess;
  readonly issuer: TestIssuer;
  readonly programs: Programs;
  readonly place: TwoHops;
}

export class Platform implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "vantage-platform-"));
  readonly #stack = new AsyncDisposableStack();
  #exchange: ExchangeSide | null = null;
  #programs: Programs | null = null;
  #gatewayUrl = "";

  private constructor() {
    this.#stack.defer(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  static async start(): Promise<Platform> {
    const platform = new Platform();
    try {
      await platform.#start();
      return platform;
    } catch (error) {
      await platform[Symbol.asyncDispose]();
      throw error;
    }
  }

  get exchange(): ExchangeSide {
    return started(this.#exchange);
  }

  /** A command of the user's, to its end; its standard output. */
  user(args: readonly string[], input = ""): Promise<string> {
    return started(this.#programs).run(args, { input });
  }

  /** `vantage login`, and what the user does in a browser. */
  async logIn(): Promise<void> {
    let approval: Promise<void> | null = null;
    const hear = (said: string) => {
      const url = /or open +(\S+)/.exec(said)?.[1];
      approval ??= url === undefined ? null : approveDevice(url, configurations.user);
    };
    await started(this.#programs).run(["login", `--gateway=${this.#gatewayUrl}`], { hear });
    await approval;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #start(): Promise<void> {
    const engines = await this.#startEngines();
    const { programs } = engines;
    this.#programs = programs;
    const exchange = this.#use(ExchangeSide.start(programs, this.#below("exchange")));
    const [side, gateways] = await Promise.all([
      exchange,
      this.#startGateways(engines),
      this.#startStore(engines),
    ]);
    this.#exchange = side;
    this.#gatewayUrl = gateways.probingUrl;
    await Promise.all([this.#startGenerator(programs, gateways.peeringUrl), this.#startAgent(engines)]);
  }

  /** What has started is ended with the platform, also when something beside it does not start. */
  async #use<Part extends AsyncDisposable | Disposable>(part: Promise<Part>): Promise<Part> {
    return this.#stack.use(await part);
  }

  async #startEngines(): Promise<Engines> {
    const certificates = makeCertificates(this.#below("certificates"));
    const [kafka, postgres, issuer, programs, place] = await Promise.all([
      this.#secureKafka(certificates),
      this.#use(startPostgres()),
      this.#use(startTestIssuer()),
      this.#use(Programs.build(this.#folder)),
      this.#use(TwoHops.make()),
    ]);
    const broker = { server: kafka.serverAt("saslTls"), authority: certificates.authority };
    return { broker, postgres, issuer, programs, place };
  }

  async #secureKafka(certificates: ReturnType<typeof makeCertificates>): Promise<KafkaProcess> {
    const kafka = await this.#use(startSecureKafka(certificates));
    await makeAccounts(kafka, this.#below("tools"));
    return kafka;
  }

  async #startStore({ programs, broker }: Engines): Promise<void> {
    const store = `chdb:${this.#below("store")}`;
    await programs.start("store", ["stack", "store", "--dir", this.#below("store")], /"ready"/);
    await programs.run(["stack", "migrate", "--store", store]);
    const kafka = configurations.kafkaSection(broker, accountOf("vantage-store"));
    const login = Object.entries(kafka).filter(([key]) => key.startsWith("auth_"));
    const variables = login.map(([key, value]) => [`VANTAGE_KAFKA__${key.toUpperCase()}`, value]);
    const places = ["--broker", `kafka:${broker.server}`, "--store", store, "--dir", this.#below("ingest")];
    const environment = Object.fromEntries(variables);
    await programs.start("ingester", ["stack", "ingest", ...places], /"ready"/, { environment });
  }

  async #startGateways(engines: Engines): Promise<{ peeringUrl: string; probingUrl: string }> {
    const peeringUrl = await this.#startPeering(engines);
    return { peeringUrl, probingUrl: await this.#startProbing(engines, peeringUrl) };
  }

  async #startPeering({ programs, postgres, issuer }: Engines): Promise<string> {
    const subjectKey = (await programs.run(["peering-gateway", "--make-key"])).trim();
    const place = { folder: this.#below("peering"), database: await postgres.createDatabase(), issuer };
    const file = this.#write("peering.yaml", configurations.peeringGateway(place, subjectKey));
    return programs.start("peering-gateway", ["peering-gateway", "-c", file], serving);
  }

  async #startProbing({ programs, postgres, issuer, broker }: Engines, peeringUrl: string): Promise<string> {
    const place = { folder: this.#below("probing"), database: await postgres.createDatabase(), issuer };
    const kafka = configurations.kafkaSection(broker, accountOf("vantage-gateway"));
    const parts = { kafka, store: { address: `chdb:${this.#below("store")}` } };
    const file = this.#write("probing.yaml", configurations.probingGateway(place, parts, peeringUrl));
    return programs.start("probing-gateway", ["probing-gateway", "-c", file], serving);
  }

  async #startGenerator(programs: Programs, peeringUrl: string): Promise<void> {
    const folder = this.#below("generator");
    mkdirSync(folder);
    writeFileSync(join(folder, "nodes"), configurations.nodesFile);
    const { policyFile, controlSocket } = this.exchange;
    const config = configurations.policyGenerator(folder, peeringUrl, policyFile, controlSocket);
    const file = this.#write("generator.yaml", config);
    await programs.start("policy-generator", ["policy-generator", "-c", file], serving);
  }

  /** It reaches what is outside of its namespace by relays, as through a tunnel; TLS passes them untouched. */
  async #startAgent({ programs, broker, place }: Engines): Promise<void> {
    const within = (command: readonly string[]) => inNamespace(place.vantagePoint, command);
    const ports = [broker.server, new URL(this.#gatewayUrl).host].map((host) => Number(host.split(":")[1]));
    await Promise.all(ports.map((port) => this.#relay(port, within)));
    const gateway = { url: this.#gatewayUrl, enrolment_key: await this.#enrolmentKey() };
    const kafka = configurations.kafkaSection(broker, accountOf("vantage-agent-west"));
    const file = this.#write("agent.yaml", configurations.agent(this.#below("agent"), gateway, kafka));
    await programs.start("agent", ["agent", "-c", file], /agent west is running/, { within });
  }

  async #relay(port: number, within: (command: readonly string[]) => string[]): Promise<void> {
    const socket = this.#below(`${port}.sock`);
    this.#stack.use(await relay(socket, port));
    const script = join(import.meta.dirname, "relay.ts");
    const command = within([process.execPath, script, String(port), socket]);
    const daemon = this.#stack.use(new Daemon(`relay-${port}`, this.#folder, command));
    await until("a relay", () => {
      daemon.mustRun();
      return daemon.said().includes("listening");
    });
  }

  async #enrolmentKey(): Promise<string> {
    const response = await fetch(`${this.#gatewayUrl}/admin/enrolment-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${configurations.adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ label: "platform", uses: 1, granted_prefixes: ["0.0.0.0/0", "::/0"] }),
    });
    const { enrolment_key: key } = (await response.json()) as { readonly enrolment_key: string };
    return key;
  }

  #below(name: string): string {
    return join(this.#folder, name);
  }

  #write(name: string, config: object): string {
    const path = this.#below(name);
    // JSON is YAML.
    writeFileSync(path, JSON.stringify(config));
    return path;
  }
}

function started<Part>(part: Part | null): Part {
  if (part === null) {
    throw new Error("The platform is not started");
  }
  return part;
}
