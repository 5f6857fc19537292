/**
 * The agent as a daemon: engine, consumer and producer in workers; here only control, health and metrics.
 *
 * The end, on SIGTERM, takes at most the grace time: no new records at once; senders finish what they hold, as far as a
 * quarter of the time allows, and the rest stays uncommitted; late replies have half of it; then replies are
 * published, and what the broker does not take is left in the spool.
 */

import { consumerCounterNames, outletCounterNames, producerCounterNames } from "./agent-counters.ts";
import type { AgentConfig } from "./config/config.ts";
import { type ConsumerStart, consumerPhases } from "./consume/consumer.ts";
import { MeasurementTable } from "./consume/measurement-table.ts";
import { Counters } from "./engine/counters.ts";
import { startEngine } from "./engine/engine.ts";
import type { SharedEngine } from "./engine/engine-types.ts";
import { Hold } from "./engine/hold.ts";
import { WorkerHandle } from "./engine/worker-handle.ts";
import { findInstance, type Instance } from "./instances.ts";
import { ClockWatch } from "./observe/clock-watch.ts";
import { type Health, HealthWatch } from "./observe/health.ts";
import type { MetricRow } from "./observe/metrics.ts";
import { type ProducerStart, producerPhases } from "./produce/producer.ts";
import { integrityKeyOf, openStateFolder } from "./state-folder.ts";

/** Latest answers that can be matched: one wrap of the time code. */
const lateReplyMs = 6600;
const pollMs = 20;

export class Daemon {
  readonly instances: readonly Instance[];
  readonly #config: AgentConfig;
  readonly #engine: SharedEngine;
  readonly #hold: Hold;
  readonly #consumer: WorkerHandle;
  readonly #producer: WorkerHandle;
  readonly #parts: Parts;
  readonly #watch = new HealthWatch();
  readonly #clock = new ClockWatch();
  #told = 0;
  #sent = 0;
  /** When probes were last seen to leave. */
  #sentAtMs = Number.NEGATIVE_INFINITY;

  private constructor(parts: Parts, engine: SharedEngine, consumer: WorkerHandle, producer: WorkerHandle) {
    this.#parts = parts;
    this.#config = parts.config;
    this.instances = parts.instances;
    this.#engine = engine;
    this.#hold = new Hold(engine.hold);
    this.#consumer = consumer;
    this.#producer = producer;
  }

  /** Throws Error, with what to do. */
  static async start(config: AgentConfig): Promise<Daemon> {
    openStateFolder(config.stateDir);
    const parts = partsOf(config);
    const engine = await startEngine({
      agentId: config.agentId,
      integrityKey: integrityKeyOf(config),
      instances: parts.instances,
      sources: parts.instances.flatMap(({ prefixes }) => prefixes),
      integrityCheck: config.integrityCheck,
      sentTimesMax: 0,
      peers: config.anycastPeers,
    });
    try {
      const producer = await startProducer(parts, engine);
      const consumer = await startConsumer(parts, engine);
      return new Daemon(parts, engine, consumer, producer);
    } catch (error) {
      await engine.stop(0);
      throw error;
    }
  }

  /** SIGUSR2: all sending stops, or goes on; returns whether it is stopped now. */
  toggleKillSwitch(): boolean {
    const holds = !this.#hold.has("killSwitch");
    this.#hold.set("killSwitch", holds);
    return holds;
  }

  /** Call it once a second: losses are counted by the minute. */
  observe(): void {
    this.#clock.look(Date.now(), performance.now());
    this.#noteSending();
    const counters = this.#engine.counters();
    this.#watch.observe({
      atMs: performance.now(),
      ended: this.#workers().flatMap(({ name, running }) => (running ? [] : [name])),
      captured: counters.capture_received ?? 0,
      lost: (counters.capture_dropped ?? 0) + (counters.capture_interface_dropped ?? 0),
      consumerAway: this.#parts.consumerCounters.get("consumer_away") !== 0,
      producerAway: this.#parts.producerCounters.get("producer_away") !== 0,
      spoolFull: this.#hold.has("spoolFull"),
      killSwitch: this.#hold.has("killSwitch"),
    });
  }

  health(): Health {
    this.observe();
    return this.#watch.health();
  }

  /** What went wrong since the last call, a line each. */
  news(): string[] {
    const ofEngine = this.#engine.failures();
    const fresh = ofEngine.slice(this.#told);
    this.#told = ofEngine.length;
    return [...fresh, ...this.#consumer.failures.splice(0), ...this.#producer.failures.splice(0)];
  }

  metrics(): MetricRow[] {
    const { consumerCounters, producerCounters, outletCounters } = this.#parts;
    const rows = (values: Readonly<Record<string, number>>, labels: Record<string, string>): MetricRow[] =>
      Object.entries(values).map(([name, value]) => ({ name, value, labels }));
    const ofEngine = this.#engine.workers().flatMap(({ role, name, counters }) => {
      return rows(counters, role === "sender" ? { instance: name } : { interface: name });
    });
    const ofOutlets = outletCounters.flatMap((counters, i) =>
      rows(
        { ...counters.addTo({}), probes_pending: this.#engine.pending(i) },
        { instance: this.instances[i]?.name ?? "" },
      ),
    );
    const own = {
      ...consumerCounters.addTo({}),
      ...producerCounters.addTo({}),
      clock_steps: this.#clock.steps,
      kill_switch: this.#hold.has("killSwitch") ? 1 : 0,
      spool_full_now: this.#hold.has("spoolFull") ? 1 : 0,
    };
    const up = this.#workers().flatMap(({ name, running }) =>
      rows({ worker_up: running ? 1 : 0 }, { worker: name }),
    );
    return [...ofEngine, ...ofOutlets, ...rows(own, {}), ...up];
  }

  async stop(): Promise<void> {
    const startedAtMs = performance.now();
    const { graceMs } = this.#config;
    const leftMs = (share: number) => Math.max(0, startedAtMs + graceMs * share - performance.now());
    this.#consumer.signal(consumerPhases.settle);
    while (
      leftMs(0.25) > 0 &&
      !this.#hold.any() &&
      this.instances.some((_, i) => this.#engine.pending(i) > 0)
    ) {
      await Bun.sleep(pollMs);
    }
    await this.#engine.stopSenders();
    await this.#consumer.stop(leftMs(0.5) + graceMs * 0.1, consumerPhases.end);
    this.#noteSending();
    await Bun.sleep(Math.max(0, Math.min(this.#sentAtMs + lateReplyMs - performance.now(), leftMs(0.75))));
    await this.#engine.stop(0);
    this.#producer.signal(producerPhases.flush);
    while (leftMs(0.9) > 0 && !this.#producer.hasEnded) {
      await Bun.sleep(pollMs);
    }
    await this.#producer.stop(leftMs(1), producerPhases.end);
  }

  #noteSending(): void {
    const sent = this.#engine.counters().sender_sent ?? 0;
    if (sent !== this.#sent) {
      this.#sent = sent;
      this.#sentAtMs = performance.now();
    }
  }

  #workers(): { readonly name: string; readonly running: boolean }[] {
    return [
      ...this.#engine.workers().map(({ role, name, running }) => ({ name: `${role} ${name}`, running })),
      { name: "consumer", running: !this.#consumer.hasEnded },
      { name: "producer", running: !this.#producer.hasEnded },
    ];
  }
}

interface Parts {
  readonly config: AgentConfig;
  readonly instances: readonly Instance[];
  readonly measurements: MeasurementTable;
  readonly consumerCounters: Counters<(typeof consumerCounterNames)[number]>;
  readonly producerCounters: Counters<(typeof producerCounterNames)[number]>;
  /** In the order of the instances. */
  readonly outletCounters: readonly Counters<(typeof outletCounterNames)[number]>[];
}

function partsOf(config: AgentConfig): Parts {
  const instances = config.probers.map(findInstance);
  return {
    config,
    instances,
    measurements: MeasurementTable.allocate(),
    consumerCounters: new Counters(consumerCounterNames),
    producerCounters: new Counters(producerCounterNames),
    outletCounters: instances.map(() => new Counters(outletCounterNames)),
  };
}

function startProducer({ config, instances, ...parts }: Parts, engine: SharedEngine): Promise<WorkerHandle> {
  const { agentId, broker, stateDir, spoolBytesMax, anycastPeers } = config;
  const own = instances.map(({ instanceId }) => ({ agentId, instanceId }));
  const worker = new Worker(new URL("./produce/producer-worker.ts", import.meta.url));
  return WorkerHandle.start(
    worker,
    (stop): ProducerStart => ({
      agentId,
      senders: [...own, ...anycastPeers],
      broker,
      stateDir,
      spoolBytesMax,
      replies: engine.rings.replies,
      measurements: parts.measurements.buffer,
      hold: engine.hold,
      counters: parts.producerCounters.buffer,
      stop,
    }),
  );
}

function startConsumer({ config, instances, ...parts }: Parts, engine: SharedEngine): Promise<WorkerHandle> {
  const { agentId, broker, stateDir } = config;
  const { probes, senderCounters } = engine.rings;
  const worker = new Worker(new URL("./consume/consumer-worker.ts", import.meta.url));
  const outlets = instances.flatMap(({ rateProbesPerSec, minTtl, maxTtl, packets }, i) => {
    const [ring, sender, counters] = [probes[i], senderCounters[i], parts.outletCounters[i]?.buffer];
    return ring === undefined || sender === undefined || counters === undefined
      ? []
      : [{ rateProbesPerSec, minTtl, maxTtl, packets, probes: ring, senderCounters: sender, counters }];
  });
  return WorkerHandle.start(
    worker,
    (stop): ConsumerStart => ({
      agentId,
      broker,
      stateDir,
      outlets,
      prefixes: instances.map(({ prefixes }) => prefixes),
      counters: parts.consumerCounters.buffer,
      measurements: parts.measurements.buffer,
      stop,
    }),
  );
}
