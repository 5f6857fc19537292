/**
 * The probe engine: a sender worker for each prober instance, a receiver worker for each interface, bounded
 * shared rings between them and the thread that owns the engine.
 */
import type { Prefix } from "../../../lib/ip/prefix.ts";
import { tagKey } from "../../../lib/packet/tag.ts";
import { ByteRing } from "./byte-ring.ts";
import { Counters, receiverCounterNames, senderCounterNames } from "./counters.ts";
import type {
  EngineConfig,
  EngineRings,
  InstanceConfig,
  OutgoingProbe,
  ReceivedReply,
  SharedEngine,
  WorkerState,
} from "./engine-types.ts";
import { Hold } from "./hold.ts";
import { InstanceControl } from "./instance-control.ts";
import { MeasurementBoard } from "./measurement-board.ts";
import { ProbeQueue } from "./probe-queue.ts";
import { readReplies } from "./reply-records.ts";
import { keptNames, plainMemory } from "./shared-memory.ts";
import { SourceTable } from "./source-table.ts";
import { TcpMemory, tcpRateMax } from "./tcp-memory.ts";
import { TickTable } from "./tick-table.ts";
import { WorkerHandle } from "./worker-handle.ts";
import type { ReceiverStart, SenderStart } from "./worker-messages.ts";

export type {
  Engine,
  EngineConfig,
  InstanceConfig,
  OutgoingProbe,
  ReceivedReply,
  SharedEngine,
  TagVerdict,
} from "./engine-types.ts";

/** 16 MiB hold some 75,000 replies, a third of a second at line rate. */
const replyRingBytes = 16 << 20;

interface SenderParts {
  readonly control: InstanceControl;
  readonly queue: ProbeQueue;
  readonly ticks: TickTable;
  readonly tcp: TcpMemory;
  readonly counters: Counters<(typeof senderCounterNames)[number]>;
}

interface ReceiverParts {
  readonly interfaceName: string;
  readonly ring: ByteRing;
  readonly counters: Counters<(typeof receiverCounterNames)[number]>;
}

/** Starts all workers; rejects, with the reason and what to do, when one cannot run. */
export async function startEngine(config: EngineConfig): Promise<SharedEngine> {
  const engine = new WorkerEngine(config);
  try {
    await engine.start();
  } catch (error) {
    await engine.stop(0);
    throw error;
  }
  return engine;
}

class WorkerEngine implements SharedEngine {
  readonly hold = Hold.allocate().buffer;
  readonly #config: EngineConfig;
  readonly #sources: SourceTable;
  readonly #board: MeasurementBoard;
  readonly #senders: readonly SenderParts[];
  readonly #receivers: readonly ReceiverParts[];
  readonly #sentAtUs: Float64Array<SharedArrayBuffer>;
  readonly #senderWorkers: WorkerHandle[] = [];
  readonly #receiverWorkers: WorkerHandle[] = [];

  constructor(config: EngineConfig) {
    this.#config = config;
    this.#sentAtUs = new Float64Array(new SharedArrayBuffer(config.sentTimesMax * 8));
    this.#sources = SourceTable.allocate(config.sources);
    const { memory = plainMemory } = config;
    this.#board = MeasurementBoard.allocate(config.measurementsMax ?? 0, memory);
    this.#senders = config.instances.map((instance) => ({
      control: InstanceControl.allocate(instance.rateProbesPerSec),
      queue: ProbeQueue.allocate(keptNames.probes(instance.instanceId), memory),
      ticks: TickTable.allocate(keptNames.ticks(instance.instanceId), memory),
      tcp: TcpMemory.allocate(tcpRateOf(instance)),
      counters: new Counters(senderCounterNames),
    }));
    const listening = config.instances.filter(({ dryRun }) => dryRun !== true);
    const interfaces = new Set(listening.map(({ interfaceName }) => interfaceName));
    this.#receivers = [...interfaces].map((interfaceName) => ({
      interfaceName,
      ring: ByteRing.allocate(replyRingBytes, keptNames.replies(interfaceName), memory),
      counters: new Counters(receiverCounterNames),
    }));
  }

  /** Receivers first: no answer may come before somebody listens. */
  async start(): Promise<void> {
    const { integrityKey, peers = [] } = this.#config;
    const own = this.#config.instances.map(({ instanceId }) => ({
      agentId: this.#config.agentId,
      instanceId,
    }));
    const keys = [...own, ...peers].map((who) => tagKey(integrityKey, who.agentId, who.instanceId));
    for (const { interfaceName, ring, counters } of this.#receivers) {
      const { agentId, integrityCheck } = this.#config;
      const sources = this.#sources.buffer;
      const worker = new Worker(new URL("./receiver-worker.ts", import.meta.url));
      const ticks = this.#senders.map((sender) => sender.ticks.buffer);
      const tcp = this.#senders.map((sender) => sender.tcp.buffer);
      const shared = { ticks, tcp, replies: ring.buffer, counters: counters.buffer };
      const message = { interfaceName, agentId, keys, sources, integrityCheck, ...shared };
      const handle = await WorkerHandle.start(worker, (stop): ReceiverStart => ({ ...message, stop }));
      this.#receiverWorkers.push(handle);
    }
    for (const [i, { queue, ticks, tcp, counters, control }] of this.#senders.entries()) {
      const instance = this.#config.instances[i];
      const key = keys[i];
      if (instance === undefined || key === undefined) {
        continue;
      }
      const worker = new Worker(new URL("./sender-worker.ts", import.meta.url));
      const own = {
        ...{ probes: queue.buffer, counters: counters.buffer },
        ...{ ticks: ticks.buffer, tcp: tcp.buffer },
      };
      const shared = { sentAtUs: this.#sentAtUs.buffer, hold: this.hold, board: this.#board.buffer };
      const message = { instance, key, control: control.buffer, ...own, ...shared };
      this.#senderWorkers.push(
        await WorkerHandle.start(worker, (stop): SenderStart => ({ ...message, stop })),
      );
    }
  }

  offer(instance: number, probe: OutgoingProbe): boolean {
    if (this.#sentAtUs.length > 0) {
      this.#sentAtUs[probe.index] = 0;
    }
    return this.#senders[instance]?.queue.offer(probe) ?? false;
  }

  pending(instance: number): number {
    return this.#senders[instance]?.queue.length() ?? 0;
  }

  drain(onReply: (received: ReceivedReply) => void): number {
    return this.#receivers.reduce((count, { ring }) => count + readReplies(ring, onReply), 0);
  }

  sentAtUs(index: number): number {
    return this.#sentAtUs[index] ?? 0;
  }

  counters(): Readonly<Record<string, number>> {
    const sums: Record<string, number> = {};
    for (const { counters } of [...this.#senders, ...this.#receivers]) {
      counters.addTo(sums);
    }
    return sums;
  }

  failures(): readonly string[] {
    return [...this.#senderWorkers, ...this.#receiverWorkers].flatMap(({ failures }) => failures);
  }

  get rings(): EngineRings {
    return {
      probes: this.#senders.map(({ queue }) => queue.buffer),
      senderCounters: this.#senders.map(({ counters }) => counters.buffer),
      controls: this.#senders.map(({ control }) => control.buffer),
      board: this.#board.buffer,
      replies: this.#receivers.map(({ interfaceName, ring }) => ({ interfaceName, ring: ring.buffer })),
    };
  }

  setSources(prefixes: readonly Prefix[]): void {
    this.#sources.set(prefixes);
  }

  workers(): WorkerState[] {
    const senders = this.#senders.map(({ counters }, i): WorkerState => {
      const name = this.#config.instances[i]?.name ?? "";
      return {
        role: "sender",
        name,
        running: isRunning(this.#senderWorkers[i]),
        counters: counters.addTo({}),
      };
    });
    const receivers = this.#receivers.map(({ interfaceName: name, counters }, i): WorkerState => {
      return {
        role: "receiver",
        name,
        running: isRunning(this.#receiverWorkers[i]),
        counters: counters.addTo({}),
      };
    });
    return [...senders, ...receivers];
  }

  async stopSenders(): Promise<void> {
    await Promise.all(this.#senderWorkers.map((worker) => worker.stop()));
  }

  async stop(graceMs: number): Promise<void> {
    await this.stopSenders();
    await Bun.sleep(graceMs);
    await Promise.all(this.#receiverWorkers.map((worker) => worker.stop()));
  }
}

function isRunning(worker: WorkerHandle | undefined): boolean {
  return worker !== undefined && !worker.hasEnded;
}

/** A dry instance sends nothing that could be answered. */
function tcpRateOf({ dryRun, rateProbesPerSec, pacing }: InstanceConfig): number {
  if (dryRun === true) {
    return 0;
  }
  return pacing === "none" ? tcpRateMax : rateProbesPerSec;
}
