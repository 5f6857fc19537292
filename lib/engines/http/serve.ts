/** Serves an app on a port: the only user of Bun's server. */
import { systemReason } from "../../base/failure/system-reason.ts";
import { idleConnectionSec, socketFullBytes, socketMessageBytesMax, stopWaitMs } from "./limits.ts";
import { problem } from "./problem.ts";

export interface ServeOptions {
  readonly host: string;
  /** 0 = any that is free. */
  readonly port: number;
  /** Several processes may listen on the same port; the kernel shares connections out. */
  readonly reusePort?: boolean;
  /** The configuration key, or the option, that sets the address: for the error when that is not possible. */
  readonly setting?: string;
}

export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:8080/` */
  readonly url: string;
  readonly port: number;
}

/** Connection data of a request: an app gets it as its environment. */
export interface Connection {
  /** The peer's address from the socket, not from a header; null when it has disconnected. */
  readonly remoteAddress: string | null;
  /** Upgrades the request to a WebSocket; any answer to it is then ignored. False = it is not an upgrade request. */
  upgrade(handler: SocketHandler): boolean;
}

/** The other side of a WebSocket. */
export interface OpenSocket {
  send(text: string): void;
  /** The client has not taken what was sent; `drained` reports when it has. */
  isFull(): boolean;
  close(code: number, reason: string): void;
}

/** What a service does with one WebSocket. Binary messages are closed by 1003. */
export interface SocketHandler {
  opened(socket: OpenSocket): void;
  message(text: string): void;
  drained(): void;
  closed(): void;
}

export type FetchHandler = (request: Request, connection: Connection) => Response | Promise<Response>;

/**
 * Disposing it takes no new connections, lets running requests end, and cuts off the rest after 8 s. Throws an Error,
 * with the next step, when it cannot listen on the address.
 */
export function serve(
  fetch: FetchHandler,
  { host, port, reusePort = false, setting }: ServeOptions,
): RunningServer {
  try {
    const server = Bun.serve<SocketHandler>({
      hostname: host,
      port,
      reusePort,
      idleTimeout: idleConnectionSec,
      // Each route has its own limit, and a stream of probes none but the quota.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request, server) =>
        hasWholeUrl(request)
          ? fetch(request, new SocketConnection(request, server))
          : withoutHost(fetch, request, new SocketConnection(request, server)),
      websocket: sockets,
    });
    return {
      url: server.url.href,
      port: server.port ?? port,
      [Symbol.asyncDispose]: () => stop(server),
    };
  } catch (cause) {
    const next = setting === undefined ? "give another address or port" : `give another with ${setting}`;
    throw new Error(`Cannot listen on ${host}:${port}: ${systemReason(cause)}; ${next}`, { cause });
  }
}

/** Bun makes no URL from an invalid (`a"b`) or missing Host: then it is the path alone. */
function hasWholeUrl({ url }: Request): boolean {
  return !url.startsWith("/");
}

/**
 * HTTP/1.0 may come without a Host, and some monitors do that. Any other request without a URL is refused: the path
 * would be parsed from a wrong position, so a path that a proxy in front blocks could be reached.
 */
function withoutHost(
  fetch: FetchHandler,
  request: Request,
  connection: Connection,
): Response | Promise<Response> {
  if ((request.headers.get("host") ?? "") === "") {
    return fetch(new Request(`http://localhost${request.url}`, request), connection);
  }
  const message = "Cannot use the header Host: it is not HOST or HOST:PORT";
  return problem(400, "malformed_host", message).toResponse(request.url);
}

class SocketConnection implements Connection {
  readonly #request: Request;
  readonly #server: Bun.Server<SocketHandler>;

  constructor(request: Request, server: Bun.Server<SocketHandler>) {
    this.#request = request;
    this.#server = server;
  }

  upgrade(handler: SocketHandler): boolean {
    return this.#server.upgrade(this.#request, { data: handler });
  }

  /** Rarely used, so it is looked up on demand. */
  get remoteAddress(): string | null {
    return this.#server.requestIP(this.#request)?.address ?? null;
  }
}

const sockets: Bun.WebSocketHandler<SocketHandler> = {
  // Pings keep it open: a client that does not answer them is closed.
  idleTimeout: idleConnectionSec,
  maxPayloadLength: socketMessageBytesMax,
  // Writers check isFull; a connection whose writer does not is closed.
  backpressureLimit: 2 * socketFullBytes,
  closeOnBackpressureLimit: true,
  open: (socket) =>
    socket.data.opened({
      send: (text) => void socket.sendText(text),
      isFull: () => socket.getBufferedAmount() > socketFullBytes,
      close: (code, reason) => socket.close(code, reason),
    }),
  message: (socket, message) =>
    typeof message === "string" ? socket.data.message(message) : socket.close(1003, "only text is read"),
  drain: (socket) => socket.data.drained(),
  close: (socket) => socket.data.closed(),
};

async function stop(server: Bun.Server<SocketHandler>): Promise<void> {
  const cut = setTimeout(() => server.stop(true), stopWaitMs);
  await server.stop();
  clearTimeout(cut);
}
