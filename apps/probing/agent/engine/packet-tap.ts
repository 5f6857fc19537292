/**
 * Packets of recorded measurements on their way from a thread of the engine to a file: a ring of records
 *
 *     0 record bytes u32 | 4 measurement i32 | 8 direction u32 (0 sent, 1 received) |
 *     12 seconds u32 | 16 nanoseconds u32 | 20 captured bytes u32 | 24 bytes on the wire u32 | 28 the packet
 *
 * What starts at 12 is a packet of a pcap savefile. The engine never waits here: a full ring refuses records,
 * which are counted.
 */
import { ByteRing } from "./byte-ring.ts";

/** Some 30,000 probes, or 10,000 answers: the reader polls a hundred times a second. */
const ringBytes = 4 << 20;
const headerBytes = 12;
const pcapHeaderBytes = 16;
/** The largest frame that is sent or captured, and its headers. */
const recordBytesMax = 1024;

const directions = ["sent", "received"] as const;
type Direction = (typeof directions)[number];

export interface TappedPacket {
  /** Number within this process; `unprovenMeasurement` when no tag proves it. */
  readonly measurement: number;
  readonly direction: Direction;
  /** Nanoseconds since the epoch. */
  readonly timeNs: bigint;
  /** A copy in the form of a savefile with nanosecond timestamps: 16 bytes of header, then the packet. */
  readonly record: Uint8Array;
}

interface PacketTime {
  readonly seconds: number;
  readonly nanoseconds: number;
}

export class PacketTap {
  readonly buffer: SharedArrayBuffer;
  readonly #ring: ByteRing;
  readonly #record = new Uint8Array(recordBytesMax);
  readonly #view = new DataView(this.#record.buffer);

  constructor(buffer = ByteRing.allocate(ringBytes).buffer) {
    this.buffer = buffer;
    this.#ring = new ByteRing(buffer);
  }

  /** False when there is no room; `wireBytes` is the length before the capture cut it. */
  put(
    [measurement, direction]: readonly [number, Direction],
    { seconds, nanoseconds }: PacketTime,
    packet: Uint8Array,
    wireBytes = packet.length,
  ): boolean {
    const bytes = headerBytes + pcapHeaderBytes + packet.length;
    if (bytes > recordBytesMax) {
      return false;
    }
    this.#view.setUint32(0, bytes, true);
    this.#view.setInt32(4, measurement, true);
    this.#view.setUint32(8, directions.indexOf(direction), true);
    this.#view.setUint32(headerBytes, seconds, true);
    this.#view.setUint32(headerBytes + 4, nanoseconds, true);
    this.#view.setUint32(headerBytes + 8, packet.length, true);
    this.#view.setUint32(headerBytes + 12, wireBytes, true);
    this.#record.set(packet, headerBytes + pcapHeaderBytes);
    return this.#ring.write(this.#record.subarray(0, bytes));
  }

  /** Takes all records in the ring. */
  take(): TappedPacket[] {
    const bytes = new Uint8Array(this.#ring.usedBytes());
    const view = new DataView(bytes.buffer);
    this.#ring.advance(this.#ring.peek(bytes));
    const packets: TappedPacket[] = [];
    for (let at = 0; at < bytes.length; at += view.getUint32(at, true)) {
      const second = BigInt(view.getUint32(at + headerBytes, true));
      packets.push({
        measurement: view.getInt32(at + 4, true),
        direction: directions[view.getUint32(at + 8, true)] ?? "received",
        timeNs: second * 1_000_000_000n + BigInt(view.getUint32(at + headerBytes + 4, true)),
        record: bytes.subarray(at + headerBytes, at + view.getUint32(at, true)),
      });
    }
    return packets;
  }
}
