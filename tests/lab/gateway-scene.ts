import type { AgentInstance } from "../../lib/measuring/probing/agent-config.ts";
import type { AgentDetails, HealthReport } from "../../lib/measuring/probing/agent-report.ts";
import { until } from "../run/until.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { AgentRig, type RunningAgent } from "./agent-rig.ts";
import { GatewayRig } from "./gateway-rig.ts";
import type { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { WireWatch } from "./wire-watch.ts";

/** Each look costs a process. */
const source = "10.101.0.7";
const prober = {
  name: "uni",
  interface: interfaceTo("eastAccess"),
  src_ipv4_prefix: "10.101.0.0/24",
  probing_rate: 1000,
};

interface ShownAgent {
  readonly online: boolean;
  readonly health: HealthReport | null;
}

interface ShownPart {
  readonly sent_probes: number;
  readonly received_replies: number;
}

interface ShownMeasurement {
  readonly measurement_complete: boolean;
  readonly agents: readonly ShownPart[];
}

export class GatewayScene implements AsyncDisposable {
  readonly rig: AgentRig;
  readonly gateway: GatewayRig;
  readonly #net: Internet;

  private constructor(net: Internet, rig: AgentRig, gateway: GatewayRig) {
    this.#net = net;
    this.rig = rig;
    this.gateway = gateway;
  }

  static async open(net: Internet): Promise<GatewayScene> {
    const rig = await AgentRig.open(net);
    return new GatewayScene(net, rig, await GatewayRig.open({ net, node: "east", ...rig }));
  }

  /** At the first router. */
  watch(): Promise<WireWatch> {
    return WireWatch.start({
      net: this.#net,
      folder: this.rig.folder,
      node: "eastAccess",
      neighbour: "east",
    });
  }

  /** The operator makes the agent, and gives it its key. */
  async ownKeys(): Promise<object> {
    const made = await this.gateway.admin<{ agent_key: string }>("POST", "/admin/agents", {
      ...{ id: "east", granted_prefixes: ["0.0.0.0/0", "::/0"] },
    });
    return { agent_key: made.body.agent_key, agent_secret: "a-secret-of-this-host" };
  }

  /** `agent` are further keys of its section. */
  runAgent(keys: object, agent: object = {}): Promise<RunningAgent> {
    return this.rig.start("east", "east", { ...this.#config(keys), agent });
  }

  /** Resolves when the gateway has heard from it. */
  async startAgent(keys: object, agentKeys: object = {}): Promise<RunningAgent> {
    const agent = await this.runAgent(keys, agentKeys);
    await until(async () => (await this.shown()).health?.healthy === true);
    return agent;
  }

  /** The lines of `vantage agent check` that are about the gateway. */
  async check(keys: object): Promise<string[]> {
    const path = this.rig.configure("east", this.#config(keys));
    const command = [...vantageCommand, "agent", "check", "--config", path];
    const child = Bun.spawn(this.rig.at("east", command), { stdout: "pipe", stderr: "ignore" });
    const lines = (await new Response(child.stdout).text()).split("\n");
    return lines.filter((line) => /gateway( |'s clock)/.test(line) && !line.includes("gateways of"));
  }

  async shown(): Promise<ShownAgent> {
    return (await this.gateway.user<ShownAgent>("GET", "/api/agent/east")).body;
  }

  async details(): Promise<AgentDetails | undefined> {
    return (await this.shown()).health?.details;
  }

  async inForce(): Promise<AgentInstance | undefined> {
    return (await this.gateway.user<AgentInstance[]>("GET", "/api/agent/east/config")).body[0];
  }

  async desire(uni: object): Promise<void> {
    await this.gateway.admin("PUT", "/admin/agents/east/desired", { uni });
  }

  /** Each probe has a source port of its own; the first router answers. Resolves to the measurement's id. */
  async submit(count: number, first = 20_000, query = ""): Promise<string> {
    const probes = Array.from({ length: count }, (_, i) => ["203.0.113.10", first + i, 33_434, 1, "udp"]);
    const body = { metadata: [{ id: "east", ip_address: source }], probes };
    const answer = await this.gateway.user<{ id: string }>("POST", `/api/probes${query}`, body);
    if (answer.status !== 200) {
      throw new Error(`Cannot submit: ${JSON.stringify(answer)}`);
    }
    return answer.body.id;
  }

  async part(id: string): Promise<ShownPart | undefined> {
    return (await this.#status(id)).agents[0];
  }

  async isComplete(id: string): Promise<boolean> {
    return (await this.#status(id)).measurement_complete;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway[Symbol.asyncDispose]();
    await this.rig[Symbol.asyncDispose]();
  }

  async #status(id: string): Promise<ShownMeasurement> {
    return (await this.gateway.user<ShownMeasurement>("GET", `/api/measurement/${id}/status`)).body;
  }

  #config(keys: object): object {
    return { prober: [prober], gateway: { url: this.gateway.url, ...keys } };
  }
}
