/** Serves an app on a unix socket: for commands of local users with write permission, not for the network. */
import { chmodSync, rmSync } from "node:fs";
import { systemReason } from "../../base/failure/system-reason.ts";

/** Owner and group. */
const socketMode = 0o660;

/**
 * Disposing it takes no new connections and removes the socket. A socket left by a killed process is replaced. Throws
 * an Error, with the next step, when it cannot be made.
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
        // A command may take longer than Bun's idle limit.
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
    const reason = systemReason(cause);
    throw new Error(`Cannot listen on ${path}: ${reason}; give another folder`, { cause });
  }
}
