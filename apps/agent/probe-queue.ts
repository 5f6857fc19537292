/** The ring from whoever has probes to one sender; records as ffi/hotpath/memory-layout.ts says of `probesAt`. */
import {
  probeBytes,
  probeDstPortAt,
  probeIndexAt,
  probeMeasurementAt,
  probeProtocolAt,
  probeSrcPortAt,
  probeTtlAt,
} from "../../ffi/hotpath/memory-layout.ts";
import { addressBytes } from "../../lib/ip/address.ts";
import { protocolNumber } from "../../lib/wire/protocol-number.ts";
import { ByteRing } from "./byte-ring.ts";
import type { OutgoingProbe } from "./engine-types.ts";

/** 3 MiB: a twentieth of a second at line rate, and little enough that a cancelled campaign stops soon. */
const queueProbes = 65536;

export class ProbeQueue {
  readonly #ring: ByteRing;
  readonly #record = new Uint8Array(probeBytes);
  readonly #view = new DataView(this.#record.buffer);

  private constructor(ring: ByteRing) {
    this.#ring = ring;
  }

  static allocate(): ProbeQueue {
    return new ProbeQueue(ByteRing.allocate(queueProbes * probeBytes));
  }

  get buffer(): SharedArrayBuffer {
    return this.#ring.buffer;
  }

  /** False when the queue is full. */
  offer(probe: OutgoingProbe): boolean {
    this.#record.set(probe.dst, 0);
    this.#record.set(probe.src, addressBytes);
    this.#view.setUint16(probeSrcPortAt, probe.srcPort, true);
    this.#view.setUint16(probeDstPortAt, probe.dstPort, true);
    this.#view.setUint8(probeTtlAt, probe.ttl);
    this.#view.setUint8(probeProtocolAt, protocolNumber[probe.protocol]);
    this.#view.setUint32(probeMeasurementAt, probe.measurement, true);
    this.#view.setUint32(probeIndexAt, probe.index, true);
    return this.#ring.write(this.#record);
  }

  length(): number {
    return this.#ring.usedBytes() / probeBytes;
  }
}
