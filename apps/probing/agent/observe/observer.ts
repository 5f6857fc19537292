/** Serves `/metrics` and `/health` on the main thread, which does no other work, so load does not delay it. */
import type { Registry } from "prom-client";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { Health } from "./health.ts";

interface ObserverParts {
  readonly listen: { readonly host: string; readonly port: number };
  readonly registry: Registry;
  readonly health: () => Health;
}

interface Observer extends AsyncDisposable {
  /** Where it listens: the actual port when 0 was requested. */
  readonly url: string;
}

/** Throws Error, with the next step, when it cannot listen on the address. */
export function startObserver({ listen, registry, health }: ObserverParts): Observer {
  try {
    const server = Bun.serve({
      hostname: listen.host,
      port: listen.port,
      routes: {
        "/metrics": async () =>
          new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } }),
        "/health": () => {
          const now = health();
          return Response.json(now, { status: now.status === "unhealthy" ? 503 : 200 });
        },
      },
      fetch: () => new Response("Not found: this serves /metrics and /health\n", { status: 404 }),
    });
    return {
      url: server.url.href,
      async [Symbol.asyncDispose]() {
        await server.stop(true);
      },
    };
  } catch (error) {
    const place = `${listen.host}:${listen.port}`;
    throw new Error(
      `Cannot listen on ${place}: ${systemReason(error)}; give another with agent.metrics_address`,
    );
  }
}
