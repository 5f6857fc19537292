/**
 * Makes services on this machine's loopback reachable at the same addresses in the user's namespace: a login names its
 * gateways and its issuer by these, and is used on both sides. A VPN's user reaches them on the Internet.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { inNetworkNamespace } from "../../../ffi/network-namespace.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";

/** Addresses of a URL's host that are another machine's own in each namespace. */
const loopbacks: ReadonlyMap<string, string> = new Map([
  ["127.0.0.1", "127.0.0.1"],
  ["localhost", "127.0.0.1"],
  ["[::1]", "::1"],
]);

export class LoopbackRelay implements AsyncDisposable {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** Those of `urls` that are on the loopback. Rejects where one cannot be listened at in the namespace. */
  static async open(urls: readonly string[], namespacePath: string): Promise<LoopbackRelay> {
    const relay = new LoopbackRelay();
    try {
      for (const url of urls) {
        await relay.#listen(url, namespacePath);
      }
      return relay;
    } catch (error) {
      await relay[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()));
  }

  async #listen(url: string, namespacePath: string): Promise<void> {
    const { hostname, port } = new URL(url);
    const host = loopbacks.get(hostname);
    if (host === undefined) {
      return;
    }
    const place = { host, port: Number(port) };
    // An end of one direction is passed on; the other continues, as with one connection.
    const server = createServer({ allowHalfOpen: true }, (inside) => this.#join(inside, place));
    const listening = once(server, "listening");
    inNetworkNamespace(namespacePath, () => server.listen(place));
    await listening.catch((cause: unknown) => {
      throw cannot(`Cannot pass on ${url} to the user's side: ${systemReason(cause)}`, { cause });
    });
    this.#servers.push(server);
  }

  #join(inside: Socket, place: { readonly host: string; readonly port: number }): void {
    const outside = connect({ ...place, allowHalfOpen: true });
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      this.#sockets.add(one);
      one.pipe(other);
      // Who is connected sees an end, as of a service that has died.
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroySoon();
      });
    }
  }
}
