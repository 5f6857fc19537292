/** Routes for monitoring: `/health` (it lives), `/ready` (it can serve), `/metrics`. */
import type { Hono } from "hono";
import type { Registry } from "prom-client";
import { isFailure } from "../../base/failure/failure.ts";
import type { HttpEnv } from "./app.ts";
import { readinessFreshMs, readinessWaitMs } from "./limits.ts";
import { sharedAnswer } from "./shared-answer.ts";

export interface MonitoringOptions {
  readonly version: string;
  readonly registry: Registry;
  /** Checks of the service's dependencies by name; each rejects when unavailable. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** The same for dependencies of only a part of the service: without them it is degraded. */
  readonly partial?: MonitoringOptions["checks"];
}

/** The result for one dependency. Its reason is for the log only: it may name hosts. */
interface Finding {
  readonly name: string;
  readonly state: "ready" | "unavailable" | "transaction_pooler";
}

export function addMonitoring(app: Hono<HttpEnv>, options: MonitoringOptions): void {
  const { version, registry, checks, partial = {} } = options;
  const startedAtMs = performance.now();
  app.get("/health", (c) => {
    const uptimeSec = Math.floor((performance.now() - startedAtMs) / 1000);
    return c.json({ status: "healthy", version, uptime_seconds: uptimeSec });
  });
  const findings = sharedAnswer(readinessFreshMs, () => Promise.all([lookAt(checks), lookAt(partial)]));
  app.get("/ready", async (c) => {
    const [needed, others] = await findings();
    const states = Object.fromEntries([...needed, ...others].map(({ name, state }) => [name, state]));
    if (!needed.every(isReady)) {
      return c.json({ status: "unavailable", checks: states }, 503);
    }
    // 200: a load balancer that removed what still works would help no user.
    return c.json({ status: others.every(isReady) ? "ready" : "degraded", checks: states }, 200);
  });
  // Concurrent scrapes share one: some gauges query the database.
  const metrics = sharedAnswer(0, () => registry.metrics());
  app.get("/metrics", async (c) => c.body(await metrics(), 200, { "content-type": registry.contentType }));
}

function lookAt(checks: MonitoringOptions["checks"]): Promise<Finding[]> {
  return Promise.all(Object.entries(checks).map(([name, check]) => probe(name, check)));
}

const isReady = ({ state }: Finding): boolean => state === "ready";

async function probe(name: string, check: () => Promise<unknown>): Promise<Finding> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("no answer in time")), readinessWaitMs);
  try {
    await Promise.race([check(), late]);
    return { name, state: "ready" };
  } catch (error) {
    const isPooler = isFailure(error, "database", "sharedSessions");
    return { name, state: isPooler ? "transaction_pooler" : "unavailable" };
  } finally {
    clearTimeout(timer);
  }
}
