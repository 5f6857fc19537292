/** `/health` and `/metrics` over HTTP: of the stack, or of a standalone ingester. */
import { systemReason } from "../../lib/base/failure/system-reason.ts";
import type { Listen } from "./listen.ts";
import type { Health } from "./stack.ts";
import { type Measured, stackRegistry } from "./stack-metrics.ts";

/** Throws an Error, with the next step, when it cannot listen on the address. */
export function startObserver(
  stack: Measured & { health(): Health },
  { hostname, port }: Listen,
): AsyncDisposable & { readonly url: string } {
  const registry = stackRegistry(stack);
  const answer = async ({ url }: Request): Promise<Response> => {
    switch (new URL(url).pathname) {
      case "/health": {
        const health = stack.health();
        return Response.json(health, { status: health.status === "unhealthy" ? 503 : 200 });
      }
      case "/metrics":
        return new Response(await registry.metrics(), { headers: { "Content-Type": registry.contentType } });
      default:
        return new Response("There are /health and /metrics\n", { status: 404 });
    }
  };
  try {
    const server = Bun.serve({ hostname, port, fetch: answer });
    return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) };
  } catch (cause) {
    const reason = systemReason(cause);
    throw new Error(`Cannot listen on ${hostname}:${port}: ${reason}; give another with --listen`, { cause });
  }
}
