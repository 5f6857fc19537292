/**
 * Stands for tailscaled on the machine of a user: `vantage bootstrap` asks it for the status of the stack's tunnel, and
 * says which prefixes the device offers (as tailscaled 1.94.1, /localapi/v0). The device is in the VPN once a user
 * has joined.
 */
import { chmodSync, rmSync } from "node:fs";
import { parsePrefix, prefixContains } from "../../../lib/net/ip/prefix.ts";
import { exchangeAddresses, exchangeName, userAddresses } from "./tunnel.ts";

/** As tailscaled does it: a web page must not be able to reach the socket. */
const host = "local-tailscaled.sock";
/** A body is a list of prefixes: those of one user. */
const bodyBytesMax = 64 << 10;

interface DeviceSocketParts {
  readonly socket: string;
  /** The device's user has joined. */
  readonly isJoined: () => boolean;
  /** What the device may offer: leases lie in these. */
  readonly platformPrefixes: readonly string[];
  /** Makes the prefixes reachable, and others not any more. */
  readonly carry: (add: readonly string[], remove: readonly string[]) => Promise<void>;
}

export class DeviceSocket implements AsyncDisposable {
  readonly #parts: DeviceSocketParts;
  readonly #server: Bun.Server<undefined>;
  #offers: readonly string[] = [];

  /** Throws an Error where the socket cannot be made. */
  constructor(parts: DeviceSocketParts) {
    this.#parts = parts;
    rmSync(parts.socket, { force: true });
    this.#server = Bun.serve({
      unix: parts.socket,
      maxRequestBodySize: bodyBytesMax,
      fetch: (request) => this.#answer(request),
    });
    chmodSync(parts.socket, 0o600);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
    rmSync(this.#parts.socket, { force: true });
  }

  async #answer(request: Request): Promise<Response> {
    if (request.headers.get("host") !== host) {
      return new Response("invalid localapi request", { status: 403 });
    }
    switch (`${request.method} ${new URL(request.url).pathname}`) {
      case "GET /localapi/v0/status":
        return Response.json(this.#status());
      case "GET /localapi/v0/prefs":
        return Response.json(this.#prefs());
      case "PATCH /localapi/v0/prefs":
        return await this.#change(request);
      default:
        return new Response("not found", { status: 404 });
    }
  }

  #status() {
    const isJoined = this.#parts.isJoined();
    const exchange = { HostName: exchangeName, DNSName: `${exchangeName}.stack.`, Tags: ["tag:exchange"] };
    const peer = { ...exchange, TailscaleIPs: Object.values(exchangeAddresses), Online: true };
    const own = Object.values(userAddresses);
    return {
      BackendState: isJoined ? "Running" : "NeedsLogin",
      TailscaleIPs: isJoined ? own : null,
      Self: {
        HostName: "user",
        DNSName: "user.stack.",
        TailscaleIPs: isJoined ? own : null,
        Online: isJoined,
      },
      Health: isJoined ? null : ["no user has joined; to join: vantage stack join"],
      Peer: isJoined ? { [`nodekey:${"0".repeat(64)}`]: peer } : null,
    };
  }

  /** No source is rewritten, and the exchange's routes are taken: the tunnel is made like that. */
  #prefs() {
    return { AdvertiseRoutes: this.#offers, NoSNAT: true, RouteAll: true };
  }

  async #change(request: Request): Promise<Response> {
    const wanted = offersOf(await request.json().catch(() => null));
    if (wanted === null) {
      return new Response("AdvertiseRoutes is not a list of prefixes", { status: 400 });
    }
    const allowed = wanted.filter((prefix) => this.#isPlatforms(prefix));
    const gone = this.#offers.filter((prefix) => !allowed.includes(prefix));
    this.#offers = allowed;
    await this.#parts.carry(allowed, gone);
    return Response.json(this.#prefs());
  }

  #isPlatforms(text: string): boolean {
    const prefix = parsePrefix(text);
    return (
      prefix !== null &&
      this.#parts.platformPrefixes.some((platform) => {
        const outer = parsePrefix(platform);
        return outer !== null && outer.length <= prefix.length && prefixContains(outer, prefix.base);
      })
    );
  }
}

/** Null on anything else than `{"AdvertiseRoutes": […], "AdvertiseRoutesSet": true}`. */
function offersOf(body: unknown): string[] | null {
  if (typeof body !== "object" || body === null || !("AdvertiseRoutes" in body)) {
    return null;
  }
  const { AdvertiseRoutes: routes } = body;
  return Array.isArray(routes) && routes.every((route) => typeof route === "string") ? routes : null;
}
