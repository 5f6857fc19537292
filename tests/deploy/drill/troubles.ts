/**
 * Every service in all the trouble that there is an alert for, as its metrics tell it: the registries and functions are
 * those of the product, so a metric or label that is renamed there is missing here.
 *
 * Counters grow at each scrape.
 */
import { Registry } from "prom-client";
import {
  addLeaseGauge,
  addRoaGauge,
  gatewayMetrics as peeringMetrics,
} from "../../../apps/peering/gateway/metrics.ts";
import { generatorMetrics } from "../../../apps/peering/generator/metrics.ts";
import { agentRegistry } from "../../../apps/probing/agent/observe/metrics.ts";
import { addAgentGauges } from "../../../apps/probing/gateway/agents/agent-gauges.ts";
import type { AgentRow } from "../../../apps/probing/gateway/agents/agent-row.ts";
import { gatewayMetrics as probingMetrics } from "../../../apps/probing/gateway/metrics.ts";
import { stackRegistry } from "../../../apps/stack/stack-metrics.ts";
import { Sight } from "../../../lib/engines/observe/sight.ts";
import { agentRows, firstLevels } from "../exported-metrics.ts";

/** A service's page of metrics, by the name of its job in prometheus.yaml. */
type Pages = Readonly<Record<string, () => Promise<string>>>;

/** An agent that its gateway does not hear: apart from the one whose own metrics are read. */
export const silentAgent = "east";

/** `folder`: one that nobody has ever backed up. */
export function troubledServices(folder: string): Pages {
  return {
    "vantage-agent": agent(),
    "vantage-probing-gateway": probingGateway(),
    "vantage-peering-gateway": peeringGateway(),
    "vantage-policy-generator": generator(),
    "vantage-stack": stack(folder),
  };
}

/** By how much each counter of the agent grows at a scrape; levels are as they are, and the disk fills. */
const growing: Readonly<Record<string, number>> = {
  ...{ sender_sent: 10_000, sender_read: 10_000, sender_failed_route: 1000 },
  ...{ capture_received: 1000, capture_dropped: 50, capture_interface_dropped: 1 },
  ...{ records_bad: 1, records_refused: 1, replies_dropped: 1, clock_steps: 1 },
};
const levels: Readonly<Record<string, number>> = {
  ...{ consumer_away: 1, producer_away: 1, spool_full_now: 1, kill_switch: 1, killed: 1 },
  disk_size_bytes: 1e12,
};
const disk = { freeBytes: 5e11, lessAtEachScrape: 1e9 } as const;

function agent(): () => Promise<string> {
  const rows = agentRows();
  const known = new Set(rows.map(({ name }) => name));
  const strange = Object.keys({ ...growing, ...levels }).filter((name) => !known.has(name));
  if (strange.length > 0) {
    throw new Error(`An agent does not export ${strange.join(", ")}`);
  }
  let scrapes = 0;
  const figure = (name: string) =>
    name === "disk_free_bytes"
      ? disk.freeBytes - scrapes * disk.lessAtEachScrape
      : (levels[name] ?? scrapes * (growing[name] ?? 0));
  const registry = agentRegistry("west", () => rows.map((row) => ({ ...row, value: figure(row.name) })));
  return () => {
    scrapes++;
    return registry.metrics();
  };
}

function probingGateway(): () => Promise<string> {
  const metrics = probingMetrics({ waiting: () => 9, spoolBytes: () => 7e9 });
  const row: Partial<AgentRow> = { agent_id: silentAgent, is_online: false, last_seen_at: new Date(0) };
  const fresh = { rows: [row as AgentRow], body: new Uint8Array(), etag: "", headers: new Headers() };
  addAgentGauges(metrics.sight, { fresh, read: async () => fresh });
  return () => {
    for (const status of [200, 500, 503]) {
      metrics.http.request({ method: "POST", route: "/api/probes", status, elapsedMs: 9000 });
    }
    metrics.http.query({ name: "charge", elapsedMs: 1, failed: true });
    metrics.brokerFailed();
    metrics.badList("blocklist");
    for (let i = 0; i < 500; i++) {
      metrics.http.authenticationFailure("expired_token");
    }
    return metrics.registry.metrics();
  };
}

function peeringGateway(): () => Promise<string> {
  const { registry, sight } = peeringMetrics();
  addLeaseGauge(sight, { lastChangeMs: async () => Date.now() - 300_000 });
  addRoaGauge(sight, { completeMs: async () => Date.now() - 1_200_000 });
  return () => registry.metrics();
}

function generator(): () => Promise<string> {
  const registry = new Registry();
  const metrics = generatorMetrics(registry, new Sight(registry), () => ({
    ...firstLevels,
    ...{ dataAgeSec: { gateway: 400, vpn: 1 }, leasesSec: Date.now() / 1000 - 400 },
    ...{
      rejectAll: 1,
      standbyUp: 0,
      sessions: null,
      routes: null,
      cachesSec: { rpki1: Date.now() / 1000 - 7200 },
    },
  }));
  return () => {
    metrics.applied("failed");
    metrics.overstay();
    return registry.metrics();
  };
}

function stack(directory: string): () => Promise<string> {
  let scrapes = 0;
  const counters = () => ({ "replies.rejected.malformed": scrapes });
  const ingester = { name: "ingester", isUp: false, counters };
  const registry = stackRegistry({
    directory,
    children: [
      {
        ...ingester,
        get restarts() {
          return scrapes;
        },
      },
    ],
    lag: async () => ({ replies: 200_000, probes: 0 }),
  });
  return () => {
    scrapes++;
    return registry.metrics();
  };
}
