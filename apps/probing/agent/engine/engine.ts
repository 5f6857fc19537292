/**
 * The probe engine: a sender worker for each prober instance, a receiver worker for each interface, bounded
 * shared rings between them and the thread that owns the engine.
 */
import { WakeUp } from "../../../../ffi/wake-up.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import type { SipKey } from "../../../../lib/net/packet/siphash.ts";
import { tagKey } from "../../../../lib/net/packet/tag.ts";
import { ByteRing } from "./byte-ring.ts";
import { Counters, counterBytes, receiverCounterNames, senderCounterNames } from "./counters.ts";
import { EchoMemory } from "./echo-memory.ts";
import type {
  EngineConfig,
  EngineRings,
  InstanceConfig,
  OutgoingProbe,
  ReceivedReply,
  SharedEngine,
  WorkerState,
} from "./engine-types.ts";
import { InstanceControl } from "./instance-control.ts";
import { MeasurementBoard } from "./measurement-board.ts";
import { PacketTap, type TappedPacket } from "./packet-tap.ts";
import { ProbeQueue } from "./probe-queue.ts";
import { RecordedMeasurements } from "./recorded-measurements.ts";
import { readReplies } from "./reply-records.ts";
import { SendInhibit } from "./send-inhibit.ts";
import { keptNames, plainMemory } from "./shared-memory.ts";
import { SourceTable } from "./source-table.ts";
import { stopReceiver, stopSender } from "./stop-workers.ts";
import { TcpMemory, tcpRateMax } from "./tcp-memory.ts";
import { TickTable } from "./tick-table.ts";
import { WorkerHandle } from "./worker-handle.ts";
import type { ReceiverStart, SenderStart } from "./worker-messages.ts";

export type { Engine, InstanceConfig, OutgoingProbe, ReceivedReply } from "./engine-types.ts";

/** 16 MiB hold some 75,000 replies, a third of a second at line rate. */
const replyRingBytes = 16 << 20;

interface Sender<Instance extends InstanceConfig> {
  readonly instance: Instance;
  readonly key: SipKey;
  readonly control: InstanceControl;
  readonly queue: ProbeQueue;
  readonly ticks: TickTable;
  readonly tcp: TcpMemory;
  readonly echoes: EchoMemory;
  readonly counters: Counters<(typeof senderCounterNames)[number]>;
  readonly tap: PacketTap | null;
  /** Null until it is started. */
  worker: WorkerHandle | null;
}

interface Receiver {
  readonly interfaceName: string;
  readonly ring: ByteRing;
  readonly counters: Counters<(typeof receiverCounterNames)[number]>;
  readonly tap: PacketTap | null;
  readonly wakeUp: WakeUp;
  worker: WorkerHandle | null;
}

/** Starts all workers; rejects, with the reason and what to do, when one cannot run. */
export async function startEngine<Instance extends InstanceConfig>(
  config: EngineConfig<Instance>,
): Promise<SharedEngine<Instance>> {
  const engine = new WorkerEngine(config);
  try {
    await engine.start();
  } catch (error) {
    await engine.stop(0);
    throw error;
  }
  return engine;
}

class WorkerEngine<Instance extends InstanceConfig> implements SharedEngine<Instance> {
  readonly sendInhibit = SendInhibit.allocate().buffer;
  readonly recorded = new RecordedMeasurements();
  readonly #config: EngineConfig<Instance>;
  readonly #sources: SourceTable;
  readonly #board: MeasurementBoard;
  readonly #senders: readonly Sender<Instance>[];
  readonly #receivers: readonly Receiver[];
  readonly #sentAtUs: Float64Array<SharedArrayBuffer>;

  constructor(config: EngineConfig<Instance>) {
    this.#config = config;
    this.#sentAtUs = new Float64Array(new SharedArrayBuffer(config.sentTimesMax * 8));
    this.#sources = SourceTable.allocate(config.sources);
    const { memory = plainMemory, agentId, integrityKey } = config;
    this.#board = MeasurementBoard.allocate(config.measurementsMax ?? 0, memory);
    this.#senders = config.instances.map((instance) => ({
      instance,
      key: tagKey(integrityKey, agentId, instance.instanceId),
      control: InstanceControl.allocate(instance.rateProbesPerSec),
      queue: ProbeQueue.allocate(keptNames.probes(instance.instanceId), memory),
      ticks: TickTable.allocate(keptNames.ticks(instance.instanceId), memory),
      tcp: TcpMemory.allocate(tcpRateOf(instance)),
      echoes: EchoMemory.allocate(),
      counters: new Counters(senderCounterNames),
      tap: config.recordsPackets === true ? new PacketTap() : null,
      worker: null,
    }));
    const listening = config.instances.filter(({ dryRun }) => dryRun !== true);
    const own = listening.map(({ interfaceName }) => interfaceName);
    const interfaces = new Set([...own, ...(config.alsoReceiveOn ?? [])]);
    this.#receivers = [...interfaces].map((interfaceName) => ({
      interfaceName,
      ring: ByteRing.allocate(replyRingBytes, keptNames.replies(interfaceName), memory),
      counters: new Counters(
        receiverCounterNames,
        memory(keptNames.captureCounters(interfaceName), receiverCounterNames.length * counterBytes),
      ),
      tap: config.recordsPackets === true ? new PacketTap() : null,
      wakeUp: new WakeUp(),
      worker: null,
    }));
  }

  /** All threads load their code at once, but receivers begin first: no reply may arrive before they listen. */
  async start(): Promise<void> {
    const receivers = this.#receivers.map((receiver) => ({ receiver, thread: receiverThread() }));
    const senders = this.#senders.map((sender) => ({ sender, thread: senderThread() }));
    const threads = new Set([...receivers, ...senders].map(({ thread }) => thread));
    try {
      for (const { receiver, thread } of receivers) {
        receiver.worker = await this.#startReceiver(receiver, thread);
        threads.delete(thread);
      }
      for (const { sender, thread } of senders) {
        sender.worker = await this.#startSender(sender, thread);
        threads.delete(thread);
      }
    } finally {
      for (const thread of threads) {
        thread.terminate();
      }
    }
  }

  #startReceiver(receiver: Receiver, thread: Worker): Promise<WorkerHandle> {
    const { interfaceName, ring, counters, tap, wakeUp } = receiver;
    const { agentId, integrityKey, integrityCheck, dns = false, peers = [] } = this.#config;
    const ofPeers = peers.map((peer) => tagKey(integrityKey, peer.agentId, peer.instanceId));
    return WorkerHandle.start(
      thread,
      (stop): ReceiverStart => ({
        ...{ interfaceName, agentId, integrityCheck, dns, stop, wakeFd: wakeUp.fd },
        keys: [...this.#senders.map(({ key }) => key), ...ofPeers],
        sources: this.#sources.buffer,
        ticks: this.#senders.map(({ ticks }) => ticks.buffer),
        tcp: this.#senders.map(({ tcp }) => tcp.buffer),
        echoes: this.#senders.map(({ echoes }) => echoes.buffer),
        replies: ring.buffer,
        counters: counters.buffer,
        recording: this.#recordingOf(tap),
      }),
    );
  }

  #startSender({ instance, key, ...own }: Sender<Instance>, thread: Worker): Promise<WorkerHandle> {
    return WorkerHandle.start(
      thread,
      (stop): SenderStart => ({
        ...{ instance, key, stop, sendInhibit: this.sendInhibit },
        control: own.control.buffer,
        probes: own.queue.buffer,
        ...{ ticks: own.ticks.buffer, tcp: own.tcp.buffer, echoes: own.echoes.buffer },
        counters: own.counters.buffer,
        board: this.#board.buffer,
        sentAtUs: this.#sentAtUs.buffer,
        recording: this.#recordingOf(own.tap),
      }),
    );
  }

  #recordingOf(tap: PacketTap | null) {
    return { measurements: this.recorded.buffer, tap: tap?.buffer ?? null };
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

  takePackets(onPackets: (interfaceName: string, packets: readonly TappedPacket[]) => void): void {
    for (const { interfaceName, tap } of this.taps) {
      onPackets(interfaceName, tap.take());
    }
  }

  get taps(): readonly { readonly interfaceName: string; readonly tap: PacketTap }[] {
    const all = [
      ...this.#senders.map(({ instance: { interfaceName }, tap }) => ({ interfaceName, tap })),
      ...this.#receivers.map(({ interfaceName, tap }) => ({ interfaceName, tap })),
    ];
    return all.flatMap(({ interfaceName, tap }) => (tap === null ? [] : [{ interfaceName, tap }]));
  }

  failures(): readonly string[] {
    return [...this.#senders, ...this.#receivers].flatMap(({ worker }) => worker?.failures ?? []);
  }

  get rings(): EngineRings<Instance> {
    return {
      senders: this.#senders.map(({ instance, queue, counters, control }) => ({
        instance,
        probes: queue.buffer,
        counters: counters.buffer,
        control: control.buffer,
      })),
      board: this.#board.buffer,
      replies: this.#receivers.map(({ interfaceName, ring }) => ({ interfaceName, ring: ring.buffer })),
    };
  }

  setSources(prefixes: readonly Prefix[]): void {
    this.#sources.set(prefixes);
    for (const { wakeUp } of this.#receivers) {
      wakeUp.wake();
    }
  }

  workers(): WorkerState[] {
    const state = ({ worker, counters }: Sender<Instance> | Receiver) => ({
      running: worker !== null && !worker.hasEnded,
      counters: counters.addTo({}),
    });
    return [
      ...this.#senders.map(
        (sender): WorkerState => ({
          role: "sender",
          name: sender.instance.name,
          ...state(sender),
        }),
      ),
      ...this.#receivers.map(
        (receiver): WorkerState => ({
          role: "receiver",
          name: receiver.interfaceName,
          ...state(receiver),
        }),
      ),
    ];
  }

  async stopSenders(): Promise<void> {
    await Promise.all(this.#senders.map(stopSender));
  }

  async stop(graceMs: number): Promise<void> {
    const senders = this.stopSenders();
    if (graceMs > 0) {
      await senders;
      await Bun.sleep(graceMs);
    }
    await Promise.all([senders, ...this.#receivers.map(stopReceiver)]);
  }
}

function receiverThread(): Worker {
  return new Worker(new URL("./receiver-worker.ts", import.meta.url));
}

function senderThread(): Worker {
  return new Worker(new URL("./sender-worker.ts", import.meta.url));
}

/** A dry instance sends nothing, so it gets no replies. */
function tcpRateOf({ dryRun, rateProbesPerSec, pacing }: InstanceConfig): number {
  if (dryRun === true) {
    return 0;
  }
  return pacing === "none" ? tcpRateMax : rateProbesPerSec;
}
