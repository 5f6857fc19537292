/** Agents and admins as they call the gateway: with a key, in JSON. */
import type { GatewayHome } from "../probing-gateway/gateway-home.ts";

interface AgentApiAnswer {
  readonly status: number;
  /** The JSON body; null when there is none. */
  readonly body: Record<string, unknown>;
}

interface Call {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `key` null = without Authorization. */
export async function call(
  gateway: GatewayHome,
  key: string | null,
  path: string,
  options: Call = {},
): Promise<AgentApiAnswer> {
  const { method = options.body === undefined ? "GET" : "POST", body, headers = {} } = options;
  const response = await gateway.ask(key, path, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

export function admin(gateway: GatewayHome, path: string, options?: Call): Promise<AgentApiAnswer> {
  return call(gateway, gateway.services.adminKey, `/admin${path}`, options);
}

/** As GET /api/agents has it. */
export async function listedAgent(
  gateway: GatewayHome,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const response = await gateway.ask(null, "/api/agents");
  const agents = (await response.json()) as Record<string, unknown>[];
  return agents.find((agent) => agent.id === id);
}

/** One agent with its key. */
export class AgentCaller {
  readonly #gateway: GatewayHome;
  readonly id: string;
  readonly key: string;

  constructor(gateway: GatewayHome, id: string, key: string) {
    this.#gateway = gateway;
    this.id = id;
    this.key = key;
  }

  /** Makes it by the admin API, with what documents and benchmarks may have; it has not registered yet. */
  static async create(gateway: GatewayHome, id: string, more: object = {}): Promise<AgentCaller> {
    const granted_prefixes = ["2001:db8::/32", "192.0.2.0/24", "198.18.0.0/15"];
    const { status, body } = await admin(gateway, "/agents", { body: { id, granted_prefixes, ...more } });
    if (status !== 201 || typeof body.agent_key !== "string") {
      throw new Error(`Cannot make agent ${id}: ${status} ${JSON.stringify(body)}`);
    }
    return new AgentCaller(gateway, id, body.agent_key);
  }

  /** Made, registered, and with one instance `main` that is well. */
  static async ready(gateway: GatewayHome, id: string, instance: object = {}): Promise<AgentCaller> {
    const agent = await AgentCaller.create(gateway, id);
    await agent.register();
    await agent.post("/config", [{ name: "main", src_ipv6_prefix: "2001:db8:1234::/48", ...instance }]);
    await agent.post("/health", { healthy: true, details: {} });
    return agent;
  }

  register(secret = `secret of ${this.id}`): Promise<AgentApiAnswer> {
    return call(this.#gateway, this.key, "/agent-api/agent/register", { body: { id: this.id, secret } });
  }

  post(path: string, body: unknown): Promise<AgentApiAnswer> {
    return call(this.#gateway, this.key, `/agent-api/agent/${this.id}${path}`, { body });
  }

  get(path: string): Promise<AgentApiAnswer> {
    return call(this.#gateway, this.key, `/agent-api/agent/${this.id}${path}`);
  }

  /** As everybody sees it. */
  async seen(): Promise<Record<string, unknown>> {
    return (await call(this.#gateway, null, `/api/agent/${this.id}`)).body;
  }
}
