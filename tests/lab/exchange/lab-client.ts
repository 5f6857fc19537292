/**
 * A user's side in the lab: `vantage bootstrap run` as a process in the rogue's namespace, the BIRD or FRR that it
 * configures, tailscaled's service in small; and the exchange's `/status` where users ask for it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { announcementsAt, askStatus } from "../../../apps/peering/bootstrap/ask-service.ts";
import type { Order } from "../../../apps/peering/bootstrap/orders.ts";
import type { StatusBody } from "../../../apps/peering/bootstrap/status/bodies.ts";
import { exchangeDevice, Tailscaled } from "../../contract/bootstrap/tailscaled.ts";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import type { ExchangeLab } from "./exchange-lab.ts";
import { LabFrr } from "./lab-frr.ts";
import { platformAsn } from "./plan.ts";

const statusPort = 8091;
const gatewayPort = 8094;

interface LabUser {
  readonly asn: number;
  readonly prefixes: readonly string[];
  /** BIRD when left out. */
  readonly daemon?: "bird" | "frr";
  readonly feed?: "full" | "partial" | "default";
  /** As the test's process reaches it. */
  readonly gatewayUrl?: string;
}

export class LabClient implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-client-"));
  readonly snippets = join(this.folder, "snippets");
  readonly tailscaled: Tailscaled;
  readonly #stack = new AsyncDisposableStack();
  readonly #user: LabUser;
  #bird: Bird | null = null;
  #frr: LabFrr | null = null;
  #service: Daemon | null = null;

  private constructor(user: LabUser) {
    this.#user = user;
    this.#stack.defer(() => rmSync(this.folder, { recursive: true }));
    this.tailscaled = this.#stack.use(new Tailscaled(join(this.folder, "ts.sock"), [exchangeDevice(1)]));
    this.tailscaled.self = { HostName: "rogue", TailscaleIPs: ["100.64.0.66", "fd7a:115c:a1e0::42"] };
  }

  static async start(lab: ExchangeLab, user: LabUser): Promise<LabClient> {
    const client = new LabClient(user);
    try {
      await client.#start(lab);
      return client;
    } catch (error) {
      await client[Symbol.asyncDispose]();
      throw error;
    }
  }

  status(): Promise<StatusBody> {
    return askStatus(join(this.folder, "state"));
  }

  /** The order that a command gives, without the command. */
  async order(order: Order): Promise<void> {
    const { prefix, exchange, announce, prepend } = order;
    const request = { prefix, servers: [exchange ?? "*"], announce, prepend };
    await announcementsAt(join(this.folder, "state"), "test").request("/api/announcements", {
      ...{ method: "PUT", body: JSON.stringify({ announcements: [request] }) },
    });
  }

  /** Runs a command of the user; throws Error with what it says when it fails. */
  async command(...args: readonly string[]): Promise<void> {
    const child = Bun.spawn([...vantageCommand, ...args, "-c", this.#configFile()], {
      env: { ...process.env, ...this.#environment() },
      stdout: "ignore",
      stderr: "pipe",
    });
    const said = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) {
      throw new Error(said);
    }
  }

  /** The client stack stops in the middle of everything, as on a machine that hangs. */
  halt(): void {
    started(this.#service).signal("SIGSTOP");
  }

  resume(): void {
    started(this.#service).signal("SIGCONT");
  }

  get bird(): Bird {
    return started(this.#bird);
  }

  get frr(): LabFrr {
    return started(this.#frr);
  }

  /** The file that `bootstrap` writes. */
  get daemonFile(): string {
    return join(this.folder, `${this.#kind}.conf`);
  }

  get #kind(): "bird" | "frr" {
    return this.#user.daemon ?? "bird";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #start(lab: ExchangeLab): Promise<void> {
    mkdirSync(this.snippets);
    this.#relayStatus(lab);
    this.#relayGateway(lab);
    writeFileSync(this.#configFile(), this.#config());
    const within = (inside: string[]) => lab.net.at("rogue", inside);
    if (this.#kind === "frr") {
      this.#frr = this.#stack.use(await LabFrr.start(join(this.folder, "frr"), within));
    } else {
      writeFileSync(join(this.snippets, "mine.conf"), "define MINE = 42;\n");
    }
    const environment = Object.entries(this.#environment()).map(([name, value]) => `${name}=${value}`);
    const run = ["env", ...environment, ...vantageCommand, "bootstrap", "run", "-c"];
    const daemon = this.#stack.use(
      new Daemon("bootstrap", this.folder, within([...run, this.#configFile()])),
    );
    this.#service = daemon;
    await until("the client's configuration", () => {
      daemon.mustRun();
      return Bun.file(this.daemonFile).exists();
    });
    if (this.#kind === "bird") {
      const file = this.daemonFile;
      this.#bird = this.#stack.use(await Bird.start("bird", { folder: this.folder, file, within }));
    }
  }

  #config(): string {
    const control = this.#kind === "bird" ? "bird.ctl" : "frr";
    const daemon = `kind: ${this.#kind}, config_file: ${this.daemonFile}, control_socket: ${this.folder}/${control}`;
    const url = `"http://127.0.0.1:${gatewayPort}"`;
    const gateway =
      this.#user.gatewayUrl === undefined ? "" : `gateway: {url: ${url}, token_file: ${this.folder}/token}`;
    return `platform: {asn: ${platformAsn}}
vpn: {socket: ${this.tailscaled.socket}, status_interval_sec: 1}
daemon: {${daemon}, feed: ${this.#user.feed ?? "full"}, snippets_dir: ${this.snippets}}
bootstrap: {state_dir: ${this.folder}/state, address: "127.0.0.1:8092", interval_sec: 1}
${gateway}
`;
  }

  #relayStatus(lab: ExchangeLab): void {
    const socket = join(this.folder, "status.sock");
    const server = Bun.serve({
      unix: socket,
      fetch: (request) => lab.status(new URL(request.url).searchParams.get("from") ?? ""),
    });
    this.#stack.defer(() => server.stop(true));
    const relay = join(import.meta.dirname, "status-relay.ts");
    const command = [process.execPath, relay, "100.64.0.1", String(statusPort), socket];
    this.#stack.use(new Daemon("relay", this.folder, lab.net.at("exchange", command)));
  }

  #relayGateway(lab: ExchangeLab): void {
    const { gatewayUrl } = this.#user;
    if (gatewayUrl === undefined) {
      return;
    }
    writeFileSync(join(this.folder, "token"), "user-token\n");
    const socket = join(this.folder, "gateway.sock");
    const server = Bun.serve({
      unix: socket,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const { method, headers } = request;
        const body = method === "GET" ? null : await request.text();
        return fetch(`${gatewayUrl}${pathname}${search}`, { method, headers, body }).catch(
          // It may have been killed.
          () => new Response("the gateway is away", { status: 502 }),
        );
      },
    });
    this.#stack.defer(() => server.stop(true));
    const relay = join(import.meta.dirname, "gateway-relay.ts");
    const command = [process.execPath, relay, String(gatewayPort), socket];
    this.#stack.use(new Daemon("gateway-relay", this.folder, lab.net.at("rogue", command)));
  }

  #configFile(): string {
    return join(this.folder, "bootstrap.yaml");
  }

  #environment() {
    return { USER_ASN: String(this.#user.asn), USER_PREFIXES: this.#user.prefixes.join(",") };
  }
}

function started<Thing>(thing: Thing | null): Thing {
  if (thing === null) {
    throw new Error("This daemon of the client is not started");
  }
  return thing;
}
