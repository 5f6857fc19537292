/**
 * Discoveries in a network of the lab, with every part real: `vantage stack` at a host, agents at this and other hosts,
 * and a user's commands.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { vantageCommand } from "../run/vantage-command.ts";
import type { Internet } from "./internet.ts";
import { LabStack } from "./lab-stack.ts";
import { logIn } from "./login.ts";
import { run } from "./namespaces.ts";
import { end, startReady } from "./ready-process.ts";

/** Each look costs a process. */
const lookMs = 1000;
const probingRate = 20_000;

/** Where an agent probes from: it is called as the node is. */
interface DiscoveryHost {
  readonly node: string;
  readonly interfaceName: string;
  readonly v4: string;
  readonly v6: string;
}

interface DiscoveryOrder {
  readonly name: string;
  readonly agents: readonly string[];
  readonly targets: readonly string[];
  /** Probes a second of each agent. */
  readonly rate?: number;
  readonly more?: readonly string[];
}

/** As the command prints it. */
interface DiscoveryEnd {
  readonly id: string;
  readonly run_state: string;
  readonly reason: string | null;
  readonly round: number;
  readonly probes_sent: number;
  readonly links: number;
}

interface LinkRow {
  readonly near_addr: string | null;
  readonly far_addr: string | null;
  readonly agents: number;
}

export class DiscoveryStage implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-discovery-"));
  readonly environment = { ...process.env, XDG_CONFIG_HOME: join(this.folder, "config") };
  readonly gatewayUrl: string;
  readonly #net: Internet;
  readonly #home: DiscoveryHost;
  readonly #agents = new Map<string, Subprocess>();
  readonly #stack: LabStack;

  private constructor(net: Internet, home: DiscoveryHost) {
    this.#net = net;
    this.#home = home;
    this.#stack = new LabStack({
      folder: this.folder,
      address: home.v4,
      within: (words) => this.command(words),
    });
    this.gatewayUrl = this.#stack.gatewayUrl;
  }

  /** The stack runs at the first host; resolves when its user is logged in and all agents are healthy. */
  static async open(
    net: Internet,
    hosts: readonly [DiscoveryHost, ...DiscoveryHost[]],
  ): Promise<DiscoveryStage> {
    const stage = new DiscoveryStage(net, hosts[0]);
    try {
      await Promise.all([stage.#stack.start(), Promise.all(hosts.map((host) => stage.startAgent(host)))]);
      await logIn(stage, "anna", () => undefined);
      await stage.#agentsAreHealthy(hosts.length);
      return stage;
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** A command line at the stack's host. */
  command(words: readonly string[]): string[] {
    return this.#net.at(this.#home.node, words);
  }

  /** What a command of the user prints on its standard output. */
  async vantage(...words: readonly string[]): Promise<string> {
    const set = ["env", `XDG_CONFIG_HOME=${this.environment.XDG_CONFIG_HOME}`];
    return await run(this.command([...set, ...vantageCommand, ...words]));
  }

  /** Resolves when it has begun. */
  async begin({ name, agents, targets, rate = 10_000, more = [] }: DiscoveryOrder): Promise<void> {
    const rates = [
      "--rate",
      String(rate),
      "--router-rate",
      "1000",
      "--settle",
      "1",
      "--probes-max",
      "200000",
    ];
    const whom = ["-a", agents.join(), ...targets.flatMap((target) => ["--targets", target])];
    await this.vantage("discover", ...whom, ...rates, "--name", name, ...more);
  }

  /** Resolves when it has ended, though the gateway may be away for a while. */
  async over(name: string): Promise<DiscoveryEnd> {
    for (;;) {
      const said = await this.vantage("discover", "list", "-o", "json").catch(() => "[]");
      const all: (DiscoveryEnd & { name: string; state: string })[] = JSON.parse(said);
      const own = all.find((one) => one.name === name);
      if (own?.state === "ended") {
        return own;
      }
      await Bun.sleep(lookMs);
    }
  }

  /** Rows of a view of a discovery. */
  async view<Row>(name: string, view: string, ...more: string[]): Promise<Row> {
    return JSON.parse(await this.vantage("replies", "--campaign", name, "-v", view, "-o", "json", ...more));
  }

  /** Links as `near>far`, but for those to targets; beside a silent hop as `null`. */
  async links(name: string, isTarget: (address: string) => boolean, ...more: string[]): Promise<Set<string>> {
    const rows = await this.view<LinkRow[]>(name, "links", "-n", "100000", ...more);
    const between = rows.filter(({ far_addr }) => !isTarget(far_addr ?? ""));
    return new Set(between.map(({ near_addr, far_addr }) => `${near_addr}>${far_addr}`));
  }

  async startAgent(host: DiscoveryHost): Promise<void> {
    const config = join(this.folder, `${host.node}.yaml`);
    const state = join(this.folder, host.node);
    mkdirSync(state, { recursive: true });
    writeFileSync(config, JSON.stringify(await this.#agentConfig(host, state)));
    const command = this.#net.at(host.node, [...vantageCommand, "agent", "--config", config]);
    await startReady(command, `agent ${host.node} is running`, (child) => this.#agents.set(host.node, child));
  }

  async killAgent({ node }: DiscoveryHost): Promise<void> {
    const agent = this.#agents.get(node);
    agent?.kill("SIGKILL");
    await agent?.exited;
  }

  /** Its process alone: the stack starts it again. */
  killGateway(): void {
    this.#stack.killPart("gateway");
  }

  /** Agents first, so that their last answers still reach the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#agents.values()].map(end));
    await this.#stack[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #agentsAreHealthy(count: number): Promise<void> {
    for (let healthy = 0; healthy < count; ) {
      const agents: { state: string }[] = JSON.parse(await this.vantage("agents", "-o", "json"));
      healthy = agents.filter(({ state }) => state === "healthy").length;
    }
  }

  async #agentConfig({ node, interfaceName, v4, v6 }: DiscoveryHost, state: string): Promise<object> {
    const sources = { src_ipv4_prefix: `${v4}/32`, src_ipv6_prefix: `${v6}/128` };
    const enrolmentKey = await this.#stack.enrolmentKey();
    return {
      agent: {
        ...{ id: node, state_dir: state, metrics_address: "127.0.0.1:8080", block_reserved_ranges: false },
        ...{ address_rate: 0, network_rate: 0 },
      },
      prober: [{ name: "uni", interface: interfaceName, probing_rate: probingRate, ...sources }],
      kafka: { brokers: this.#stack.broker },
      gateway: { url: this.gatewayUrl, enrolment_key: enrolmentKey },
    };
  }
}
