/**
 * The measurement pipeline in the lab: `vantage stack` on its embedded engines, and `vantage agent` at both vantage
 * points, in a folder of its own that goes away with it.
 *
 * East has two instances, unicast and anycast; west has the anycast one. An answer to the anycast prefix goes to
 * either site, for probes of both.
 *
 * With a gateway the stack runs at the target's host, where agents reach it through the lab's Internet.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { vantageCommand } from "../run/vantage-command.ts";
import type { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { end, startReady } from "./ready-process.ts";
import { interfaceTo, nodeNamed } from "./routing.ts";
import { anycastPrefix } from "./topology.ts";

const sites = ["east", "west"] as const;
type Site = (typeof sites)[number];

const metricsPort = 8080;
const gatewayNode = "target";
const gatewayListen = "203.0.113.10:8093";

interface PipelineOptions {
  /** Rate of each instance; probes/s. */
  readonly probingRate?: number;
  readonly hasGateway?: boolean;
  /** Each user's quota at the gateway; by default, the gateway's own. */
  readonly probesPerDay?: number;
  /** Both sites send from addresses of their own alone. */
  readonly isUnicast?: boolean;
  /** Sites whose operators allow DNS probes. */
  readonly dnsSites?: readonly Site[];
}

export class Pipeline implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-pipeline-"));
  /** For `vantage client` and `vantage replies`. */
  readonly clientConfig = join(this.folder, "client.yaml");
  readonly gatewayUrl = `http://${gatewayListen}`;
  /** For commands of the gateway's users. */
  readonly environment = { ...process.env, XDG_CONFIG_HOME: join(this.folder, "config") };
  readonly #net: Internet;
  readonly #hasGateway: boolean;
  readonly #probesPerDay: number | undefined;
  readonly #isUnicast: boolean;
  readonly #dnsSites: readonly Site[];
  readonly #children: Subprocess[] = [];

  private constructor(
    net: Internet,
    { hasGateway = false, probesPerDay, isUnicast = false, dnsSites = [] }: PipelineOptions,
  ) {
    this.#dnsSites = dnsSites;
    this.#net = net;
    this.#isUnicast = isUnicast;
    this.#hasGateway = hasGateway;
    this.#probesPerDay = probesPerDay;
  }

  /** Resolves when the stack and both agents are healthy; rejects with what one of them said. */
  static async start(net: Internet, options: PipelineOptions = {}): Promise<Pipeline> {
    const { probingRate = 1000, hasGateway = false } = options;
    const pipeline = new Pipeline(net, options);
    try {
      const stack = pipeline.#startStack();
      // They need the gateway's key, and not yet the store.
      await (hasGateway ? Promise.race([stack, pipeline.#keyIsThere()]) : stack);
      await Promise.all([stack, ...sites.map((site) => pipeline.#startAgent(net, site, probingRate))]);
      await pipeline.#agentsAreListed();
    } catch (error) {
      await pipeline[Symbol.asyncDispose]();
      throw error;
    }
    return pipeline;
  }

  /** A command line where the stack runs: there its store and its issuer are. */
  command(words: readonly string[]): string[] {
    return this.#hasGateway ? this.#net.at(gatewayNode, words) : [...words];
  }

  /** Agents first, so that their last answers still reach the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    const [stack, ...agents] = this.#children;
    await Promise.all(agents.map(end));
    await (stack && end(stack));
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startStack(): Promise<void> {
    const folder = join(this.folder, "stack");
    const stack = { brokers: `embedded:${join(folder, "broker")}`, store: `chdb:${join(folder, "store")}` };
    writeFileSync(
      this.clientConfig,
      `kafka:\n  brokers: ${stack.brokers}\nstore:\n  address: ${stack.store}\n`,
    );
    const gateway = this.#hasGateway
      ? ["--gateway-listen", gatewayListen, "--issuer-port", "8095", "--peering-listen", "203.0.113.10:8094"]
      : ["--no-gateway"];
    const places = ["--dir", folder, "--listen", "127.0.0.1:0", ...gateway];
    const command = this.command([...vantageCommand, "stack", ...places]);
    // Everything in the lab has addresses for documentation.
    await this.#start(command, "is running", {
      VANTAGE_SAFETY__BLOCK_RESERVED_RANGES: "false",
      // And few of them, which get far more than anybody's address should.
      VANTAGE_LIMITS__USER_ADDRESS_RATE: "0",
      VANTAGE_LIMITS__ADDRESS_RATE: "0",
      VANTAGE_LIMITS__NETWORK_RATE: "0",
      ...(this.#probesPerDay === undefined
        ? {}
        : { VANTAGE_LIMITS__PROBES_PER_DAY: String(this.#probesPerDay) }),
    });
  }

  /** Until both may be asked to probe. */
  async #agentsAreListed(): Promise<void> {
    const list = [...vantageCommand, "agents", "--gateway", this.gatewayUrl, "-o", "json"];
    let healthy = this.#hasGateway ? 0 : sites.length;
    while (healthy < sites.length) {
      const agents: { state: string }[] = JSON.parse(await run(this.command(list)));
      healthy = agents.filter(({ state }) => state === "healthy").length;
    }
  }

  async #startAgent(net: Internet, site: Site, probingRate: number): Promise<void> {
    const config = join(this.folder, `${site}.yaml`);
    const state = join(this.folder, site);
    mkdirSync(state);
    writeFileSync(
      config,
      agentConfig(net, site, {
        state,
        broker: join(this.folder, "stack", "broker"),
        probingRate,
        isUnicast: this.#isUnicast,
        allowsDns: this.#dnsSites.includes(site),
        ...(this.#hasGateway ? { gateway: this.#gatewayKeys() } : {}),
      }),
    );
    const command = [...vantageCommand, "agent", "--config", config];
    await this.#start(net.at(site, command), `agent ${site} is running`);
  }

  get #keyPath(): string {
    return join(this.folder, "stack", "gateway", "enrolment.key");
  }

  async #keyIsThere(): Promise<void> {
    while (!existsSync(this.#keyPath) && existsSync(this.folder)) {
      await Bun.sleep(50);
    }
  }

  #gatewayKeys(): GatewayKeys {
    const enrolmentKey = readFileSync(this.#keyPath, "utf8").trim();
    return { url: this.gatewayUrl, enrolment_key: enrolmentKey };
  }

  /** Waits until a process says that it is ready. */
  #start(
    command: readonly string[],
    ready: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    return startReady(command, ready, (child) => this.#children.push(child), environment);
  }
}

interface GatewayKeys {
  readonly url: string;
  readonly enrolment_key: string;
}

interface AgentSettings {
  readonly gateway?: GatewayKeys;
  readonly probingRate: number;
  readonly isUnicast: boolean;
  readonly allowsDns: boolean;
  readonly state: string;
  readonly broker: string;
}

function agentConfig(
  net: Internet,
  site: Site,
  { state, broker, probingRate, isUnicast, allowsDns, gateway }: AgentSettings,
): string {
  const other = site === "east" ? "west" : "east";
  const { routed } = nodeNamed(net.topology, site);
  const own = { interface: interfaceTo(`${site}Access`), probing_rate: probingRate };
  const anycast = { src_ipv4_prefix: anycastPrefix.v4, src_ipv6_prefix: anycastPrefix.v6 };
  const unicast = { src_ipv4_prefix: routed?.v4, src_ipv6_prefix: routed?.v6 };
  // JSON is YAML; the guide shows the same file as people write it.
  return JSON.stringify({
    agent: {
      id: site,
      state_dir: state,
      metrics_address: `127.0.0.1:${metricsPort}`,
      integrity_key: "shared by the sites of the anycast prefix",
      anycast_peers: [`${other}:1`],
      block_reserved_ranges: false,
      dns_probes: allowsDns,
      ...{ address_rate: 0, network_rate: 0 },
    },
    prober: [
      ...(isUnicast ? [] : [{ name: "anycast", instance_id: 1, ...own, ...anycast }]),
      ...(site === "east" || isUnicast ? [{ name: "unicast", instance_id: 2, ...own, ...unicast }] : []),
    ],
    kafka: { brokers: `embedded:${broker}` },
    ...(gateway === undefined ? {} : { gateway }),
  });
}
