/**
 * The agent as a daemon: engine, consumer, producer and gateway client run in workers; this thread has only control,
 * health and metrics.
 *
 * The shutdown, on SIGTERM, takes at most the grace time: no new records at once; senders finish their rings, for at
 * most a quarter of the time, and the rest stays uncommitted; late replies have half of it; then replies are published,
 * and those that the broker does not accept stay in the spool; last, the gateway gets the final progress.
 */
import { ClockWatch } from "../../../lib/measuring/probing/clock-watch.ts";
import type { AgentConfig } from "./config/config.ts";
import { consumerPhases } from "./consume/consumer.ts";
import type { ConsumerUpdate } from "./consume/consumer-orders.ts";
import type { DestinationFiles } from "./consume/destinations.ts";
import { startEngine } from "./engine/engine.ts";
import type { SharedEngine } from "./engine/engine-types.ts";
import { queueProbes } from "./engine/probe-queue.ts";
import { type InhibitSwitch, SendInhibit } from "./engine/send-inhibit.ts";
import type { MemoryMaker } from "./engine/shared-memory.ts";
import type { WorkerHandle } from "./engine/worker-handle.ts";
import type { GatewayTask, GatewayUpdate } from "./gateway/gateway-messages.ts";
import { healthReport } from "./gateway/health-report.ts";
import { noOrders, readOrders } from "./gateway/orders.ts";
import { HostControl } from "./host/host-control.ts";
import { findInstance, type Instance } from "./instances.ts";
import { recoverMemory } from "./keep/recovered-memory.ts";
import { lateReplyMs, measurementsMax } from "./limits.ts";
import { LiveControl } from "./live-control.ts";
import { daemonMetrics, summedCounters } from "./observe/daemon-metrics.ts";
import { type Health, HealthWatch } from "./observe/health.ts";
import type { MetricRow } from "./observe/metrics.ts";
import { observationOf } from "./observe/observation.ts";
import { runIdentityOf } from "./privileges/run-identity.ts";
import { producerPhases } from "./produce/producer.ts";
import { restartKeys } from "./reload.ts";
import { integrityKeyOf, openStateFolder } from "./state-folder.ts";
import {
  destinationFiles,
  type Parts,
  partsOf,
  startConsumer,
  startGateway,
  startProducer,
  startRecorder,
} from "./workers.ts";

const pollMs = 20;

interface Workers {
  readonly consumer: WorkerHandle;
  readonly producer: WorkerHandle;
  /** Null without a gateway. */
  readonly gateway: WorkerHandle | null;
  readonly recorder: WorkerHandle | null;
}

export class Daemon {
  readonly instances: readonly Instance[];
  readonly #config: AgentConfig;
  readonly #engine: SharedEngine;
  readonly #sendInhibit: SendInhibit;
  readonly #killSwitch: InhibitSwitch<"killSwitch">;
  readonly #control: LiveControl;
  readonly #host: HostControl;
  readonly #own: Workers;
  readonly #parts: Parts;
  readonly #watch = new HealthWatch();
  readonly #clock = new ClockWatch();
  readonly #startedAt = new Date().toISOString();
  /** The lists from the latest configuration. */
  #destinations: DestinationFiles;
  /** Messages to report once, from the start. */
  readonly #messages: string[] = [];
  #told = 0;
  #sent = 0;
  /** When probes were last seen to leave. */
  #sentAtMs = Number.NEGATIVE_INFINITY;

  private constructor(parts: Parts, engine: SharedEngine, control: LiveControl, own: Workers) {
    this.#parts = parts;
    this.#config = parts.config;
    this.#destinations = destinationFiles(parts.config);
    this.instances = parts.instances;
    this.#engine = engine;
    this.#sendInhibit = new SendInhibit(engine.sendInhibit);
    this.#killSwitch = this.#sendInhibit.own("killSwitch");
    this.#control = control;
    this.#own = own;
    this.#host = new HostControl(engine, parts.config, (order) => own.consumer.tell(order));
    this.#listen();
  }

  /** Throws Error with the next step. */
  static async start(config: AgentConfig): Promise<Daemon> {
    const standing = runIdentityOf(config);
    standing.asItself(() => openStateFolder(config.stateDir));
    const { memory, rescued, left } = standing.asItself(() => recoverMemory(config));
    const make: MemoryMaker = (name, bytes) => standing.asItself(() => memory.make(name, bytes));
    const parts = partsOf(config, make);
    const { instances } = parts;
    parts.producerCounters.add("replies_rescued", rescued);
    const engine = await startEngine({
      agentId: config.agentId,
      integrityKey: standing.asItself(() => integrityKeyOf(config)),
      instances,
      sources: instances.flatMap(({ prefixes }) => prefixes),
      integrityCheck: config.integrityCheck,
      dns: config.allowsDns,
      sentTimesMax: 0,
      peers: config.anycastPeers,
      measurementsMax,
      recordsPackets: config.gateway !== null,
      memory: make,
    });
    try {
      // The workers that use the network start without root's privileges.
      const kept = standing.giveAway();
      const orders = config.gateway === null ? noOrders : readOrders(config.stateDir);
      const control = new LiveControl({ engine, instances, orders, integrityCheck: config.integrityCheck });
      const gateway = config.gateway === null ? null : await startGateway(parts, config.gateway, engine);
      const recorder = config.gateway === null ? null : await startRecorder(parts, engine);
      const producer = await startProducer(parts, engine, memory);
      const isKept = memory.failure === null;
      const consumer = await startConsumer(parts, engine, { control, left, isKept });
      const daemon = new Daemon(parts, engine, control, { consumer, producer, gateway, recorder });
      daemon.#messages.push(standing.words, ...kept, ...(memory.failure === null ? [] : [memory.failure]));
      return daemon;
    } catch (error) {
      await engine.stop(0);
      throw error;
    }
  }

  #listen(): void {
    const { consumer, gateway } = this.#own;
    this.#control.tellConsumer = (order) => consumer.tell(order);
    consumer.onSaid = (update) => {
      const { progress: reports } = update as ConsumerUpdate;
      this.#host.hear(reports);
      gateway?.tell({ kind: "progress", reports } satisfies GatewayTask);
    };
    if (gateway !== null) {
      gateway.onSaid = (update) => this.#hearGateway(update as GatewayUpdate);
    }
  }

  #hearGateway(update: GatewayUpdate): void {
    if (update.kind === "blocklist") {
      this.#own.consumer.tell({ kind: "destinations", files: this.#destinations });
      return;
    }
    this.#control.obey(update.orders);
    this.#tellGateway();
  }

  /**
   * SIGHUP: applies the settings that can change at run time, and returns the keys that need a restart. Throws Error
   * when the interfaces or sources of the new configuration cannot be found; then nothing changes.
   */
  reload(config: AgentConfig): string[] {
    const keys = restartKeys(this.#config, config);
    if (!keys.includes("prober")) {
      this.#control.reload(config.probers.map(findInstance));
    }
    this.#host.reload(config.hostLimits);
    this.#destinations = destinationFiles(config);
    this.#own.consumer.tell({ kind: "destinations", files: this.#destinations });
    this.#tellGateway();
    return keys;
  }

  /** SIGUSR2: stops or resumes all sending; returns whether it is stopped now. */
  toggleKillSwitch(): boolean {
    const holds = !this.#sendInhibit.has("killSwitch");
    this.#killSwitch.set("killSwitch", holds);
    return holds;
  }

  /** Call it once a second: losses are counted by the minute and reported to the gateway. */
  observe(): void {
    this.#messages.push(...this.#host.look(Date.now()));
    this.#look();
    this.#tellGateway();
  }

  health(): Health {
    this.#look();
    return this.#watch.health();
  }

  /** Workers that have ended by themselves: the agent cannot continue without them. */
  ended(): string[] {
    return this.#workers().flatMap(({ name, running }) => (running ? [] : [name]));
  }

  /** Failures since the last call, a line each. */
  takeMessages(): string[] {
    const ofEngine = this.#engine.failures();
    const fresh = ofEngine.slice(this.#told);
    this.#told = ofEngine.length;
    const { consumer, producer, gateway, recorder } = this.#own;
    const own = [consumer, producer, gateway, recorder].filter((worker) => worker !== null);
    return [...this.#messages.splice(0), ...fresh, ...own.flatMap(({ failures }) => failures.splice(0))];
  }

  metrics(): MetricRow[] {
    return daemonMetrics({
      parts: this.#parts,
      engine: this.#engine,
      sendInhibit: this.#sendInhibit,
      clockSteps: this.#clock.steps,
      instances: this.#control.posted(),
      workers: this.#workers(),
    });
  }

  async stop(): Promise<void> {
    const startedAtMs = performance.now();
    const { graceMs } = this.#config;
    const leftMs = (share: number) => Math.max(0, startedAtMs + graceMs * share - performance.now());
    this.#own.consumer.signal(consumerPhases.settle);
    while (
      leftMs(0.25) > 0 &&
      !this.#sendInhibit.any() &&
      this.instances.some((_, i) => this.#engine.pending(i) > 0)
    ) {
      await Bun.sleep(pollMs);
    }
    await this.#engine.stopSenders();
    this.#noteSending();
    await Bun.sleep(Math.max(0, Math.min(this.#sentAtMs + lateReplyMs - performance.now(), leftMs(0.7))));
    await this.#engine.stop(0);
    const { consumer, producer, gateway, recorder } = this.#own;
    await recorder?.stop();
    this.#messages.push(...this.#host.close());
    producer.signal(producerPhases.flush);
    while (leftMs(0.8) > 0 && !producer.hasEnded) {
      await Bun.sleep(pollMs);
    }
    await producer.stop(leftMs(0.9), producerPhases.end);
    // Last, so that it counts the replies received until now.
    await consumer.stop(leftMs(0.9) + graceMs * 0.05, consumerPhases.end);
    await gateway?.stop(leftMs(1) + graceMs * 0.05);
  }

  #look(): void {
    this.#clock.look(Date.now(), performance.now());
    this.#noteSending();
    const [parts, engine, sendInhibit] = [this.#parts, this.#engine, this.#sendInhibit];
    const { hold: hostHold } = this.#host;
    this.#watch.observe(observationOf({ parts, engine, sendInhibit, ended: this.ended(), hostHold }));
  }

  #tellGateway(): void {
    this.#own.gateway?.tell(this.#state());
  }

  #state(): GatewayTask {
    const counters = summedCounters(this.#parts, this.#engine);
    const health = this.#watch.health();
    const isDown = this.#engine.workers().some(({ role, running }) => role === "receiver" && !running);
    const report = healthReport({
      version: process.env.VANTAGE_COMMIT ?? "development",
      startedAt: this.#startedAt,
      health,
      counters,
      queues: this.instances.map(({ name }, i) => {
        return { name, depth: this.#engine.pending(i), depth_max: queueProbes };
      }),
      captureState: isDown ? "down" : this.#watch.isLosing() ? "degraded" : "running",
      clockSteps: this.#clock.steps,
      configVersion: this.#control.orders.config_version,
      allowsDns: this.#config.allowsDns,
      isPaused: this.#sendInhibit.has("paused"),
      isKilled: this.#sendInhibit.has("killed"),
      hostHold: this.#host.hold,
      refused: this.#control.refused,
    });
    return { kind: "state", health: report, instances: this.#control.posted() };
  }

  #noteSending(): void {
    const sent = this.#engine.counters().sender_sent ?? 0;
    if (sent !== this.#sent) {
      this.#sent = sent;
      this.#sentAtMs = performance.now();
    }
  }

  #workers(): { readonly name: string; readonly running: boolean }[] {
    const { consumer, producer, gateway, recorder } = this.#own;
    return [
      ...this.#engine.workers().map(({ role, name, running }) => ({ name: `${role} ${name}`, running })),
      { name: "consumer", running: !consumer.hasEnded },
      { name: "producer", running: !producer.hasEnded },
      ...(gateway === null ? [] : [{ name: "gateway client", running: !gateway.hasEnded }]),
      ...(recorder === null ? [] : [{ name: "recorder", running: !recorder.hasEnded }]),
    ];
  }
}
