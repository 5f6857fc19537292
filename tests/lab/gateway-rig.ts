/** The real gateway as a process at a node of the lab, on an embedded database, and calls to it from there. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { type EmbeddedHome, embeddedHome } from "../postgres/embedded.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import type { Internet } from "./internet.ts";
import { NodeFetch } from "./node-fetch.ts";

const port = 8090;
const startMsMax = 240_000;
const pollMs = 50;
const adminKey = "the-admin-key-of-the-lab-0123456789";

/** The body is what the caller says it is: the tests look at each part of it. */
interface RigAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

interface RigGateway {
  readonly net: Internet;
  readonly node: string;
  /** The test's own. */
  readonly folder: string;
  readonly brokerAddress: string;
}

export class GatewayRig implements AsyncDisposable {
  readonly url = `http://127.0.0.1:${port}`;
  readonly #net: Internet;
  readonly #node: string;
  readonly #home: EmbeddedHome;
  readonly #fetch: NodeFetch;
  readonly #configPath: string;
  #process: Subprocess | null = null;

  private constructor({ net, node, folder, brokerAddress }: RigGateway, home: EmbeddedHome) {
    this.#net = net;
    this.#node = node;
    this.#home = home;
    this.#fetch = new NodeFetch((command) => net.at(node, command));
    const own = join(folder, "gateway");
    mkdirSync(own, { recursive: true });
    this.#configPath = join(folder, "gateway.yaml");
    const config = {
      gateway: {
        address: `127.0.0.1:${port}`,
        state_dir: own,
        admin_key: adminKey,
        bypass_authentication: true,
      },
      database: { address: home.address },
      kafka: { brokers: brokerAddress },
      limits: { probes_per_day: 10_000_000, user_address_rate: 0, address_rate: 0, network_rate: 0 },
      safety: { block_reserved_ranges: false },
    };
    writeFileSync(this.#configPath, JSON.stringify(config));
  }

  /** Starts one on an empty database. Users need no token. */
  static async open(place: RigGateway): Promise<GatewayRig> {
    const rig = new GatewayRig(place, await embeddedHome());
    await rig.start();
    return rig;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const command = [...vantageCommand, "probing-gateway", "--config", this.#configPath];
    const child = Bun.spawn(this.#net.at(this.#node, command), { stdout: "ignore", stderr: "pipe" });
    this.#process = child;
    const log = new Response(child.stderr).text();
    const untilMs = performance.now() + startMsMax;
    while (!(await this.#answers())) {
      if (child.exitCode !== null || performance.now() > untilMs) {
        child.kill("SIGKILL");
        throw new Error(`Cannot start the gateway: ${await log}`);
      }
      await Bun.sleep(pollMs);
    }
  }

  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
  }

  admin<Body = unknown>(method: string, path: string, body?: unknown): Promise<RigAnswer<Body>> {
    return this.#call(method, path, body, adminKey);
  }

  user<Body = unknown>(method: string, path: string, body?: unknown): Promise<RigAnswer<Body>> {
    return this.#call(method, path, body, "none");
  }

  /** The bytes of a file that a user may fetch. */
  async file(path: string): Promise<Uint8Array> {
    return (await this.#answer("GET", path, undefined, "none")).bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#fetch[Symbol.dispose]();
    this.#home[Symbol.dispose]();
  }

  async #answers(): Promise<boolean> {
    try {
      return (await this.user("GET", "/api/agents")).status === 200;
    } catch {
      return false;
    }
  }

  async #call<Body>(method: string, path: string, body: unknown, key: string): Promise<RigAnswer<Body>> {
    const { status, bytes } = await this.#answer(method, path, body, key);
    const text = new TextDecoder().decode(bytes);
    return { status, body: text === "" ? null : JSON.parse(text) };
  }

  #answer(method: string, path: string, body: unknown, key: string) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const request = { url: `${this.url}${path}`, method, headers };
    return this.#fetch.ask(body === undefined ? request : { ...request, body: JSON.stringify(body) });
  }
}
