/** Every counter of the daemon, collected from its threads. */
import { diskRoom } from "../../../../lib/base/disk/disk-room.ts";
import type { AgentInstance } from "../../../../lib/measuring/probing/agent-config.ts";
import { feedCounterNames } from "../agent-counters.ts";
import { Counters } from "../engine/counters.ts";
import type { SharedEngine } from "../engine/engine-types.ts";
import type { SendInhibit } from "../engine/send-inhibit.ts";
import type { Parts } from "../workers.ts";
import type { MetricRow } from "./metrics.ts";

interface DaemonFigures {
  readonly parts: Parts;
  readonly engine: Pick<SharedEngine, "workers" | "pending">;
  readonly sendInhibit: SendInhibit;
  readonly clockSteps: number;
  /** The active instances. */
  readonly instances: readonly Pick<AgentInstance, "name" | "probing_rate" | "paused">[];
  readonly workers: readonly { readonly name: string; readonly running: boolean }[];
}

export function daemonMetrics({ parts, engine, sendInhibit, ...figures }: DaemonFigures): MetricRow[] {
  const ofEngine = engine.workers().flatMap(({ role, name, counters }) => {
    return rows(counters, role === "sender" ? { instance: name } : { interface: name });
  });
  const ofOutlets = parts.instances.flatMap(({ name, feedCounters }, i) => {
    const feed = new Counters(feedCounterNames, feedCounters).addTo({});
    return rows({ ...feed, probes_pending: engine.pending(i) }, { instance: name });
  });
  const ofInstances = figures.instances.flatMap(({ name, probing_rate, paused }) =>
    rows({ probing_rate, instance_paused: Number(paused) }, { instance: name ?? "" }),
  );
  const own = {
    ...ownCounters(parts),
    clock_steps: figures.clockSteps,
    kill_switch: Number(sendInhibit.has("killSwitch")),
    killed: Number(sendInhibit.has("killed")),
    paused: Number(sendInhibit.has("paused")),
    held_by_host: Number(sendInhibit.has("host")),
    spool_full_now: Number(sendInhibit.has("spoolFull")),
    ...diskLevels(parts.config.stateDir),
  };
  const up = figures.workers.flatMap(({ name, running }) =>
    rows({ worker_up: Number(running) }, { worker: name }),
  );
  return [...ofEngine, ...ofOutlets, ...ofInstances, ...rows(own, {}), ...up];
}

/** Every counter by its name, summed over workers and instances. */
export function summedCounters(parts: Parts, engine: SharedEngine): Readonly<Record<string, number>> {
  const sums = { ...engine.counters(), ...ownCounters(parts) };
  return parts.instances.reduce(
    (all, { feedCounters }) => new Counters(feedCounterNames, feedCounters).addTo(all),
    sums,
  );
}

function ownCounters({
  config,
  consumerCounters,
  producerCounters,
  gatewayCounters,
  recorderCounters,
}: Parts) {
  const ofGateway: Record<string, number> =
    config.gateway === null ? {} : recorderCounters.addTo(gatewayCounters.addTo({}));
  return { ...consumerCounters.addTo({}), ...producerCounters.addTo({}), ...ofGateway };
}

function diskLevels(folder: string): Readonly<Record<"disk_free_bytes" | "disk_size_bytes", number>> {
  try {
    const { freeBytes, sizeBytes } = diskRoom(folder);
    return { disk_free_bytes: freeBytes, disk_size_bytes: sizeBytes };
  } catch {
    return { disk_free_bytes: Number.NaN, disk_size_bytes: Number.NaN };
  }
}

function rows(values: Readonly<Record<string, number>>, labels: Record<string, string>): MetricRow[] {
  return Object.entries(values).map(([name, value]) => ({ name, value, labels }));
}
