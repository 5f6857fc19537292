/** The BMP station (RFC 7854 s.3.2, passive): routers connect and speak; nothing is ever sent to them. */
import { createServer, type Server, type Socket } from "node:net";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { MalformedRoutes, type RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import { bodyOf, isRoutes, messageKind } from "../../../lib/net/bmp/message.ts";
import { bmpMessages } from "../../../lib/net/bmp/messages.ts";
import { BmpSession } from "../../../lib/net/bmp/session.ts";
import { type Address, formatAddress, parseAddress } from "../../../lib/net/ip/address.ts";
import { type Prefix, prefixContains } from "../../../lib/net/ip/prefix.ts";
import type { DamagedRoutes } from "./damaged-routes.ts";
import { keepAliveMs } from "./limits.ts";

export interface RouterSession {
  readonly router: Address;
  readonly port: number;
  readonly sinceMs: number;
  readonly bmp: BmpSession;
}

interface StationParts {
  readonly listen: { readonly host: string; readonly port: number };
  readonly routers: readonly Prefix[];
  readonly sessionsMax: number;
  readonly log: Logger;
  readonly begun: (session: RouterSession) => void;
  /** `raw`: the BGP message that the event was in; null = it was in none. */
  readonly received: (session: RouterSession, event: RouteEvent, raw: Uint8Array | null) => void;
  /** Receives malformed UPDATEs, and attributes that are left out. */
  readonly damage: Pick<DamagedRoutes, "malformed" | "discarded">;
  readonly ended: (session: RouterSession, reason: string) => void;
  /** Resolves when there is room for what comes next: until then TCP holds the router back. */
  readonly room: () => Promise<void>;
}

export class Station implements AsyncDisposable {
  readonly counts = { refused: 0, messages: 0, bytes: 0, broken: 0, unknown: 0, discarded: 0 };
  readonly #parts: StationParts;
  readonly #server: Server;
  /** By the router's address: a second connection of a router takes the place of the first. */
  readonly #sessions = new Map<string, { readonly session: RouterSession; readonly socket: Socket }>();
  readonly #running = new Set<Promise<void>>();

  constructor(parts: StationParts) {
    this.#parts = parts;
    this.#server = createServer((socket) => {
      const running = this.#serve(socket).finally(() => this.#running.delete(running));
      this.#running.add(running);
    });
  }

  get sessions(): RouterSession[] {
    return [...this.#sessions.values()].map(({ session }) => session);
  }

  /** Resolves to the port. Rejects with an Error that names the setting. */
  async listen(): Promise<number> {
    const { host, port } = this.#parts.listen;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once("error", reject);
    this.#server.listen({ host, port }, resolve);
    try {
      await promise;
    } catch (cause) {
      throw new Error(`Cannot listen for BMP at ${host}:${port} (bmp.address): ${systemReason(cause)}`, {
        cause,
      });
    }
    const at = this.#server.address();
    return typeof at === "object" && at !== null ? at.port : port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const { socket } of this.#sessions.values()) {
      socket.destroy();
    }
    await Promise.all(this.#running);
  }

  async #serve(socket: Socket): Promise<void> {
    // What goes wrong shows where the connection is read.
    socket.on("error", () => {});
    // A router that is gone without a word shows by this alone: nothing is sent to it.
    socket.setKeepAlive(true, keepAliveMs);
    const router = parseAddress((socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, ""));
    const refusal = router === null ? "its address cannot be read" : this.#refusal(router);
    if (router === null || refusal !== null) {
      this.counts.refused++;
      this.#parts.log.warn("Router refused", { router: socket.remoteAddress ?? "", reason: refusal ?? "" });
      socket.destroy();
      return;
    }
    const bmp = new BmpSession((damage, peer) => {
      this.counts.discarded++;
      this.#parts.damage.discarded(router, damage, peer);
    });
    const session = { router, port: socket.remotePort ?? 0, sinceMs: Date.now(), bmp };
    const key = formatAddress(router);
    const before = this.#sessions.get(key);
    if (before !== undefined) {
      before.socket.destroy();
      this.#parts.ended(before.session, "the router has connected again");
    }
    this.#sessions.set(key, { session, socket });
    this.#parts.begun(session);
    const reason = await this.#read(socket, session);
    socket.destroy();
    if (this.#sessions.get(key)?.session === session) {
      this.#sessions.delete(key);
      this.#parts.ended(session, reason);
    }
  }

  /** Null = it may. */
  #refusal(router: Address): string | null {
    const { routers, sessionsMax } = this.#parts;
    if (!routers.some((one) => prefixContains(one, router))) {
      return "its address is not in bmp.routers";
    }
    const isNew = !this.#sessions.has(formatAddress(router));
    return isNew && this.#sessions.size >= sessionsMax ? "bmp.sessions_max are connected" : null;
  }

  /** Resolves to why it has ended. */
  async #read(socket: Socket, session: RouterSession): Promise<string> {
    const key = formatAddress(session.router);
    try {
      for await (const messages of bmpMessages(socket)) {
        if (this.#sessions.get(key)?.session !== session) {
          return "the router has connected again";
        }
        for (const message of messages) {
          this.counts.messages++;
          this.counts.bytes += message.length;
          this.#take(session, message);
        }
        await this.#parts.room();
      }
      return "the router has closed it";
    } catch (error) {
      return systemReason(error);
    }
  }

  /** A message that is broken is counted; the next one has a head of its own. */
  #take(session: RouterSession, message: Uint8Array): void {
    if (messageKind(message) === null) {
      this.counts.unknown++;
      return;
    }
    let events: readonly RouteEvent[] = [];
    try {
      events = session.bmp.take(message);
    } catch (error) {
      if (!(error instanceof RangeError)) {
        throw error;
      }
      this.counts.broken++;
      if (error instanceof MalformedRoutes) {
        this.#parts.damage.malformed(session.router, error);
      }
    }
    const raw = isRoutes(message) ? bodyOf(message) : null;
    for (const event of events) {
      this.#parts.received(session, event, raw);
    }
  }
}
