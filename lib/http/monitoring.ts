/** Routes for monitoring: `/health` (it lives), `/ready` (it can serve), `/metrics`. */
import type { Hono } from "hono";
import type { Registry } from "prom-client";
import { isFailure } from "../failure/failure.ts";
import type { HttpEnv } from "./app.ts";
import { readinessFreshMs, readinessWaitMs } from "./limits.ts";
import { sharedAnswer } from "./shared-answer.ts";

export interface MonitoringOptions {
  readonly version: string;
  readonly registry: Registry;
  /** Checks of the service's dependencies by name; each rejects when unavailable. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
}

/** The result for one dependency. Its reason is for the log only: it may name hosts. */
interface Finding {
  readonly name: string;
  readonly state: "ready" | "unavailable" | "transaction_pooler";
}

export function addMonitoring(app: Hono<HttpEnv>, { version, registry, checks }: MonitoringOptions): void {
  const startedAtMs = performance.now();
  app.get("/health", (c) => {
    const uptimeSec = Math.floor((performance.now() - startedAtMs) / 1000);
    return c.json({ status: "healthy", version, uptime_seconds: uptimeSec });
  });
  const findings = sharedAnswer(readinessFreshMs, () =>
    Promise.all(Object.entries(checks).map(([name, check]) => look(name, check))),
  );
  app.get("/ready", async (c) => {
    const found = await findings();
    const isReady = found.every(({ state }) => state === "ready");
    const states = Object.fromEntries(found.map(({ name, state }) => [name, state]));
    return c.json({ status: isReady ? "ready" : "unavailable", checks: states }, isReady ? 200 : 503);
  });
  // Concurrent scrapes share one: some gauges query the database.
  const metrics = sharedAnswer(0, () => registry.metrics());
  app.get("/metrics", async (c) => c.body(await metrics(), 200, { "content-type": registry.contentType }));
}

async function look(name: string, check: () => Promise<unknown>): Promise<Finding> {
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
