/** tailscaled's local HTTP service on a real unix socket, with recorded documents of 1.94.1, changed as a test says. */
import { rmSync } from "node:fs";
import { recorded } from "../../vectors/tailscaled/recorded.ts";

interface Device {
  readonly HostName: string;
  readonly DNSName?: string;
  readonly TailscaleIPs: readonly string[];
  readonly Tags?: readonly string[];
  readonly Online?: boolean;
  readonly KeyExpiry?: string;
}

export function exchangeDevice(n: number, parts: Partial<Device> = {}): Device {
  return {
    HostName: `ixp-${n}`,
    DNSName: `ixp-${n}.vpn.example.`,
    TailscaleIPs: [`100.64.0.${n}`, `fd7a:115c:a1e0::${n.toString(16)}`],
    Tags: ["tag:exchange"],
    Online: true,
    ...parts,
  };
}

export class Tailscaled implements AsyncDisposable {
  readonly socket: string;
  state = "Running";
  /** Where the user is to log in. */
  loginUrl = "";
  self: Device | null = { HostName: "laptop", TailscaleIPs: ["100.64.0.11", "fd7a:115c:a1e0::b"] };
  peers: readonly Device[];
  routes: readonly string[] | null = null;
  /** Whether the coordination server delivers what is offered. */
  isServed = true;
  /** Settings that differ from the recorded ones. */
  settings: Readonly<Record<string, unknown>> = {};
  /** What is answered instead; null = what is right. */
  failure: (() => Response) | null = null;
  /** Bodies of PATCH. */
  readonly changes: unknown[] = [];
  #server: Bun.Server<undefined> | null = null;

  constructor(socket: string, peers: readonly Device[]) {
    this.socket = socket;
    this.peers = peers;
    this.start();
  }

  start(): void {
    this.#server = Bun.serve({ unix: this.socket, fetch: (request) => this.#answer(request) });
  }

  async stop(): Promise<void> {
    await this.#server?.stop(true);
    rmSync(this.socket, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.headers.get("host") !== "local-tailscaled.sock") {
      return new Response("invalid localapi request", { status: 403 });
    }
    if (this.failure !== null) {
      return this.failure();
    }
    switch (`${request.method} ${pathname}`) {
      case "GET /localapi/v0/status":
        return Response.json(this.#status());
      case "GET /localapi/v0/prefs":
        return Response.json({ ...recorded.prefs, ...this.settings, AdvertiseRoutes: this.routes });
      case "PATCH /localapi/v0/prefs":
        return await this.#change(request);
      default:
        return new Response("not found", { status: 404 });
    }
  }

  #status() {
    const keyOf = (index: number) => `nodekey:${index.toString(16).padStart(64, "0")}`;
    const peers = this.peers.map((peer, index) => [keyOf(index), { ...recorded.peer, ...peer }]);
    return {
      ...recorded.status,
      BackendState: this.state,
      AuthURL: this.loginUrl,
      TailscaleIPs: this.self?.TailscaleIPs ?? null,
      Self:
        this.self === null
          ? null
          : { ...recorded.status.Self, ...this.self, PrimaryRoutes: this.isServed ? this.routes : null },
      Peer: peers.length === 0 ? null : Object.fromEntries(peers),
    };
  }

  async #change(request: Request): Promise<Response> {
    const body = (await request.json()) as { AdvertiseRoutes: string[]; AdvertiseRoutesSet?: boolean };
    this.changes.push(body);
    if (body.AdvertiseRoutesSet === true) {
      this.routes = body.AdvertiseRoutes;
    }
    return Response.json({ ...recorded.prefs, ...this.settings, AdvertiseRoutes: this.routes });
  }
}
