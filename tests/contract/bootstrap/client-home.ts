/** A client with a real BIRD, and with tailscaled's service and a gateway in small; all of it in one folder. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { readBootstrapConfig } from "../../../apps/peering/bootstrap/config.ts";
import { makeService, type Service } from "../../../apps/peering/bootstrap/service.ts";
import { type StatusBody, statusBody } from "../../../apps/peering/bootstrap/status/bodies.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { Bird } from "../../exchange/daemon.ts";
import { exchangeDevice, Tailscaled } from "./tailscaled.ts";

export const one = "2001:db8:1000::/48";
export const two = "2001:db8:2001::/48";

interface ConfigParts {
  readonly prefixes?: string;
  /** Asks the gateway of this home. */
  readonly gateway?: boolean;
  /** Null = left to the gateway. */
  readonly platformAsn?: number | null;
}

export class ClientHome implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-client-"));
  readonly configFile = join(this.folder, "bird.conf");
  readonly snippets = join(this.folder, "snippets");
  readonly tailscaled: Tailscaled;
  readonly log: string[] = [];
  nowMs = Date.UTC(2026, 0, 1);
  elapsedMs = 0;
  /** How far the gateway's clock is ahead of the client's. */
  gatewayAheadMs = 5000;
  /** Answer of `GET /api/user/info`; null = 503. */
  info: object | null = null;
  /** Answer of `GET /api/announcements`; null = 404. */
  announcements: { readonly version: number; readonly announcements: readonly object[] } | null = null;
  /** Bodies of `PUT /api/announcement-report`. */
  readonly reports: unknown[] = [];
  /** Other requests for announcements, with their query. */
  readonly requests: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];
  /** Answer to these. */
  requested: () => Response = () => Response.json({ outcome: "changed", version: 8 });
  #bird: Bird | null = null;
  /** Answer of every exchange server's `/status`; null = 503. */
  status: object | null = null;
  readonly #exchange = new SmallExchange(() => this.status);
  readonly #gateway = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => this.#answer(request),
  });

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (this.info === null || request.headers.get("authorization") !== "Bearer user-token") {
      return new Response("{}", { status: 503 });
    }
    if (pathname === "/api/announcement-report") {
      this.reports.push(await request.json());
      return Response.json({ time_ms: this.nowMs + this.gatewayAheadMs });
    }
    if (request.method !== "GET") {
      const body: unknown = request.method === "PUT" ? await request.json() : null;
      this.requests.push({ method: request.method, path: `${pathname}${search}`, body });
      return this.requested();
    }
    const isList = pathname === "/api/announcements";
    return isList && this.announcements === null
      ? new Response("{}", { status: 404 })
      : Response.json(isList ? this.announcements : this.info);
  }

  constructor() {
    mkdirSync(this.snippets);
    writeFileSync(join(this.folder, "token"), "user-token\n");
    this.tailscaled = new Tailscaled(join(this.folder, "ts.sock"), [exchangeDevice(1)]);
  }

  /** Loopback stands for the tunnel's device. */
  config(gateway = false, platformAsn: number | null = 64_500): string {
    return `
${platformAsn === null ? "" : `platform: {asn: ${platformAsn}}`}
vpn: {socket: ${this.tailscaled.socket}, device: lo}
daemon: {config_file: ${this.configFile}, snippets_dir: ${this.snippets}, control_socket: ${this.folder}/bird.ctl}
bootstrap: {state_dir: ${this.folder}/state, address: "127.0.0.1:0"}
${gateway ? `gateway: {url: "${this.#gateway.url.origin}", token_file: ${this.folder}/token}` : ""}
`;
  }

  service({ prefixes, gateway = false, platformAsn }: ConfigParts = {}): Service {
    const text = this.config(gateway, platformAsn);
    return makeService(readBootstrapConfig({ name: "test", text }, environmentOf(prefixes)), {
      log: jsonLog("bootstrap", (line) => this.log.push(line)),
      nowMs: () => this.nowMs,
      elapsedMs: () => this.elapsedMs,
    });
  }

  async startBird(): Promise<Bird> {
    this.#bird = await Bird.start("bird", {
      folder: this.folder,
      file: this.configFile,
      within: (command) => ["setpriv", "--pdeathsig", "KILL", ...command],
    });
    return this.#bird;
  }

  async stopGateway(): Promise<void> {
    await this.#gateway.stop(true);
  }

  text(): string {
    return readFileSync(this.configFile, "utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bird?.[Symbol.asyncDispose]();
    await this.tailscaled[Symbol.asyncDispose]();
    await this.#gateway.stop(true);
    await this.#exchange[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true });
  }
}

/** Who the user is; announces two prefixes unless told otherwise. */
export function environmentOf(prefixes = `${one},${two}`) {
  return { USER_ASN: "65011", USER_PREFIXES: prefixes };
}

/** `/status.json` in its own form. */
export async function statusOf({ app }: Service): Promise<StatusBody> {
  return v.parse(statusBody, await (await app.request("/status.json")).json());
}

/**
 * Stands for every exchange that a client in this process asks, as a proxy on loopback: nothing is sent to the
 * addresses of the VPN, which lead out of this machine.
 */
class SmallExchange implements AsyncDisposable {
  readonly #server: ReturnType<typeof Bun.serve>;
  readonly #before = variables.map((name) => [name, process.env[name]] as const);

  constructor(status: () => object | null) {
    const answer = (known: object | null) =>
      known === null ? new Response("{}", { status: 503 }) : Response.json(known);
    this.#server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer(status()) });
    process.env.http_proxy = this.#server.url.origin;
    process.env.no_proxy = "127.0.0.1,localhost";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const [name, value] of this.#before) {
      if (value === undefined) {
        delete process.env[name];
      } else {
        process.env[name] = value;
      }
    }
    await this.#server.stop(true);
  }
}

const variables = ["http_proxy", "no_proxy"];
