/** The client with all its parts, wired: what `main.ts` runs, and what tests run with other folders and sockets. */
import { mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Hono } from "hono";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { Client } from "./client.ts";
import type { BootstrapConfig } from "./config.ts";
import { BirdDaemon } from "./daemon/bird-daemon.ts";
import { FrrDaemon } from "./daemon/frr-daemon.ts";
import type { GatewayLogin } from "./gateway-login.ts";
import { statusApp } from "./http/app.ts";
import { controlApp } from "./http/control-app.ts";
import { OwnLogin } from "./own-login.ts";
import { RequestLink } from "./request-link.ts";
import { StateFile } from "./state-file.ts";
import { LocalApi } from "./vpn/local-api.ts";

export interface Service {
  readonly client: Client;
  readonly app: Hono<HttpEnv>;
  readonly control: Hono;
  /** Null while there is no login at a gateway. */
  readonly link: () => RequestLink | null;
}

interface ServiceOptions {
  readonly log: Logger;
  readonly nowMs: () => number;
  readonly elapsedMs: () => number;
}

/** Creates the user's folder of snippets, which BIRD requires. Nothing is ever written into it. */
export function makeService(config: BootstrapConfig, { log, nowMs, elapsedMs }: ServiceOptions): Service {
  mkdirSync(config.daemon.snippetsFolder, { recursive: true });
  const client = new Client({
    config,
    login: config.loginAt === null ? null : new OwnLogin(config.loginAt, config.settingsFolder),
    vpn: new LocalApi(config.vpn.socket),
    daemon: config.daemon.kind === "bird" ? new BirdDaemon(config.daemon) : new FrrDaemon(config.daemon),
    state: new StateFile(config.stateFolder),
    log,
    nowMs,
    elapsedMs,
  });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { client, app: statusApp(client, registry), control: controlApp(client), link: linkOf(client) };
}

/** Runs rounds until the signal, and accepts announcement requests. Rejects when the state cannot be stored. */
export async function followChanges(
  { client, link }: Pick<Service, "client" | "link">,
  signal: AbortSignal,
): Promise<void> {
  const loggingIn = client.parts.login?.follow(client, signal);
  await client.look();
  let following: Promise<void> | undefined;
  while (!signal.aborted) {
    following ??= link()?.follow(signal);
    void link()?.report();
    await pause(client.parts.config.intervalMs, null, { signal }).catch(() => undefined);
    if (!signal.aborted) {
      await client.look();
    }
  }
  await Promise.all([following, loggingIn]);
}

/** One link for all logins: it uses the login as it is at each request. */
function linkOf(client: Client): () => RequestLink | null {
  let link: RequestLink | null = null;
  return () => {
    const gateway = link === null ? gatewayOf(client) : null;
    link ??= gateway === null ? null : new RequestLink(client, gateway);
    return link;
  };
}

/** Null also where the login cannot be read: the part `gateway` shows why. */
function gatewayOf(client: Client): GatewayLogin | null {
  try {
    return client.gateway();
  } catch {
    return null;
  }
}
