/** A gateway for tests: real services on a database of either engine and an embedded broker, asked by `fetch`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { gatewayApp } from "../../../apps/probing/gateway/app.ts";
import { readGatewayConfig } from "../../../apps/probing/gateway/config.ts";
import { type OpenServices, openServices } from "../../../apps/probing/gateway/gateway.ts";
import { Failure } from "../../../lib/base/failure/failure.ts";
import { identityOf, type TokenVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import type { IncomingRecord } from "../../../lib/engines/broker/broker.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { readAll } from "./all-records.ts";

/** A token is the subject itself: how tokens are checked is tests/contract/auth. */
const subjects: TokenVerifier = {
  needsToken: true,
  verify: (token) =>
    token === "bad"
      ? Promise.reject(new Failure("auth", "invalid_signature", "Invalid token: bad"))
      : Promise.resolve(identityOf(token)),
};

interface HomeOptions {
  readonly databaseAddress: string;
  /** Default embedded, in the home's own folder. */
  readonly brokers?: string;
  /** Lines of YAML; `limits: { probes_per_day: 5 }`. */
  readonly yaml?: string;
  /** E-mail address on the public pages. */
  readonly contact?: string;
  /** The section `safety`, as YAML; default without reserved ranges, as they are what tests probe. */
  readonly safety?: string;
  /** Folder of an earlier home; default a new one. */
  readonly folder?: string;
  readonly peeringGateway?: string;
  /** As one that runs for long: agents that are silent are gone, and not waited for. */
  readonly isLongUp?: boolean;
}

const longUp = { forMs: Number.POSITIVE_INFINITY, missed: () => {} };

export class GatewayHome implements AsyncDisposable {
  readonly folder: string;
  readonly services: OpenServices;
  /** Lines of the log. */
  readonly logged: readonly string[];
  readonly #app: ReturnType<typeof gatewayApp>;
  readonly #ownsFolder: boolean;

  private constructor(
    folder: string,
    services: OpenServices,
    logged: readonly string[],
    ownsFolder: boolean,
  ) {
    this.folder = folder;
    this.services = services;
    this.logged = logged;
    this.#app = gatewayApp({ ...services, tokens: services.apiTokens.beside(subjects) });
    this.#ownsFolder = ownsFolder;
  }

  static async start(options: HomeOptions): Promise<GatewayHome> {
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), "vantage-gateway-"));
    try {
      return await GatewayHome.#startIn(folder, options);
    } catch (error) {
      if (options.folder === undefined) {
        rmSync(folder, { recursive: true, force: true });
      }
      throw error;
    }
  }

  static async #startIn(folder: string, options: HomeOptions): Promise<GatewayHome> {
    const text = [
      `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/state", contact: "${options.contact ?? ""}"${
        options.peeringGateway === undefined ? "" : `, peering_gateway: "${options.peeringGateway}"`
      } }`,
      `database: { address: "${options.databaseAddress}" }`,
      `kafka: { brokers: "${options.brokers ?? `embedded:${folder}/broker`}" }`,
      `safety: ${options.safety ?? "{ block_reserved_ranges: false }"}`,
      options.yaml ?? "",
    ].join("\n");
    const logged: string[] = [];
    const log = jsonLog("test", (line) => logged.push(line));
    const config = readGatewayConfig({ name: "test", text }, {});
    const opened = await openServices(config, log);
    const services = options.isLongUp === true ? { ...opened, reachability: longUp } : opened;
    return new GatewayHome(folder, services, logged, options.folder === undefined);
  }

  /** As this user; null = without a token. */
  async ask(user: string | null, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (user !== null) {
      headers.set("authorization", `Bearer ${user}`);
    }
    return this.#app.request(`http://gateway.test${path}`, { ...init, headers });
  }

  /** As a server calls it. */
  async fetch(request: Request): Promise<Response> {
    return this.#app.fetch(request);
  }

  /** What the app has, documented or not. */
  get routes(): ReturnType<typeof gatewayApp>["routes"] {
    return this.#app.routes;
  }

  async json(user: string | null, path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
    const response = await this.ask(user, path, init);
    return { status_code: response.status, ...((await response.json()) as object) };
  }

  /** POST /api/probes with a body of any form; an object is sent as JSON. */
  async submit(user: string, body: unknown, options: SubmitOptions = {}): Promise<Response> {
    const { type = "application/json", query = "", headers = {} } = options;
    const content = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    return this.ask(user, `/api/probes${query}`, {
      method: "POST",
      headers: { "content-type": type, ...headers },
      body: content as string,
    });
  }

  /** All records of the measurement, in the order of its partition. */
  async records(measurementId: string): Promise<IncomingRecord[]> {
    const { broker, config } = this.services;
    const all = await readAll(broker, config.broker.topic);
    return all.filter(({ key }) => key === measurementId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.services[Symbol.asyncDispose]();
    if (this.#ownsFolder) {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}

interface SubmitOptions {
  readonly type?: string;
  /** With its question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface AgentOptions {
  /** One for each instance; "" = the instance has none. */
  readonly prefixes?: readonly string[];
  readonly healthy?: boolean;
  readonly isOnline?: boolean;
  readonly paused?: boolean;
  readonly rate?: number;
  /** It has posted no configuration. */
  readonly isSilent?: boolean;
  /** Its program existed before ours: it reports no details of its health. */
  readonly isExisting?: boolean;
  /** It says that it sends probes of any shape. */
  readonly sendsShapes?: boolean;
  /** Whether its operator allows DNS probes; absent = its program cannot send them. */
  readonly allowsDns?: boolean;
}

/** An agent as the agent API would have left it. */
export function addAgent(home: GatewayHome, id: string, options: AgentOptions = {}): Promise<void> {
  return insertAgent(home.services.database.sql, id, options);
}

export async function insertAgent(sql: Sql, id: string, options: AgentOptions = {}): Promise<void> {
  const { healthy = true, isOnline = true, paused = false, rate = 100, isSilent = false } = options;
  const { sendsShapes = true, allowsDns } = options;
  const ofDns = allowsDns === undefined ? {} : { allows_dns: allowsDns };
  const reported = { report_interval_ms: 3_600_000, sends_shapes: sendsShapes, ...ofDns };
  const details = options.isExisting === true ? null : sql.json(reported);
  const config = (options.prefixes ?? ["2001:db8:1234::/48", "192.0.2.0/24"]).map((prefix, i) => ({
    name: `i${i}`,
    batch_size: 1000,
    instance_id: i,
    dry_run: false,
    min_ttl: null,
    max_ttl: null,
    integrity_check: false,
    interface: "eth0",
    src_ipv4_prefix: prefix.includes(":") || prefix === "" ? null : prefix,
    src_ipv6_prefix: prefix.includes(":") ? prefix : null,
    packets: 1,
    probing_rate: rate,
    rate_limiting_method: "auto",
    paused: false,
    config_version: null,
  }));
  await sql`
    INSERT INTO agents (agent_id, registered_at, last_seen_at, config, healthy, health_received_at, paused,
      report_interval_ms, health_details)
    VALUES (${id}, now(), now(), ${isSilent ? null : sql.json(config)}, ${healthy},
      now() - ${isOnline ? 0 : 1} * interval '1 day', ${paused}, 3600000, ${details})
    ON CONFLICT (agent_id) DO UPDATE SET config = excluded.config, healthy = excluded.healthy, paused = excluded.paused,
      health_received_at = excluded.health_received_at`;
}

/** The user of interop vectors, whose number an earlier gateway made of the subject's hash: such numbers stay. */
const knownUser = "test-user-id";
const knownUserId = 0xc95b3f80;

export async function addKnownUser(home: GatewayHome): Promise<void> {
  const { userHash } = identityOf(knownUser);
  await home.services.database.sql`
    INSERT INTO users (user_hash, user_id) VALUES (${userHash}, ${knownUserId}) ON CONFLICT DO NOTHING`;
}

/** Distinct probes of the array form, to documentation addresses. */
export function probeArrays(count: number, protocol = "udp"): unknown[][] {
  return Array.from({ length: count }, (_, i) => [
    `2001:db8:ffff::${(i % 0xffff).toString(16)}`,
    24_000 + (Math.floor(i / 0xffff) % 1000),
    33_434,
    1 + (i % 32),
    protocol,
  ]);
}

export function probeText(count: number): string {
  return probeArrays(count)
    .map((probe) => `${probe.join(",")}\n`)
    .join("");
}
