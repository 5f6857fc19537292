/**
 * The ring from the source of probes to one sender; its records have the layout of `probesAt` in
 * ffi/hotpath/memory-layout.ts.
 */
import {
  dnsQuestionShift,
  flagDontFragment,
  probeBytes,
  probeDstPortAt,
  probeFlagsAt,
  probeFlowLabelAt,
  probeIndexAt,
  probeListAt,
  probeMeasurementAt,
  probeProtocolAt,
  probeSizeAt,
  probeSrcPortAt,
  probeTrafficClassAt,
  probeTtlAt,
} from "../../../../ffi/hotpath/memory-layout.ts";
import { type Address, addressBytes } from "../../../../lib/net/ip/address.ts";
import { dnsPort, dnsQuestions } from "../../../../lib/net/packet/dns-question.ts";
import type { Probe, ProbeShape } from "../../../../lib/net/packet/probe.ts";
import { protocolNumber } from "../../../../lib/net/wire/protocol-number.ts";
import { ByteRing } from "./byte-ring.ts";
import type { OutgoingProbe } from "./engine-types.ts";
import { type MemoryMaker, plainMemory } from "./shared-memory.ts";

/** 3 MiB: a twentieth of a second at line rate, and little enough that a cancelled campaign stops soon. */
export const queueProbes = 65536;

/** Data of a probe besides the packet. */
export interface ProbeMetadata {
  readonly src: Address;
  readonly measurement: number;
  readonly index: number;
  /**
   * The measurement's list that the index belongs to, 16 bits: used to find the probes that a killed process had sent.
   * 0 where none is given.
   */
  readonly list?: number;
  /** What the packet looks like; absent = as the probe says. */
  readonly shape?: ProbeShape;
}

/** How many of the `count` records at `at` are of the same measurement as the first. */
export function measurementRun(view: DataView, at: number, count: number): number {
  const measurement = view.getUint32(at + probeMeasurementAt, true);
  let same = 1;
  while (same < count && view.getUint32(at + same * probeBytes + probeMeasurementAt, true) === measurement) {
    same++;
  }
  return same;
}

export class ProbeQueue {
  readonly #ring: ByteRing;
  readonly #record = new Uint8Array(probeBytes);
  readonly #view = new DataView(this.#record.buffer);

  /** Wraps a buffer that `ProbeQueue.allocate` made, here or in another thread. */
  constructor(buffer: SharedArrayBuffer) {
    this.#ring = new ByteRing(buffer);
  }

  static allocate(name = "", memory: MemoryMaker = plainMemory): ProbeQueue {
    return new ProbeQueue(ByteRing.allocate(queueProbes * probeBytes, name, memory).buffer);
  }

  get buffer(): SharedArrayBuffer {
    return this.#ring.buffer;
  }

  /** False when the queue is full. */
  offer(probe: OutgoingProbe): boolean {
    return this.put(probe, probe);
  }

  /** The same for a probe without its own object, such as the current one of a ProbeCursor. */
  put(probe: Probe, { src, measurement, index, list = 0, shape = probe.shape }: ProbeMetadata): boolean {
    this.#record.set(probe.dst, 0);
    this.#record.set(src, addressBytes);
    this.#view.setUint16(probeSrcPortAt, probe.srcPort, true);
    this.#view.setUint16(probeDstPortAt, probe.dstPort, true);
    this.#view.setUint8(probeTtlAt, probe.ttl);
    this.#view.setUint8(probeProtocolAt, protocolNumber[probe.protocol]);
    this.#view.setUint16(probeListAt, list, true);
    this.#view.setUint32(probeMeasurementAt, measurement, true);
    this.#view.setUint32(probeIndexAt, index, true);
    this.#putShape(probe, shape);
    return this.#ring.write(this.#record);
  }

  #putShape({ protocol, dstPort }: Probe, shape: ProbeShape | undefined): void {
    this.#view.setUint16(probeSizeAt, shape?.sizeBytes ?? 0, true);
    const isQuery = shape?.dns !== undefined && protocol === "udp" && dstPort === dnsPort;
    const question = isQuery ? dnsQuestions.indexOf(shape.dns) + 1 : 0;
    const fragment = shape?.dontFragment === true ? flagDontFragment : 0;
    this.#view.setUint8(probeFlagsAt, fragment | (question << dnsQuestionShift));
    this.#view.setUint8(probeTrafficClassAt, shape?.trafficClass ?? 0);
    this.#view.setUint32(probeFlowLabelAt, shape?.flowLabel ?? 0, true);
  }

  /** Ends the sender's wait for probes: see ByteRing. */
  endWait(): void {
    this.#ring.endWait();
  }

  length(): number {
    return this.#ring.usedBytes() / probeBytes;
  }
}
