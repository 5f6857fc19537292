/** The measuring side on one broker: a probing gateway, an ingester, agents; each under a supervisor. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interfaceTo } from "../lab/routing.ts";
import type { Engines } from "./engines.ts";
import { until } from "./patience.ts";
import { Supervised } from "./supervised.ts";
import { routerNode, type Vantage } from "./topology.ts";

const adminKey = "admin-key-of-the-probing-gateway-0123456789";
const askMsMax = 60_000;

interface MeasuringPlan {
  readonly name: string;
  readonly folder: string;
  /** As in a configuration: `host:port`, or `embedded:DIR`. */
  readonly brokers: string;
  readonly agents: readonly Vantage[];
  readonly port: number;
  readonly rateProbesPerSec: number;
  readonly restartMs: number;
}

interface HttpAnswer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
}

export class Measuring implements AsyncDisposable {
  readonly plan: MeasuringPlan;
  readonly gateway: Supervised;
  readonly ingester: Supervised;
  readonly agents: readonly Supervised[];
  readonly #stack: AsyncDisposableStack;

  private constructor(
    plan: MeasuringPlan,
    parts: { gateway: Supervised; ingester: Supervised; agents: readonly Supervised[] },
    stack: AsyncDisposableStack,
  ) {
    this.plan = plan;
    this.gateway = parts.gateway;
    this.ingester = parts.ingester;
    this.agents = parts.agents;
    this.#stack = stack;
  }

  /** Resolves when the gateway would give work to all agents. */
  static async start(plan: MeasuringPlan, engines: Engines): Promise<Measuring> {
    await using undo = new AsyncDisposableStack();
    const { folder, restartMs, name } = plan;
    mkdirSync(join(folder, name), { recursive: true });
    const started = (part: string, ...args: string[]) =>
      undo.use(new Supervised({ name: `${name}-${part}`, args, folder, restartMs }));
    const broker = plan.brokers.startsWith("embedded:") ? plan.brokers : `kafka:${plan.brokers}`;
    const journal = join(folder, name, "ingest");
    const places = ["--broker", broker, "--store", engines.storeAddress, "--dir", journal];
    const ingester = started("ingester", "stack", "ingest", ...places);
    const config = write(
      plan,
      "gateway",
      gatewayConfig(plan, engines, await engines.postgres.createDatabase()),
    );
    const gateway = started("gateway", "probing-gateway", "--config", config);
    const keys = await Promise.all(plan.agents.map((agent) => keyFor(plan, agent)));
    const agents = plan.agents.map((agent, i) => {
      const own = write(plan, agent.id, agentConfig(plan, agent, keys[i] ?? ""));
      return started(`agent-${agent.id}`, "agent", "--config", own);
    });
    const measuring = new Measuring(plan, { gateway, ingester, agents }, undo.move());
    await until(`agents of ${name}`, () => measuring.areAgentsWell());
    return measuring;
  }

  get url(): string {
    return `http://127.0.0.1:${this.plan.port}`;
  }

  async areAgentsWell(): Promise<boolean> {
    const { body } = await this.ask<{ id: string; health: { healthy: boolean } | null }[]>(
      "GET",
      "/api/agents",
    );
    const ids = new Set(body.filter(({ health }) => health?.healthy === true).map(({ id }) => id));
    return this.plan.agents.every(({ id }) => ids.has(id));
  }

  /** As the only user there is, or by the admin API. */
  async ask<Body = unknown>(method: string, path: string, body?: unknown): Promise<HttpAnswer<Body>> {
    return askGateway(this.url, method, path, body);
  }

  /** From now on agents send that fast. */
  async setRate(rateProbesPerSec: number): Promise<void> {
    for (const { id } of this.plan.agents) {
      const desired = { main: { probing_rate: rateProbesPerSec } };
      await until(`another rate of ${id}`, async () => {
        return (await this.ask("PUT", `/admin/agents/${id}/desired`, desired)).status === 200;
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

async function askGateway<Body>(url: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(askMsMax),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

function keyFor({ port }: MeasuringPlan, { id }: Vantage): Promise<string> {
  return until("the probing gateway", async () => {
    const made = await askGateway<{ agent_key?: string }>(
      `http://127.0.0.1:${port}`,
      "POST",
      "/admin/agents",
      { id, granted_prefixes: ["0.0.0.0/0", "::/0"] },
    );
    return made.body.agent_key;
  });
}

/** JSON is YAML. */
function write({ folder, name }: MeasuringPlan, part: string, config: object): string {
  const path = join(folder, name, `${part}.yaml`);
  writeFileSync(path, JSON.stringify(config));
  return path;
}

function gatewayConfig(plan: MeasuringPlan, engines: Engines, database: string): object {
  return {
    gateway: {
      address: `127.0.0.1:${plan.port}`,
      state_dir: join(plan.folder, plan.name, "gateway"),
      admin_key: adminKey,
      bypass_authentication: true,
    },
    database: { address: database },
    kafka: { brokers: plan.brokers },
    store: { address: engines.storeAddress },
    limits: { probes_per_day: 100_000_000, user_address_rate: 0, address_rate: 0, network_rate: 0 },
    safety: { block_reserved_ranges: false },
  };
}

function agentConfig(plan: MeasuringPlan, agent: Vantage, key: string): object {
  const prober = {
    name: "main",
    interface: interfaceTo(routerNode),
    src_ipv4_prefix: agent.prefix,
    probing_rate: plan.rateProbesPerSec,
  };
  return {
    agent: {
      id: agent.id,
      state_dir: join(plan.folder, plan.name, agent.id),
      metrics_address: `127.0.0.1:${agent.port}`,
      integrity_key: `the key of ${agent.id}`,
      block_reserved_ranges: false,
      ...{ address_rate: 0, network_rate: 0 },
    },
    gateway: {
      url: `http://127.0.0.1:${plan.port}`,
      agent_key: key,
      agent_secret: `the secret of ${agent.id}`,
    },
    prober: [prober],
    kafka: { brokers: plan.brokers },
  };
}
