/**
 * `--pcap FILE`: the packets that a trace or ping sends, and the answers to them.
 *
 * Answers whose tag fits are kept as they come. Where something on the way rewrote what the tag depends on, the engine
 * cannot prove an answer, and the packet waits until the trace has accepted it: those of others never get in.
 */
import { findLink } from "../../../ffi/netlink/link.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import type { SharedEngine } from "../../probing/agent/engine/engine-types.ts";
import { type LinkLayer, PacketFile } from "../../probing/agent/engine/packet-file.ts";
import type { TappedPacket } from "../../probing/agent/engine/packet-tap.ts";
import { recordedAtATime, unprovenMeasurement } from "../../probing/agent/engine/recorded-measurements.ts";
import { pcapLimits, unprovenPacketsMax } from "./limits.ts";
import type { RecordedReplies } from "./outstanding.ts";

class PacketRecording implements RecordedReplies {
  readonly #engine: SharedEngine;
  readonly #path: string;
  readonly #file: PacketFile;
  /** By the time of capture. */
  readonly #unproven = new Map<bigint, TappedPacket>();

  /** Each interface's probes are the measurement of its place in the list. Throws CommandError. */
  constructor(engine: SharedEngine, path: string, interfaces: readonly string[]) {
    this.#engine = engine;
    this.#path = path;
    const layer = commonLayer(interfaces);
    this.#file = this.#try(() => new PacketFile(path, layer, pcapLimits));
    for (const measurement of [unprovenMeasurement, ...interfaces.keys()]) {
      if (!engine.recorded.add(measurement)) {
        throw cannot(
          `Cannot keep packets of ${interfaces.length} interfaces: at most ${recordedAtATime - 1}`,
        );
      }
    }
  }

  take(): void {
    this.#engine.takePackets((_, packets) => {
      this.#try(() =>
        this.#file.add(packets.filter(({ measurement }) => measurement !== unprovenMeasurement)),
      );
      for (const packet of packets.filter(({ measurement }) => measurement === unprovenMeasurement)) {
        this.#hold(packet);
      }
    });
  }

  accept(timeReceivedNs: bigint): void {
    // A packet arrives before its reply, but this one may have arrived since the last poll.
    this.take();
    const packet = this.#unproven.get(timeReceivedNs);
    if (packet !== undefined) {
      this.#unproven.delete(timeReceivedNs);
      this.#try(() => this.#file.add([packet]));
    }
  }

  /** Once the engine has stopped; returns what is in the file, for people. */
  finish(): string {
    this.take();
    this.#try(() => this.#file[Symbol.dispose]());
    const { sent, received, leftOut } = this.#file.counts;
    const { sender_not_recorded: unsent = 0, capture_not_recorded: uncaptured = 0 } = this.#engine.counters();
    const missing = leftOut + unsent + uncaptured;
    const end = missing === 0 ? "" : `; ${missing} more were left out, there being too many`;
    return `${this.#path} has ${sent} packets sent and ${received} received${end}`;
  }

  /** The oldest make room: what the trace accepts, it accepts soon. */
  #hold(packet: TappedPacket): void {
    const [oldest] = this.#unproven.keys();
    if (this.#unproven.size >= unprovenPacketsMax && oldest !== undefined) {
      this.#unproven.delete(oldest);
    }
    this.#unproven.set(packet.timeNs, packet);
  }

  #try<Result>(write: () => Result): Result {
    try {
      return write();
    } catch (error) {
      throw cannot(`Cannot keep packets in ${this.#path}: ${systemReason(error)}`);
    }
  }
}

/** Records all that the engine sends on these interfaces; stops it, and throws CommandError, when that cannot be. */
export async function openRecording(
  engine: SharedEngine,
  path: string,
  interfaces: readonly string[],
): Promise<PacketRecording> {
  try {
    return new PacketRecording(engine, path, interfaces);
  } catch (error) {
    await engine.stop(0);
    throw error;
  }
}

/** How frames begin on these interfaces; throws CommandError when they differ: a file of packets has one form. */
function commonLayer(interfaces: readonly string[]): LinkLayer {
  const layers = interfaces.map((name) => findLink(name)?.layer ?? "ethernet");
  const odd = layers.findIndex((layer) => layer !== layers[0]);
  if (odd > 0) {
    throw cannot(
      `Cannot keep packets of ${interfaces[0]} and ${interfaces[odd]} in one file: one has Ethernet headers, the ` +
        "other none. Give their targets to two commands",
    );
  }
  return layers[0] ?? "ethernet";
}
