/** Puts an app on a unix socket: for commands of whoever may write there, and for nobody in the network. */
import { chmodSync, rmSync } from "node:fs";

/** Owner and group. */
const socketMode = 0o660;

/**
 * Disposing it takes no new connections and removes the socket. One that a killed process has left is replaced.
 * Throws an Error with what to do when it cannot be made.
 */
export function serveSocket(
  fetch: (request: Request) => Response | Promise<Response>,
  path: string,
): AsyncDisposable {
  try {
    rmSync(path, { force: true });
    const server = Bun.serve({
      unix: path,
      fetch: (request, server) => {
        // An order may take longer than Bun's limit for quiet connections.
        server.timeout(request, 0);
        return fetch(request);
      },
    });
    chmodSync(path, socketMode);
    return {
      [Symbol.asyncDispose]: async () => {
        await server.stop(true);
        rmSync(path, { force: true });
      },
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot listen on ${path}: ${reason}; give another folder`, { cause });
  }
}
