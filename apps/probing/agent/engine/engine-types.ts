/** Input and output of the probe engine; engine.ts makes one. */
import type { Address } from "../../../../lib/net/ip/address.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import type { Probe } from "../../../../lib/net/packet/probe.ts";
import type { Reply } from "../../../../lib/net/packet/reply.ts";
import type { QuotedTag } from "../../../../lib/net/packet/tag.ts";
import type { PacketTap, TappedPacket } from "./packet-tap.ts";
import type { RecordedMeasurements } from "./recorded-measurements.ts";
import type { MemoryMaker } from "./shared-memory.ts";

export interface InstanceConfig {
  /** For people: "anycast", "unicast", "trace". */
  readonly name: string;
  /** 0–65535; together with the agent id it is part of every tag. */
  readonly instanceId: number;
  readonly interfaceName: string;
  readonly rateProbesPerSec: number;
  /** How to wait for the rate: sleep (the default), spin, or not at all. */
  readonly pacing?: "sleep" | "spin" | "none";
  /** Packets in one call to the kernel; never more than 64, which is the default. */
  readonly batchProbesMax?: number;
  /** How frames reach the kernel; `xdp` falls back to `packet` where it is unavailable, and reports it. */
  readonly backEnd?: "packet" | "xdp";
  /**
   * Where next hops come from: the main table's routes by the interface (the default), or a lookup of the kernel's for
   * each flow, see flow-routes.ts.
   */
  readonly routes?: "by table" | "by flow";
  /** Everything except sending: no socket, no capture, no privilege. */
  readonly dryRun?: boolean;
}

/** An instance of another agent that has the same integrity key. */
export interface PeerInstance {
  readonly agentId: string;
  readonly instanceId: number;
}

export interface EngineConfig<Instance extends InstanceConfig = InstanceConfig> {
  readonly agentId: string;
  /** Secret of the tags, any length; see lib/net/packet/tag.ts. */
  readonly integrityKey: Uint8Array;
  readonly instances: readonly Instance[];
  /** Replies to addresses outside these prefixes are not ours and are counted as foreign. */
  readonly sources: readonly Prefix[];
  /** Interfaces besides the instances' on which replies may arrive. */
  readonly alsoReceiveOn?: readonly string[];
  /** Drop (and count) replies whose tag does not match; else they are kept with an unknown RTT. */
  readonly integrityCheck: boolean;
  /** Name servers' answers are received too, all that reach the host. Default: false. */
  readonly dns?: boolean;
  /** Remember when each of this many probes was sent (by `OutgoingProbe.index`); 0 = keep no state per probe. */
  readonly sentTimesMax: number;
  /**
   * Other instances whose replies may arrive here, as with an anycast prefix. Their tags are tried after our own;
   * such a reply keeps its row, with RTT 65535, because the clocks of two hosts differ.
   */
  readonly peers?: readonly PeerInstance[];
  /** Allocates rings and tick tables; the default is memory that ends with the process. */
  readonly memory?: MemoryMaker;
  /** Measurements that are counted, and can be stopped, by their number; 0 (the default) = none. */
  readonly measurementsMax?: number;
  /** Packets can be copied, see `SharedEngine.recorded`; costs 4 MiB of memory per thread. Default: false. */
  readonly recordsPackets?: boolean;
}

export interface OutgoingProbe extends Probe {
  readonly src: Address;
  /** Number of the measurement within this process; returned in `ReceivedReply.measurement`. */
  readonly measurement: number;
  /** Slot of the sent-time table, below `sentTimesMax`; ignored without one. */
  readonly index: number;
}

type TagVerdict = "match" | "mismatch";

export interface ReceivedReply {
  readonly reply: Reply;
  readonly verdict: TagVerdict;
  /** Index in `instances`, and behind them in `peers`, of what sent the probe; -1 after a mismatch. */
  readonly instance: number;
  /** -1 when it is unknown. */
  readonly measurement: number;
  /** The tag bytes that the reply quoted, for callers that keep state per probe; see lib/net/packet/tag.ts. */
  readonly quotedTag: QuotedTag;
}

export interface Engine {
  /** Queues a probe on an instance; false when its ring is full (try again later). */
  offer(instance: number, probe: OutgoingProbe): boolean;
  /** Hands over the replies that have arrived since the last call, oldest first; returns how many. */
  drain(onReply: (received: ReceivedReply) => void): number;
  /** Probes of an instance that are queued and not yet handed to the kernel. */
  pending(instance: number): number;
  /** Microseconds since the epoch at which probe `index` was handed to the kernel; 0 = not yet, -1 = it failed. */
  sentAtUs(index: number): number;
  /** Every counter, by its metric name without prefix, summed over the workers. */
  counters(): Readonly<Record<string, number>>;
  /** The reasons of failures so far, oldest first, at most 16; each names the place and the next step. */
  failures(): readonly string[];
  /** Stops the senders, waits `graceMs` for late replies, stops the receivers, frees everything. */
  stop(graceMs: number): Promise<void>;
}

/** Memory that the agent's own workers share with the engine's, instead of `offer` and `drain`. */
export interface EngineRings<Instance extends InstanceConfig> {
  /** One for each instance, in their order. */
  readonly senders: readonly SenderRings<Instance>[];
  /** See measurement-board.ts. */
  readonly board: SharedArrayBuffer;
  /** The ring of reply records of each receiver (memory-layout.ts, `repliesAt`). */
  readonly replies: readonly { readonly interfaceName: string; readonly ring: SharedArrayBuffer }[];
}

export interface SenderRings<Instance extends InstanceConfig> {
  /** The instance as configured. */
  readonly instance: Instance;
  /** See probe-queue.ts. */
  readonly probes: SharedArrayBuffer;
  /** Counters named by `senderCounterNames`. */
  readonly counters: SharedArrayBuffer;
  /** Settings that can change at run time, see instance-control.ts. */
  readonly control: SharedArrayBuffer;
}

/** The state of one worker, for people. */
export interface WorkerState {
  readonly role: "sender" | "receiver";
  /** The instance's or the interface's name. */
  readonly name: string;
  readonly running: boolean;
  readonly counters: Readonly<Record<string, number>>;
}

export interface SharedEngine<Instance extends InstanceConfig = InstanceConfig> extends Engine {
  readonly rings: EngineRings<Instance>;
  /** Measurements whose packets are copied. */
  readonly recorded: RecordedMeasurements;
  /** Where the copies are, one for each thread; empty unless `recordsPackets`. Only one reader. */
  readonly taps: readonly { readonly interfaceName: string; readonly tap: PacketTap }[];
  /** Takes each thread's copies since the last call; call it often. */
  takePackets(onPackets: (interfaceName: string, packets: readonly TappedPacket[]) => void): void;
  /** Int32 each: what inhibits sending now, see send-inhibit.ts. */
  readonly sendInhibit: SharedArrayBuffer;
  /** Replies to these prefixes are ours from now on. Throws RangeError on more than 128. */
  setSources(prefixes: readonly Prefix[]): void;
  workers(): WorkerState[];
  /** Ends the senders alone: unsent probes stay in their rings, and late replies are still taken. */
  stopSenders(): Promise<void>;
}
