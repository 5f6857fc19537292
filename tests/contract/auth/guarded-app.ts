/** The smallest service behind a token check: one route that says who calls, made of the parts that gateways use. */
import { Registry } from "prom-client";
import { oidcVerifier } from "../../../lib/engines/auth/oidc-verifier.ts";
import { httpApp } from "../../../lib/engines/http/app.ts";
import { pulledBody } from "../../../lib/engines/http/pulled-body.ts";
import { requireUser, userOf } from "../../../lib/engines/http/require-user.ts";
import { standingOf } from "../../../lib/engines/http/standing.ts";
import { httpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import type { TestIssuer } from "../../issuer/issuer.ts";

interface GuardedAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface GuardedApp {
  ask(authorization: string | null): Promise<GuardedAnswer>;
  /** An answer without an end. */
  stream(authorization: string): Promise<Response>;
  /** The header `WWW-Authenticate` of the answer. */
  challenge(authorization: string | null): Promise<string | null>;
  /** Paths that the issuer was asked for, in order. */
  readonly asked: string[];
  /** The metric of refused callers, by code. */
  failures(): Promise<Readonly<Record<string, number>>>;
  /** Whether the service finds its issuer reachable. */
  reachesIssuer(): Promise<boolean>;
  /** What the service takes for the time goes on by this much. */
  wait(ms: number): void;
}

export function guardedApp(
  { url, audience }: Pick<TestIssuer, "url" | "audience">,
  { audiences = [audience] }: { readonly audiences?: readonly string[] } = {},
): GuardedApp {
  const registry = new Registry();
  const metrics = httpMetrics(registry);
  const asked: string[] = [];
  let waitedMs = 0;
  const verifier = oidcVerifier({
    issuer: url,
    audiences,
    now: () => Date.now() + waitedMs,
    fetch: (address, options) => {
      asked.push(new URL(address).pathname);
      return fetch(address, options);
    },
  });
  const app = httpApp({ log: jsonLog("test", () => {}), metrics });
  app.get("/me", requireUser(verifier, metrics), (c) => c.json({ user_hash: userOf(c).userHash }));
  app.get("/stream", requireUser(verifier, metrics), (c) => {
    const standing = standingOf(c);
    const onEnd = () => standing[Symbol.dispose]();
    return new Response(pulledBody({ texts: ticks(), cut: standing.signal, onEnd }));
  });
  const request = (authorization: string | null, path = "/me") =>
    app.request(path, { headers: authorization === null ? {} : { authorization } });
  return {
    asked,
    ask: async (authorization) => {
      const response = await request(authorization);
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
    stream: async (authorization) => request(authorization, "/stream"),
    challenge: async (authorization) => (await request(authorization)).headers.get("www-authenticate"),
    failures: () => countsByCode(registry),
    reachesIssuer: async () =>
      await (verifier.checkIssuer?.() ?? Promise.reject()).then(
        () => true,
        () => false,
      ),
    wait: (ms) => {
      waitedMs += ms;
    },
  };
}

async function* ticks(): AsyncGenerator<string, void, undefined> {
  for (;;) {
    yield "tick\n";
    await Bun.sleep(10);
  }
}

async function countsByCode(registry: Registry): Promise<Record<string, number>> {
  const metric = await registry.getSingleMetric("vantage_gateway_authentication_failures_total")?.get();
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [String(labels.code), value]));
}
