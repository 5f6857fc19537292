/** Puts an app on a port: the one place where a service meets Bun's server. */
import { idleConnectionSec, stopWaitMs } from "./limits.ts";
import { Problem } from "./problem.ts";

export interface ServeOptions {
  readonly host: string;
  /** 0 = any that is free. */
  readonly port: number;
  /** Several processes may listen on the same port; the kernel shares connections out. */
  readonly reusePort?: boolean;
}

export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:8080/` */
  readonly url: string;
  readonly port: number;
}

/** What is known of a request besides itself: an app finds it as its environment. */
export interface Connection {
  /** Where the connection comes from, by the socket, not by any header; null when it has gone already. */
  readonly remoteAddress: string | null;
}

export type FetchHandler = (request: Request, connection: Connection) => Response | Promise<Response>;

/**
 * Disposing it takes no new connections, lets what is under way end, and cuts what has not ended after 8 s.
 * Throws an Error with what to do when the address cannot be listened on.
 */
export function serve(fetch: FetchHandler, { host, port, reusePort = false }: ServeOptions): RunningServer {
  try {
    const server = Bun.serve({
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
    });
    return {
      url: server.url.href,
      port: server.port ?? port,
      [Symbol.asyncDispose]: () => stop(server),
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot listen on ${host}:${port}: ${reason}; give another address or port`, { cause });
  }
}

/** Bun makes no URL of an invalid Host (`a"b`), or is not there: then it is the path alone. */
function hasWholeUrl({ url }: Request): boolean {
  return !url.startsWith("/");
}

/**
 * HTTP/1.0 may come without a Host, and some that watch over services do so. Whatever else gives no URL is refused:
 * the path would be looked for behind where it starts, so what a proxy in front has not let through could be reached.
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
  return new Problem({ status: 400, code: "malformed_host", message }).toResponse(request.url);
}

class SocketConnection implements Connection {
  readonly #request: Request;
  readonly #server: Bun.Server<undefined>;

  constructor(request: Request, server: Bun.Server<undefined>) {
    this.#request = request;
    this.#server = server;
  }

  /** Asked for by few, so it is looked up then. */
  get remoteAddress(): string | null {
    return this.#server.requestIP(this.#request)?.address ?? null;
  }
}

async function stop(server: Bun.Server<undefined>): Promise<void> {
  const cut = setTimeout(() => server.stop(true), stopWaitMs);
  await server.stop();
  clearTimeout(cut);
}
