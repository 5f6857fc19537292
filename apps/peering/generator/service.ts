/** The generator with all its parts, wired: what `main.ts` runs, and what tests run with other sources and clocks. */
import { join } from "node:path";
import type { Hono } from "hono";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { httpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { Sight } from "../../../lib/engines/observe/sight.ts";
import { addDiskGauges } from "../../../lib/engines/observe/state-gauges.ts";
import type { BirdSession } from "../../../lib/peering/bird/sessions.ts";
import type { GeneratorConfig, VpnConfig } from "./config.ts";
import { Peers } from "./daemon/peers.ts";
import { PolicyFile } from "./daemon/policy-file.ts";
import { Generator } from "./generator.ts";
import { Heartbeat } from "./heartbeat.ts";
import { generatorApp } from "./http/app.ts";
import { seenAgeMsMax } from "./limits.ts";
import { type Coordination, Loop } from "./loop.ts";
import { generatorMetrics, type Levels } from "./metrics.ts";
import { OwnRoutes } from "./own-routes.ts";
import { PersistentFile } from "./persistent-file.ts";
import { PrefixWatch } from "./prefix-watch.ts";
import { RouteApprover } from "./route-approver.ts";
import { RouteAudit } from "./route-audit.ts";
import { SessionWatch } from "./session-watch.ts";
import { SourceCache, sourceNames } from "./source-cache.ts";
import { openGateway } from "./sources/gateway.ts";
import { openVpn } from "./sources/vpn.ts";

export interface Service {
  readonly generator: Generator;
  /** Not started. */
  readonly loop: Loop;
  readonly app: Hono<HttpEnv>;
  readonly approver: RouteApprover | null;
}

interface ServiceOptions {
  readonly log: Logger;
  readonly nowMs: () => number;
  /** Stores nothing on disk. */
  readonly isDry?: boolean;
  /** Replaces a generator without heartbeats, and sends none itself. */
  readonly isDeputy?: boolean;
  /** This machine's addresses; asked for when they matter. */
  readonly ownAddresses?: () => readonly string[];
  /** Maximum age of the daemon's data in `/status`, in milliseconds. */
  readonly seenAgeMs?: number;
}

export function makeService(config: GeneratorConfig, options: ServiceOptions): Service {
  const { log, nowMs, isDeputy = false, seenAgeMs = seenAgeMsMax } = options;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const files = keptFiles(options.isDry === true ? null : config.stateDir, isDeputy ? "standby" : "new");
  const standby = new Heartbeat(files.standby, steadyMs);
  let isStandbyUp = false;
  const sight = new Sight(registry);
  const metrics = generatorMetrics(registry, sight, () => levelsOf(generator, isStandbyUp));
  if (options.isDry !== true) {
    addDiskGauges(sight, config.stateDir);
  }
  const { daemon, joinRules, staleMs, asnPool, platformAsn, operatorNetworks, alertMs } = config;
  const { prefixes: rules, ...budget } = config.budget;
  const knowledge = new SourceCache(files.inputs, joinRules);
  const peers = new Peers(daemon.controlSocket, seenAgeMs);
  const watch = new SessionWatch({
    peers,
    knowledge,
    budget,
    platformAsn,
    nowMs,
    steadyMs,
    file: files.budget,
    log,
    metrics,
  });
  const prefixes = new PrefixWatch({ rules, nowMs, file: files.prefixes, log, metrics });
  const audit = new RouteAudit({ peers, watch, prefixes, log, metrics });
  const vpn = openVpn(config.vpn);
  const gateway = openGateway(
    { ...config.gateway, needsEmails: joinRules.allowEmailJoin, server: config.server },
    asnPool,
  );
  const { policyFile: path, controlSocket, checkCommand } = daemon;
  const writer = isDeputy ? "standby" : "";
  const file = new PolicyFile({ path, controlSocket, checkCommand, writer, endsSec: daemon.policyEndsSec });
  const parts = { gateway, vpn, file, watch, prefixes, audit, knowledge, staleMs, nowMs, log, metrics };
  const generator = new Generator(parts);
  const coordination = coordinationOf(generator, config.vpn, options.ownAddresses);
  const heartbeat = new Heartbeat(files.heartbeat, steadyMs);
  const loop = new Loop(generator, coordination, {
    intervalMs: config.intervalMs,
    sampleMs: daemon.sampleMs,
    watchGateway: config.gateway.watch,
    async beat() {
      isStandbyUp = (await standby.ageMs()) < config.standbyAfterMs && (await files.standby.read()) !== "";
      if (!isDeputy) {
        await heartbeat.beat();
      }
    },
  });
  const about = { operatorNetworks, platformAsn, alertMs, httpMetrics: httpMetrics(registry) };
  const app = generatorApp({ generator, loop, peers, registry, ...about });
  return { generator, loop, app, approver: coordination.approver };
}

function coordinationOf(
  generator: Generator,
  config: VpnConfig,
  ownAddresses?: () => readonly string[],
): Coordination {
  const { approve } = generator.parts.vpn;
  if (approve === null || config.kind === "file") {
    return { ownRoutes: null, approver: null };
  }
  return {
    ownRoutes: new OwnRoutes(generator, approve, ownAddresses),
    approver: config.approveRoutes ? new RouteApprover(generator, approve) : null,
  };
}

export const steadyMs = () => performance.now();

/** Files that outlive this process, or that another process reads. `writer`: see PersistentFile. */
export function keptFiles(stateDir: string | null, writer: string) {
  const kept = (name: string) => new PersistentFile(stateDir === null ? null : join(stateDir, name), writer);
  return {
    inputs: kept("inputs.json"),
    budget: kept("budget.json"),
    prefixes: kept("prefixes.json"),
    heartbeat: kept("heartbeat"),
    standby: kept("standby"),
  };
}

function levelsOf({ parts, applied, lastChangeMs }: Generator, isStandbyUp: boolean): Levels {
  const { knowledge, watch, nowMs } = parts;
  const now = nowMs();
  const users = applied?.policy.users ?? [];
  const excluded: Record<string, number> = {};
  for (const { reason } of knowledge.membership()?.excluded ?? []) {
    excluded[reason] = (excluded[reason] ?? 0) + 1;
  }
  return {
    dataAgeSec: Object.fromEntries(
      sourceNames.flatMap((source) => {
        const ageMs = knowledge.ageMs(source, now);
        return ageMs === null ? [] : [[source, ageMs / 1000]];
      }),
    ),
    users: {
      in: users.length,
      leasing: users.filter(({ prefixes }) => prefixes.length > 0).length,
      suspended: watch.suspended(now).size,
    },
    excluded,
    ...daemonLevelsOf(watch.sessions),
    refusedOutside: watch.sessions === null ? null : watch.refusedOutside,
    cachesSec:
      watch.sessions === null
        ? null
        : Object.fromEntries(watch.caches.map(({ name, answeredAtMs }) => [name, answeredAtMs / 1000])),
    rejectAll: applied?.isRejectAll === true ? 1 : 0,
    standbyUp: isStandbyUp ? 1 : 0,
    lastChangeSec: (lastChangeMs ?? 0) / 1000,
    leasesSec: (applied?.leasesAtMs ?? 0) / 1000,
  };
}

function daemonLevelsOf(sessions: readonly BirdSession[] | null): Pick<Levels, "sessions" | "routes"> {
  if (sessions === null) {
    return { sessions: null, routes: null };
  }
  const up = sessions.filter(({ isUp }) => isUp).length;
  const sum = (of: (session: BirdSession) => number) =>
    sessions.reduce((total, session) => total + of(session), 0);
  return {
    sessions: { up, down: sessions.length - up },
    routes: {
      accepted: sum(({ importedRoutes }) => importedRoutes),
      refused: sum(({ filteredRoutes }) => filteredRoutes),
    },
  };
}
