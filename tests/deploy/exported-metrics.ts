/** The metrics that each service exports, from the registries that it makes; nothing is started. */
import { Registry } from "prom-client";
import {
  addLeaseGauge,
  addRoaGauge,
  gatewayMetrics as peeringMetrics,
} from "../../apps/peering/gateway/metrics.ts";
import { generatorMetrics, type Levels } from "../../apps/peering/generator/metrics.ts";
import { readAgentConfig } from "../../apps/probing/agent/config/config.ts";
import { receiverCounterNames, senderCounterNames } from "../../apps/probing/agent/engine/counters.ts";
import { SendInhibit } from "../../apps/probing/agent/engine/send-inhibit.ts";
import { daemonMetrics } from "../../apps/probing/agent/observe/daemon-metrics.ts";
import { agentRegistry, type MetricRow } from "../../apps/probing/agent/observe/metrics.ts";
import { partsOf } from "../../apps/probing/agent/workers.ts";
import { addAlertGauges } from "../../apps/probing/campaigns/notice/alert-gauges.ts";
import { addAgentGauges } from "../../apps/probing/gateway/agents/agent-gauges.ts";
import { gatewayMetrics as probingMetrics } from "../../apps/probing/gateway/metrics.ts";
import { CampaignGauges } from "../../apps/probing/gateway/reads/campaign-metrics.ts";
import { stackRegistry } from "../../apps/stack/stack-metrics.ts";
import { httpMetrics } from "../../lib/engines/observe/http-metrics.ts";
import { Sight } from "../../lib/engines/observe/sight.ts";
import { addBackupGauge, addDiskGauges } from "../../lib/engines/observe/state-gauges.ts";

/** Names as Prometheus stores them: a histogram is its three series. */
export async function exportedMetrics(): Promise<ReadonlySet<string>> {
  const campaigns = new CampaignGauges().registry;
  const registries = [agentMetrics(), probingGateway(), campaigns, peeringGateway(), generator(), stack()];
  const all = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  return new Set(all.flat().flatMap(({ name, type }) => namesOf(name, String(type))));
}

function namesOf(name: string, type: string): string[] {
  return type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

const agentFile = `agent: {id: west, state_dir: /nonexistent}
prober: [{name: one, interface: lo, src_ipv6_prefix: "2001:db8::/48", dry_run: true}]
gateway: {url: "http://192.0.2.1", enrolment_key: of-sixteen-or-more-characters}
kafka: {brokers: "embedded:/nonexistent"}
`;

/** With a gateway: all that an agent can export. */
export function agentMetrics(): Registry {
  const rows = agentRows();
  return agentRegistry("west", () => rows);
}

/** Every figure of an agent that has done nothing. */
export function agentRows(): MetricRow[] {
  const parts = partsOf(readAgentConfig({ name: "agent.yaml", text: agentFile }, {}));
  const counters = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
  const workers = () => [
    { role: "sender" as const, name: "one", running: true, counters: counters(senderCounterNames) },
    { role: "receiver" as const, name: "lo", running: true, counters: counters(receiverCounterNames) },
  ];
  const engine = { workers, pending: () => 0 };
  const own = [{ name: "consumer", running: true }];
  return daemonMetrics({
    ...{ parts, engine, sendInhibit: SendInhibit.allocate(), clockSteps: 0, workers: own },
    instances: [{ name: "one", probing_rate: 1, paused: false }],
  });
}

function probingGateway(): Registry {
  const { registry, sight } = probingMetrics({ waiting: () => 0, spoolBytes: () => 0 });
  const fresh = { rows: [], body: new Uint8Array(), etag: "", headers: new Headers() };
  addAgentGauges(sight, { fresh, read: async () => fresh });
  addAlertGauges(sight, {
    ...{ active: async () => [], followUps: async () => [] },
    deliveries: async () => ({ due: 0, failed: 0 }),
  });
  addStateGauges(sight);
  return registry;
}

function peeringGateway(): Registry {
  const { registry, sight } = peeringMetrics();
  addLeaseGauge(sight, { lastChangeMs: async () => 0 });
  addRoaGauge(sight, { completeMs: async () => 0 });
  addStateGauges(sight);
  return registry;
}

function addStateGauges(sight: Sight): void {
  addDiskGauges(sight, import.meta.dirname);
  addBackupGauge(sight, import.meta.dirname);
}

/** What a generator tells that has just begun. */
export const firstLevels: Levels = {
  ...{ dataAgeSec: {}, users: { in: 0, leasing: 0, suspended: 0 }, excluded: {} },
  ...{ sessions: { up: 0, down: 0 }, routes: { accepted: 0, refused: 0 }, cachesSec: {} },
  refusedOutside: [],
  ...{ rejectAll: 0, standbyUp: 0, lastChangeSec: 0, leasesSec: 0 },
};

function generator(): Registry {
  const registry = new Registry();
  const sight = new Sight(registry);
  generatorMetrics(registry, sight, () => firstLevels);
  addDiskGauges(sight, import.meta.dirname);
  httpMetrics(registry);
  return registry;
}

function stack(): Registry {
  const lag = async () => ({ replies: 0, probes: 0 });
  return stackRegistry({ directory: import.meta.dirname, children: [], lag });
}
